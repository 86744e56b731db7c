package kinds

import (
	"context"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"

	"example.com/kube-apiserver/stage3-storage/kinds/rules"
	"example.com/kube-apiserver/stage3-storage/object"
	"example.com/kube-apiserver/stage3-storage/object/field"
	"example.com/kube-apiserver/stage3-storage/registry/request"
)

// Annotations that mean something: some are older than the field that says the
// same, some never became one.
const (
	mirrorAnnotation   = "kubernetes.io/config.mirror"
	tolerated          = "scheduler.alpha.kubernetes.io/tolerations"
	deletionCost       = "controller.kubernetes.io/pod-deletion-cost"
	seccompOfPod       = "seccomp.security.alpha.kubernetes.io/pod"
	seccompOfContainer = "container.seccomp.security.alpha.kubernetes.io/"
	appArmorAnnotation = "container.apparmor.security.beta.kubernetes.io/"
)

// checkAnnotations checks the annotations that mean something.
//
// Upstream: pkg/api/validation/validation.go ValidatePodSpecificAnnotations
func (s *podSpec) checkAnnotations(at string, annotations map[string]string) (errs field.Errors) {
	if v, there := annotations[mirrorAnnotation]; there && rules.Text(s.tree, "nodeName") == "" {
		errs = append(errs, field.Invalid(rules.Key(at, mirrorAnnotation), v, "must set spec.nodeName if mirror pod annotation is set"))
	}
	if v := annotations[tolerated]; v != "" {
		errs = append(errs, checkTolerated(at, v)...)
	}
	if v, there := annotations[deletionCost]; there {
		n, err := strconv.ParseInt(v, 10, 32)
		if err != nil || strconv.FormatInt(n, 10) != v { // no + and no leading zeros
			errs = append(errs, field.Invalid(rules.Key(at, deletionCost), v, "must be a 32bit integer"))
		}
	}
	names := map[string]bool{}
	for _, c := range s.everyContainer("") {
		names[rules.Text(c, "name")] = true
	}
	for _, k := range sortedKeys(annotations) {
		v := annotations[k]
		switch name, armor := strings.CutPrefix(k, appArmorAnnotation); {
		case k == seccompOfPod || strings.HasPrefix(k, seccompOfContainer):
			errs = append(errs, rules.Strictly(seccompText)(rules.Join(at, k), v)...)
		case armor:
			if !names[name] {
				errs = append(errs, field.Invalid(rules.Key(at, k), name, "container not found"))
			}
			errs = append(errs, rules.Words(appArmorText)(rules.Key(at, k), v)...)
		}
	}
	return errs
}

// checkTolerated: what a pod puts up with, from before there was a field.
//
// Upstream: pkg/api/validation/validation.go ValidateTolerationsInPodAnnotations
func checkTolerated(at, text string) field.Errors {
	var tolerations []struct {
		Key, Operator, Value, Effect string
		TolerationSeconds            *int64
	}
	if err := json.Unmarshal([]byte(text), &tolerations); err != nil {
		return field.Errors{field.Invalid(at, tolerated, err.Error())}
	}
	var list []any
	for _, t := range tolerations {
		one := given(tree{"key": t.Key, "operator": t.Operator, "value": t.Value, "effect": t.Effect})
		if t.TolerationSeconds != nil {
			one["tolerationSeconds"] = *t.TolerationSeconds
		}
		list = append(list, one)
	}
	return rules.Each(toleration)(rules.Join(at, tolerated), list)
}

func seccompText(s string) []string {
	if file, local := strings.CutPrefix(s, "localhost/"); local {
		return rules.RelativePath(file)
	}
	if s == "runtime/default" || s == "docker/default" || s == "unconfined" {
		return nil
	}
	return []string{"must be a valid seccomp profile"}
}

func appArmorText(s string) []string {
	if s == "runtime/default" || s == "unconfined" || strings.HasPrefix(s, "localhost/") {
		return nil
	}
	return []string{fmt.Sprintf("invalid AppArmor profile name: %q", s)}
}

// checkProfiles: an annotation and the field that came after it have to agree.
//
// Now: pkg/apis/core/validation/validation.go validateSeccompAnnotationsAndFields
func (s *podSpec) checkProfiles(at string, annotations map[string]string) (errs field.Errors) {
	if v, there := annotations[seccompOfPod]; there {
		errs = append(errs, agree(at+".securityContext.seccompProfile", "seccomp", v, rules.Map(s.tree, "securityContext", "seccompProfile"))...)
	}
	for path, c := range s.everyContainer(at) {
		if v, there := annotations[seccompOfContainer+rules.Text(c, "name")]; there {
			errs = append(errs, agree(path+".securityContext.seccompProfile", "seccomp", v, rules.Map(c, "securityContext", "seccompProfile"))...)
		}
	}
	if rules.Text(s.tree, "os", "name") == "windows" {
		return errs
	}
	for path, c := range s.everyContainer(at) {
		profile := rules.Map(c, "securityContext", "appArmorProfile")
		if profile == nil {
			profile = rules.Map(s.tree, "securityContext", "appArmorProfile")
		}
		if v, there := annotations[appArmorAnnotation+rules.Text(c, "name")]; there {
			errs = append(errs, agree(path+".securityContext.appArmorProfile", "apparmor", v, profile)...)
		}
	}
	return errs
}

// agree compares an annotation with the profile in the field, if there is one.
func agree(at, what, annotation string, profile tree) field.Errors {
	file, local := strings.CutPrefix(annotation, "localhost/")
	same := true
	switch profile["type"] {
	case "Unconfined":
		same = annotation == "unconfined"
	case "RuntimeDefault":
		same = annotation == "runtime/default" || what == "seccomp" && annotation == "docker/default"
	case "Localhost":
		same = local
		if local && profile["localhostProfile"] != file {
			return field.Errors{field.Forbidden(at+".localhostProfile", what+" profile in annotation and field must match")}
		}
	}
	if !same {
		return field.Errors{field.Forbidden(at+".type", what+" type in annotation and field must match")}
	}
	return nil
}

// profilesFromAnnotations gives containers the AppArmor profile that a pod's
// author has asked for in the way of before 1.30, and says so.
//
// Now: pkg/registry/core/pod/strategy.go applyAppArmorVersionSkew
func profilesFromAnnotations(ctx context.Context, o *object.Object) {
	if rules.Text(spec(o), "os", "name") == "windows" {
		return
	}
	for _, list := range containerLists {
		for _, c := range rules.Items(spec(o), list) {
			key := appArmorAnnotation + rules.Text(c, "name")
			text, there := o.Meta.Annotations[key]
			if !there || rules.Get(c, "securityContext", "appArmorProfile") != nil {
				continue
			}
			profile := appArmorProfile(text)
			if profile != nil && rules.Same(profile, rules.Get(spec(o), "securityContext", "appArmorProfile")) {
				continue // it has it already
			}
			if profile != nil {
				rules.Make(c, "securityContext")["appArmorProfile"] = profile
			}
			request.Warn(ctx, rules.Key("metadata.annotations", key)+`: deprecated since v1.30; use the "appArmorProfile" field instead`)
		}
	}
}

// appArmorProfile is the field of an annotation's text; nil if that means nothing.
func appArmorProfile(text string) any {
	file, local := strings.CutPrefix(text, "localhost/")
	profile := tree{}
	switch {
	case text == "unconfined":
		profile["type"] = "Unconfined"
	case text == "runtime/default":
		profile["type"] = "RuntimeDefault"
	case local:
		profile["type"], profile["localhostProfile"] = "Localhost", file
	}
	if len(appArmor("", profile)) > 0 {
		return nil
	}
	return profile
}

// checkAnnotationUpdates: what tells how a container is confined, or that the
// pod only mirrors one of a node, stays.
//
// Upstream: pkg/api/validation/validation.go ValidatePodSpecificAnnotationUpdates
func checkAnnotationUpdates(is, was map[string]string) (errs field.Errors) {
	const at = "metadata.annotations"
	for _, k := range sortedKeys(was) {
		if v, there := is[k]; there && v == was[k] {
			continue
		}
		switch {
		case strings.HasPrefix(k, appArmorAnnotation):
			errs = append(errs, field.Forbidden(rules.Key(at, k), "may not remove or update AppArmor annotations"))
		case k == mirrorAnnotation:
			errs = append(errs, field.Forbidden(rules.Key(at, k), "may not remove or update mirror pod annotation"))
		}
	}
	for _, k := range sortedKeys(is) {
		if _, there := was[k]; there {
			continue
		}
		switch {
		case strings.HasPrefix(k, appArmorAnnotation):
			errs = append(errs, field.Forbidden(rules.Key(at, k), "may not add AppArmor annotations"))
		case k == mirrorAnnotation:
			errs = append(errs, field.Forbidden(rules.Key(at, k), "may not add mirror pod annotation"))
		}
	}
	return errs
}
