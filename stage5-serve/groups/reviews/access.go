package reviews

import (
	"context"
	"reflect"

	"example.com/kube-apiserver/stage3-storage/kinds/rules"
	"example.com/kube-apiserver/stage3-storage/object"
	"example.com/kube-apiserver/stage3-storage/object/field"
	"example.com/kube-apiserver/stage3-storage/object/status"
	"example.com/kube-apiserver/stage3-storage/registry"
	"example.com/kube-apiserver/stage3-storage/registry/request"
	"example.com/kube-apiserver/stage3-storage/registry/rest"
	"example.com/kube-apiserver/stage3-storage/wire/schema"
	"example.com/kube-apiserver/stage5-serve/groups"
	"example.com/kube-apiserver/stage5-serve/identity/authorizer"
)

const authorization = "authorization.k8s.io"

// Authorization is the row of the group: may he.
//
// Upstream: pkg/registry/authorization/rest/storage_authorization.go RESTStorageProvider
func Authorization(a authorizer.Authorizer, resolver authorizer.RuleResolver) groups.Group {
	return groups.Group{Name: authorization, Version: "v1", Others: func(known func(apiVersion, kind string) *schema.Schema, _ registry.RESTOptionsGetter) (map[string]rest.Storage, error) {
		make := func(name, singular, kind string, namespaced bool, answer func(context.Context, *object.Object) error) rest.Storage {
			return review{row(authorization, name, singular, kind, namespaced), known(authorization+"/v1", kind), answer}
		}
		return map[string]rest.Storage{
			"subjectaccessreviews":      make("subjectaccessreviews", "subjectaccessreview", "SubjectAccessReview", false, access(a, checkSubject, subject)),
			"localsubjectaccessreviews": make("localsubjectaccessreviews", "localsubjectaccessreview", "LocalSubjectAccessReview", true, access(a, checkLocal, subject)),
			"selfsubjectaccessreviews":  make("selfsubjectaccessreviews", "selfsubjectaccessreview", "SelfSubjectAccessReview", false, access(a, checkSelf, self)),
			"selfsubjectrulesreviews":   make("selfsubjectrulesreviews", "selfsubjectrulesreview", "SelfSubjectRulesReview", false, myRules(resolver)),
		}, nil
	}}
}

// access answers whether somebody may do something.
//
// Upstream: pkg/registry/authorization/util/helpers.go AuthorizationAttributesFrom
func access(a authorizer.Authorizer, check func(*object.Object) field.Errors, who func(context.Context, *object.Object) request.User) func(context.Context, *object.Object) error {
	return func(ctx context.Context, o *object.Object) error {
		if errs := check(o); len(errs) > 0 {
			return status.Invalid(authorization, "", "", errs) // upstream names no kind
		}
		question := authorizer.Attributes{User: who(ctx, o)}
		if r := rules.Map(o.Fields, "spec", "resourceAttributes"); r != nil {
			question.Info = request.Info{
				IsResource: true, Verb: rules.Text(r, "verb"), Group: rules.Text(r, "group"), Version: rules.Text(r, "version"),
				Resource: rules.Text(r, "resource"), Subresource: rules.Text(r, "subresource"), Namespace: rules.Text(r, "namespace"), Name: rules.Text(r, "name"),
			}
		} else {
			question.Info = request.Info{Path: rules.Text(o.Fields, "spec", "nonResourceAttributes", "path"), Verb: rules.Text(o.Fields, "spec", "nonResourceAttributes", "verb")}
		}
		decision, reason, err := a.Authorize(ctx, question)
		answer := rules.Tree{"allowed": decision == authorizer.Allow && err == nil} // as the filter would decide
		if decision == authorizer.Deny {
			answer["denied"] = true
		}
		if reason != "" {
			answer["reason"] = reason
		}
		if err != nil {
			answer["evaluationError"] = err.Error()
		}
		o.Fields["status"] = answer
		return nil
	}
}

func self(ctx context.Context, _ *object.Object) request.User { return request.UserFrom(ctx) }

func subject(_ context.Context, o *object.Object) request.User {
	spec := rules.Map(o.Fields, "spec")
	u := request.User{Name: rules.Text(spec, "user"), UID: rules.Text(spec, "uid"), Groups: rules.Texts(spec, "groups")}
	for key := range rules.Map(spec, "extra") {
		if u.Extra == nil {
			u.Extra = map[string][]string{}
		}
		u.Extra[key] = rules.Texts(spec, "extra", key)
	}
	return u
}

// checkSelf checks a question about oneself.
//
// Upstream: pkg/apis/authorization/validation/validation.go ValidateSelfSubjectAccessReview
func checkSelf(o *object.Object) field.Errors {
	return append(checkQuestion(o), bare(o, "must be empty")...)
}

// checkSubject checks a question about somebody.
//
// Upstream: pkg/apis/authorization/validation/validation.go ValidateSubjectAccessReview
func checkSubject(o *object.Object) field.Errors {
	return append(checkWho(o), bare(o, "must be empty")...)
}

// checkLocal checks a question about somebody in one namespace.
//
// Upstream: pkg/apis/authorization/validation/validation.go ValidateLocalSubjectAccessReview
func checkLocal(o *object.Object) field.Errors {
	errs := checkWho(o)
	plain := *o
	plain.Meta.Namespace = ""
	errs = append(errs, bare(&plain, "must be empty except for namespace")...)
	if r := rules.Map(o.Fields, "spec", "resourceAttributes"); r != nil && rules.Text(r, "namespace") != o.Meta.Namespace {
		errs = append(errs, field.Invalid("spec.resourceAttributes.namespace", rules.Text(r, "namespace"), "must match metadata.namespace"))
	}
	if path := rules.Map(o.Fields, "spec", "nonResourceAttributes"); path != nil {
		errs = append(errs, field.Invalid("spec.nonResourceAttributes", internal(path), "disallowed on this kind of request"))
	}
	return errs
}

func checkWho(o *object.Object) field.Errors {
	errs := checkQuestion(o)
	if rules.Text(o.Fields, "spec", "user") == "" && len(rules.List(o.Fields, "spec", "groups")) == 0 {
		errs = append(errs, field.Invalid("spec.user", "", "at least one of user or group must be specified"))
	}
	return errs
}

func checkQuestion(o *object.Object) field.Errors {
	resource, path := rules.Map(o.Fields, "spec", "resourceAttributes"), rules.Map(o.Fields, "spec", "nonResourceAttributes")
	var errs field.Errors
	if (resource == nil) == (path == nil) {
		errs = append(errs, field.Invalid("spec", internal(path), "exactly one of nonResourceAttributes or resourceAttributes must be specified"))
	}
	for _, name := range []string{"fieldSelector", "labelSelector"} {
		at, s := "spec.resourceAttributes."+name, rules.Map(resource, name)
		raw, terms := rules.Text(s, "rawSelector"), rules.List(s, "requirements")
		switch {
		case s == nil:
		case raw != "" && len(terms) > 0:
			errs = append(errs, field.Invalid(at+".rawSelector", raw, "may not specified at the same time as requirements"))
		case raw == "" && len(terms) == 0:
			errs = append(errs, field.Required(at+".requirements", "when "+at+" is specified, requirements or rawSelector is required"))
		}
	}
	return errs
}

// internal shows attributes as upstream's error does: with the names of the
// fields of its Go type.
func internal(path rules.Tree) any {
	if path == nil {
		return nil
	}
	return struct{ Path, Verb string }{rules.Text(path, "path"), rules.Text(path, "verb")}
}

// bare: what is not kept has no name.
func bare(o *object.Object, why string) field.Errors {
	plain := o.Meta
	plain.ManagedFields = nil
	if reflect.DeepEqual(plain, object.Meta{}) {
		return nil
	}
	return field.Errors{field.Invalid("metadata", o.Meta, why)}
}

// myRules lists what the user may do in a namespace.
//
// Now: pkg/registry/authorization/selfsubjectrulesreview/rest.go Create
func myRules(resolver authorizer.RuleResolver) func(context.Context, *object.Object) error {
	return func(ctx context.Context, o *object.Object) error {
		namespace := rules.Text(o.Fields, "spec", "namespace")
		if namespace == "" {
			return status.BadRequest("no namespace on request")
		}
		list, incomplete, err := resolver.RulesFor(ctx, request.UserFrom(ctx), namespace)
		resources, paths := []any{}, []any{}
		for _, r := range list {
			if len(r.NonResourceURLs) > 0 {
				paths = append(paths, tree("verbs", r.Verbs, "nonResourceURLs", r.NonResourceURLs))
			} else {
				resources = append(resources, tree("verbs", r.Verbs, "apiGroups", r.APIGroups, "resources", r.Resources, "resourceNames", r.ResourceNames))
			}
		}
		answer := rules.Tree{"resourceRules": resources, "nonResourceRules": paths, "incomplete": incomplete}
		if err != nil {
			answer["evaluationError"] = err.Error()
		}
		o.Meta, o.Fields = object.Meta{}, map[string]any{"spec": rules.Tree{}, "status": answer}
		return nil
	}
}

// tree makes an object of names and lists; empty lists are left out.
func tree(pairs ...any) rules.Tree {
	t := rules.Tree{}
	for i := 0; i < len(pairs); i += 2 {
		if values := pairs[i+1].([]string); len(values) > 0 {
			t[pairs[i].(string)] = rules.ListOf(values)
		}
	}
	return t
}
