package requests

import (
	"cmp"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"unicode"

	"example.com/kube-apiserver/stage3-storage/endpoints"
	"example.com/kube-apiserver/stage3-storage/object/field"
	"example.com/kube-apiserver/stage3-storage/object/status"
	"example.com/kube-apiserver/stage3-storage/registry/request"
	"example.com/kube-apiserver/stage3-storage/registry/rest"
	"example.com/kube-apiserver/stage3-storage/wire/negotiation"
)

// ListOptions is part of endpoints.Decoder.
//
// Upstream: staging/src/k8s.io/apimachinery/pkg/apis/meta/v1/types.go ListOptions
func (Decoder) ListOptions(s *endpoints.Scope, req *http.Request) (rest.ListOptions, error) {
	q := req.URL.Query()
	var opts rest.ListOptions
	limit, err := integer(q, "limit")
	if err != nil {
		return opts, err
	}
	if limit != nil {
		opts.Limit = int(*limit)
	}
	if _, err := integer(q, "timeoutSeconds"); err != nil {
		return opts, err
	}
	info := request.InfoFrom(req.Context())
	if info.Verb != "watch" { // whose rules are other ones
		errs := checkListOptions(q)
		if q.Has("sendInitialEvents") {
			errs = append(errs, field.Forbidden("sendInitialEvents", "sendInitialEvents is forbidden for list"))
		}
		if len(errs) > 0 {
			return opts, status.Invalid("meta.k8s.io", "ListOptions", "", errs)
		}
	}
	if selectable, ok := selectableOf(s.Storage); ok {
		named := ""
		if info.Verb == "watch" { // the old form: …/watch/…/NAME
			named = info.Name
		}
		if opts.Selector, err = selectorOf(q.Get("labelSelector"), q.Get("fieldSelector"), named, selectable); err != nil {
			return opts, err
		}
	}
	if info.Verb == "watch" {
		return opts, nil
	}
	if opts.Continue, err = negotiation.DecodeContinue(q.Get("continue")); err == nil {
		err = revision(q, &opts)
	}
	if opts.Selector.Name != "" && (info.Namespace != "" || !s.Resource.Namespaced) {
		opts.Limit = 0 // there is one object at most
	}
	return opts, err
}

// Revision reads a resourceVersion; "" and "0" are 0.
//
// Upstream: staging/src/k8s.io/apiserver/pkg/storage/util.go ParseWatchResourceVersion
// Now: staging/src/k8s.io/apiserver/pkg/storage/api_object_versioner.go ParseResourceVersion
func Revision(text string) (int64, error) {
	if text == "" {
		return 0, nil
	}
	rev, err := strconv.ParseUint(text, 10, 63)
	if err != nil {
		return 0, fmt.Errorf("resourceVersion: Invalid value: %q: %w", text, err)
	}
	return int64(rev), nil
}

// GetOptions is part of endpoints.Decoder.
func (Decoder) GetOptions(req *http.Request) (opts rest.GetOptions, err error) {
	opts.Revision, err = Revision(req.URL.Query().Get("resourceVersion"))
	return opts, err
}

// revision finds out as of which revision a list is read.
func revision(q url.Values, opts *rest.ListOptions) (err error) {
	text, match := q.Get("resourceVersion"), q.Get("resourceVersionMatch")
	opts.Revision, err = Revision(text)
	switch {
	case err != nil:
		return status.BadRequest("invalid resource version: %v", err)
	case opts.Continue != nil && opts.Revision > 0:
		return status.BadRequest("specifying resource version is not allowed when using continue")
	case opts.Continue != nil:
		return nil
	}
	opts.Exact = match == "Exact" || match == "" && opts.Limit > 0
	if text == "0" {
		opts.Limit = 0 // upstream's cache knows no pages of whatever version it has
	}
	return nil
}

// integer reads a parameter that is a number; nil where it is not there.
func integer(q url.Values, name string) (*int64, error) {
	if !q.Has(name) {
		return nil, nil
	}
	n, err := strconv.ParseInt(q.Get(name), 10, 64)
	if err != nil {
		return nil, status.BadRequest("%v", err)
	}
	return &n, nil
}

// checkListOptions returns what is wrong with the parameters of a list.
//
// Now: staging/src/k8s.io/apimachinery/pkg/apis/meta/internalversion/validation/validation.go ValidateListOptions
func checkListOptions(q url.Values) (errs field.Errors) {
	const name = "resourceVersionMatch"
	m, version := q.Get(name), q.Get("resourceVersion")
	if m == "" {
		return nil
	}
	if version == "" {
		errs = append(errs, field.Forbidden(name, "resourceVersionMatch is forbidden unless resourceVersion is provided"))
	}
	if q.Get("continue") != "" {
		errs = append(errs, field.Forbidden(name, "resourceVersionMatch is forbidden when continue is provided"))
	}
	if m != "Exact" && m != "NotOlderThan" {
		errs = append(errs, field.NotSupported(name, m, "Exact", "NotOlderThan", ""))
	}
	if m == "Exact" && version == "0" {
		errs = append(errs, field.Forbidden(name, `resourceVersionMatch "exact" is forbidden for resourceVersion "0"`))
	}
	return errs
}

// writeOptions reads the parameters that all writes share, and what is to be
// done about unknown fields. given are problems that are known already: the
// client is told of all at once.
//
// Now: staging/src/k8s.io/apimachinery/pkg/apis/meta/v1/types.go CreateOptions
func writeOptions(req *http.Request, given ...field.Error) (w rest.Write, validation string, err error) {
	q := req.URL.Query()
	w.FieldManager, validation = q.Get("fieldManager"), q.Get("fieldValidation")
	errs := append(field.Errors(given), checkManager(w.FieldManager)...)
	dry, wrong := dryRun(q["dryRun"])
	w.DryRun, errs = dry, append(errs, wrong...)
	switch validation {
	case "", "Ignore", "Warn", "Strict":
	default:
		errs = append(errs, field.NotSupported("fieldValidation", validation, "", "Ignore", "Strict", "Warn"))
	}
	if len(errs) > 0 {
		kind := map[string]string{http.MethodPost: "CreateOptions", http.MethodPut: "UpdateOptions", http.MethodPatch: "PatchOptions"}[req.Method]
		return w, validation, status.Invalid("meta.k8s.io", kind, "", errs)
	}
	return w, validation, nil
}

// checkManager checks the name under which a client owns the fields that it sets.
//
// Now: staging/src/k8s.io/apimachinery/pkg/apis/meta/v1/validation/validation.go ValidateFieldManager
func checkManager(name string) (errs field.Errors) {
	if len(name) > 128 {
		errs = append(errs, field.TooLong("fieldManager", 128))
	}
	for i, r := range name {
		if !unicode.IsPrint(r) {
			errs = append(errs, field.Invalid("fieldManager", name, fmt.Sprintf("invalid character %#U (at position %d)", r, i)))
		}
	}
	return errs
}

func dryRun(values []string) (bool, field.Errors) {
	if slices.ContainsFunc(values, func(v string) bool { return v != "All" }) {
		return false, field.Errors{field.NotSupported("dryRun", values, "All")}
	}
	return len(values) > 0, nil
}

// DeleteOptions is part of endpoints.Decoder: the body of a DELETE or, where
// there is none, its parameters.
//
// Upstream: staging/src/k8s.io/apiserver/pkg/endpoints/handlers/rest.go DeleteResource
func (d Decoder) DeleteOptions(s *endpoints.Scope, w http.ResponseWriter, req *http.Request) (rest.DeleteOptions, error) {
	body, err := readBody(w, req)
	if err != nil {
		return rest.DeleteOptions{}, err
	}
	var given DeleteOptions
	if len(body) > 0 {
		format, err := d.bodyFormat(req)
		if err != nil {
			return rest.DeleteOptions{}, err
		}
		if err := readDeleteOptions(format, body, &given); err != nil {
			return rest.DeleteOptions{}, status.BadRequest("%v", err)
		}
		return given.check()
	}
	q := req.URL.Query()
	if given.GracePeriodSeconds, err = integer(q, "gracePeriodSeconds"); err != nil {
		return rest.DeleteOptions{}, err
	}
	if q.Has("orphanDependents") {
		given.OrphanDependents = new(request.On(q, "orphanDependents"))
	}
	given.PropagationPolicy, given.DryRun = q.Get("propagationPolicy"), q["dryRun"]
	return given.check()
}

// DeleteOptions is the body of a DELETE. Its name is part of the texts of errors.
//
// Upstream: staging/src/k8s.io/apimachinery/pkg/apis/meta/v1/types.go DeleteOptions
type DeleteOptions struct {
	GracePeriodSeconds *int64   `json:"gracePeriodSeconds"`
	OrphanDependents   *bool    `json:"orphanDependents"`
	PropagationPolicy  string   `json:"propagationPolicy"`
	DryRun             []string `json:"dryRun"`
	Preconditions      struct {
		UID             string `json:"uid"`
		ResourceVersion string `json:"resourceVersion"`
	} `json:"preconditions"`
}

func readDeleteOptions(format negotiation.Format, body []byte, into *DeleteOptions) error {
	data, _, err := toJSON(format, body)
	if err != nil {
		return err
	}
	apiVersion, kind, err := typeOf(data)
	if err != nil {
		return err
	}
	// Every group has a DeleteOptions of its own; they are all the same.
	if kind != "" && kind != "DeleteOptions" {
		return notRegistered(cmp.Or(apiVersion, "v1"), kind)
	}
	return json.Unmarshal(data, into)
}

// check turns what the client gave into what the registry works with.
//
// Upstream: staging/src/k8s.io/apimachinery/pkg/apis/meta/v1/validation/validation.go ValidateDeleteOptions
func (d *DeleteOptions) check() (rest.DeleteOptions, error) {
	opts := rest.DeleteOptions{
		GracePeriodSeconds: d.GracePeriodSeconds, PropagationPolicy: d.PropagationPolicy,
		UID: d.Preconditions.UID, ResourceVersion: d.Preconditions.ResourceVersion,
	}
	var errs field.Errors
	if o := d.OrphanDependents; o != nil {
		if d.PropagationPolicy != "" {
			errs = append(errs, field.Invalid("propagationPolicy", d.PropagationPolicy, "orphanDependents and deletionPropagation cannot be both set"))
		}
		opts.PropagationPolicy = map[bool]string{true: "Orphan", false: "Background"}[*o]
	}
	switch d.PropagationPolicy {
	case "", "Background", "Foreground", "Orphan":
	default:
		errs = append(errs, field.NotSupported("propagationPolicy", d.PropagationPolicy, "Foreground", "Background", "Orphan", "nil"))
	}
	dry, wrong := dryRun(d.DryRun)
	if errs = append(errs, wrong...); len(errs) > 0 {
		return opts, status.Invalid("meta.k8s.io", "DeleteOptions", "", errs)
	}
	opts.DryRun = dry
	if g := opts.GracePeriodSeconds; g != nil && *g < 0 {
		opts.GracePeriodSeconds = new(int64(1)) // as today: "delete right now" was once written as -1
	}
	return opts, nil
}
