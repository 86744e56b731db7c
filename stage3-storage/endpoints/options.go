package endpoints

import (
	"fmt"
	"net/http"
	"net/url"
	"strconv"

	"example.com/kube-apiserver/stage3-storage/object"
	"example.com/kube-apiserver/stage3-storage/object/field"
	"example.com/kube-apiserver/stage3-storage/object/status"
	"example.com/kube-apiserver/stage3-storage/registry"
	"example.com/kube-apiserver/stage3-storage/registry/request"
	"example.com/kube-apiserver/stage3-storage/registry/rest"
)

// ListOptions reads the parameters that a list, a watch and the deletion of a
// collection share.
//
// Upstream: staging/src/k8s.io/apimachinery/pkg/apis/meta/v1/types.go ListOptions
func (s *Scope) ListOptions(req *http.Request) (rest.ListOptions, error) {
	q := req.URL.Query()
	opts := rest.ListOptions{
		ResourceVersion: q.Get("resourceVersion"), ResourceVersionMatch: q.Get("resourceVersionMatch"), Continue: q.Get("continue"),
	}
	var err error
	if l := q.Get("limit"); l != "" {
		if opts.Limit, err = strconv.Atoi(l); err != nil {
			return opts, status.BadRequest("strconv.ParseInt: parsing %q: invalid syntax", l)
		}
	}
	watching := request.InfoFrom(req.Context()).Verb == "watch" // whose rules are other ones
	if errs := registry.CheckListOptions(opts); !watching && len(errs) > 0 {
		return opts, status.Invalid("meta.k8s.io", "ListOptions", "", errs)
	}
	if selectable, ok := s.Storage.(registry.Selectable); ok {
		opts.Selector, err = s.Selector(q.Get("labelSelector"), q.Get("fieldSelector"), selectable)
	}
	return opts, err
}

func listMeta(l rest.List) ListMeta {
	return ListMeta{ResourceVersion: strconv.FormatInt(l.Revision, 10), Continue: l.Continue, RemainingItemCount: l.Remaining}
}

// writeOptions reads the parameters that all writes share.
//
// Upstream: staging/src/k8s.io/apimachinery/pkg/apis/meta/v1/types.go CreateOptions
func writeOptions(req *http.Request) (rest.Write, error) {
	q := req.URL.Query()
	w := rest.Write{FieldManager: q.Get("fieldManager"), FieldValidation: q.Get("fieldValidation")}
	kind := map[string]string{http.MethodPost: "CreateOptions", http.MethodPut: "UpdateOptions", http.MethodPatch: "PatchOptions"}[req.Method]
	var errs field.Errors
	w.DryRun, errs = dryRun(q)
	if len(w.FieldManager) > 128 {
		errs = append(errs, field.TooLong("fieldManager", 128))
	}
	switch w.FieldValidation {
	case "", "Ignore", "Warn", "Strict":
	default:
		errs = append(errs, field.NotSupported("fieldValidation", w.FieldValidation, "", "Ignore", "Strict", "Warn"))
	}
	if len(errs) > 0 {
		return w, status.Invalid("meta.k8s.io", kind, "", errs)
	}
	return w, nil
}

func dryRun(q url.Values) (bool, field.Errors) {
	for _, d := range q["dryRun"] {
		if d != "All" {
			return false, field.Errors{field.NotSupported("dryRun", d, "All")}
		}
	}
	return len(q["dryRun"]) > 0, nil
}

// readObject reads the body of POST and PUT, which must be of the path's kind.
func (s *Scope) readObject(w http.ResponseWriter, req *http.Request) (rest.Write, map[string]any, error) {
	write, err := writeOptions(req)
	if err != nil {
		return write, nil, err
	}
	body, err := s.readJSON(w, req)
	if err != nil {
		return write, nil, err
	}
	tree, duplicates, err := object.Parse(body)
	if err != nil {
		_, kind := s.Storage.Kind()
		return write, nil, status.BadRequest("%s in version %q cannot be handled as a %s: %v", kind, s.Resource.Version, kind, err)
	}
	write.Duplicates = duplicates
	write.Tree = func(*object.Encoded) (map[string]any, error) { return object.CopyTree(tree).(map[string]any), nil }
	return write, tree, s.checkKind(tree)
}

// checkKind refuses a body that is of another kind than the path. A body that
// does not say its kind is taken to be of the right one.
func (s *Scope) checkKind(tree map[string]any) error {
	apiVersion, kind := s.Storage.Kind()
	gotVersion, _ := tree["apiVersion"].(string)
	gotKind, _ := tree["kind"].(string)
	switch {
	case gotVersion != "" && gotVersion != apiVersion:
		return status.BadRequest("the API version in the data (%s) does not match the expected API version (%s)", gotVersion, apiVersion)
	case gotKind != "" && gotKind != kind:
		return status.BadRequest("%s in version %q cannot be handled as a %s: the body is another kind", gotKind, s.Resource.Version, kind)
	}
	return nil
}

// deleteOptions reads the body of a DELETE or, where there is none, its parameters.
//
// Upstream: staging/src/k8s.io/apimachinery/pkg/apis/meta/v1/types.go DeleteOptions
func (s *Scope) deleteOptions(w http.ResponseWriter, req *http.Request) (rest.DeleteOptions, error) {
	body, err := s.readJSON(w, req)
	if err != nil {
		return rest.DeleteOptions{}, err
	}
	if len(body) > 0 {
		return s.deleteOptionsFromBody(body, req.URL.Query())
	}
	q := req.URL.Query()
	opts := rest.DeleteOptions{PropagationPolicy: q.Get("propagationPolicy")}
	if o := q.Get("orphanDependents"); o != "" {
		opts.PropagationPolicy = map[bool]string{true: "Orphan", false: "Background"}[o == "true"]
	}
	if g := q.Get("gracePeriodSeconds"); g != "" {
		n, err := strconv.ParseInt(g, 10, 64)
		if err != nil {
			return opts, status.BadRequest("strconv.ParseInt: parsing %q: invalid syntax", g)
		}
		opts.GracePeriodSeconds = &n
	}
	return checkDeleteOptions(opts, q)
}

func (s *Scope) deleteOptionsFromBody(body []byte, q url.Values) (rest.DeleteOptions, error) {
	tree, _, err := object.Parse(body)
	if err != nil {
		return rest.DeleteOptions{}, status.BadRequest("DeleteOptions cannot be read: %v", err)
	}
	var opts rest.DeleteOptions
	opts.PropagationPolicy, _ = tree["propagationPolicy"].(string)
	if o, ok := tree["orphanDependents"].(bool); ok {
		opts.PropagationPolicy = map[bool]string{true: "Orphan", false: "Background"}[o]
	}
	if g, ok := tree["gracePeriodSeconds"]; ok && g != nil {
		n, err := strconv.ParseInt(fmt.Sprint(g), 10, 64)
		if err != nil {
			return opts, status.BadRequest("DeleteOptions: gracePeriodSeconds: want an integer, got %v", g)
		}
		opts.GracePeriodSeconds = &n
	}
	if p, ok := tree["preconditions"].(map[string]any); ok {
		opts.UID, _ = p["uid"].(string)
		opts.ResourceVersion, _ = p["resourceVersion"].(string)
	}
	if list, ok := tree["dryRun"].([]any); ok {
		for _, d := range list {
			q.Add("dryRun", fmt.Sprint(d))
		}
	}
	return checkDeleteOptions(opts, q)
}

func checkDeleteOptions(opts rest.DeleteOptions, q url.Values) (rest.DeleteOptions, error) {
	var errs field.Errors
	opts.DryRun, errs = dryRun(q)
	switch opts.PropagationPolicy {
	case "", "Background", "Foreground", "Orphan":
	default:
		errs = append(errs, field.NotSupported("propagationPolicy", opts.PropagationPolicy, "Background", "Foreground", "Orphan", "nil"))
	}
	if g := opts.GracePeriodSeconds; g != nil && *g < 0 {
		*g = 1 // as today: "delete right now" was once written as -1
	}
	if len(errs) > 0 {
		return opts, status.Invalid("meta.k8s.io", "DeleteOptions", "", errs)
	}
	return opts, nil
}
