package reviews

import (
	"context"
	"fmt"
	"time"

	"example.com/kube-apiserver/stage3-storage/admission"
	"example.com/kube-apiserver/stage3-storage/kinds/rules"
	"example.com/kube-apiserver/stage3-storage/object"
	"example.com/kube-apiserver/stage3-storage/object/field"
	"example.com/kube-apiserver/stage3-storage/object/status"
	"example.com/kube-apiserver/stage3-storage/registry"
	"example.com/kube-apiserver/stage3-storage/registry/catalog"
	"example.com/kube-apiserver/stage3-storage/registry/request"
	"example.com/kube-apiserver/stage3-storage/registry/rest"
	"example.com/kube-apiserver/stage5-serve/identity/serviceaccount"
)

// TokenRequest is the path serviceaccounts/NAME/token: POST issues a token of
// the account. Nothing is kept of it.
//
// Now: pkg/registry/core/serviceaccount/storage/token.go TokenREST
type TokenRequest struct {
	Accounts *registry.Store
	Schema   registry.Schema // of a TokenRequest
	Tokens   *serviceaccount.Tokens
}

// Kind is part of rest.Storage.
func (r TokenRequest) Kind() (apiVersion, kind string) { return authentication + "/v1", "TokenRequest" }

// Resource is part of rest.Storage.
func (r TokenRequest) Resource() catalog.Resource { return r.Accounts.Resource() }

// Create is part of rest.Creater. Admission plugins are asked as about any
// object: NodeRestriction lets a node have tokens of its own pods only.
func (r TokenRequest) Create(ctx context.Context, key rest.Key, w rest.Write) (*object.Encoded, error) {
	apiVersion, kind := r.Kind()
	o, err := registry.Decode(ctx, w, nil, r.Schema, apiVersion, kind)
	if err != nil {
		return nil, err
	}
	if o.Meta.Namespace == "" {
		o.Meta.Namespace = key.Namespace
	}
	if o.Meta.Namespace != key.Namespace {
		return nil, status.BadRequest("the namespace of the provided object does not match the namespace sent on the request")
	}
	attrs := &admission.Attributes{
		Operation: rest.Create, Resource: r.Resource(), Subresource: "token", Kind: kind, Key: key, Object: o, User: request.UserFrom(ctx), DryRun: w.DryRun,
	}
	if err := r.Accounts.Admission.Admit(ctx, attrs); err != nil {
		return nil, err
	}
	if o.Meta.Name != "" && o.Meta.Name != key.Name {
		return nil, status.Invalid(authentication, kind, key.Name, field.Errors{field.Invalid("metadata.name", o.Meta.Name, "must match the service account name if specified")})
	}
	item, err := r.Accounts.Get(ctx, key, rest.GetOptions{})
	if err != nil {
		return nil, err
	}
	account, err := item.Object()
	if err != nil {
		return nil, err
	}
	if err := r.fill(o, account); err != nil {
		return nil, err
	}
	if err := r.Accounts.Admission.Validate(ctx, attrs); err != nil {
		return nil, err
	}
	return r.issue(ctx, o, account)
}

// shorten gives less time than the client asks for where there is a limit, and says so.
func (r TokenRequest) shorten(ctx context.Context, o *object.Object) {
	limit, seconds := int64(r.Tokens.MaxExpiration/time.Second), rules.Int(o.Fields, "spec", "expirationSeconds")
	if limit > 0 && seconds > limit {
		request.Warn(ctx, fmt.Sprintf("requested expiration of %d seconds shortened to %d seconds", seconds, limit))
		rules.Make(o.Fields, "spec")["expirationSeconds"] = rules.Number(limit)
	}
}

// fill puts in what the client left out and refuses what nobody gets.
//
// Now: pkg/apis/authentication/validation/validation.go ValidateTokenRequest
func (r TokenRequest) fill(o, account *object.Object) error {
	if uid := o.Meta.UID; uid != "" && uid != account.Meta.UID {
		return status.Conflict(status.Resource{Group: authentication, Name: "TokenRequest"}, account.Meta.Name,
			fmt.Sprintf("the UID in the token request (%s) does not match the UID of the service account (%s)", uid, account.Meta.UID))
	}
	spec := rules.Make(o.Fields, "spec")
	if len(rules.List(spec, "audiences")) == 0 {
		spec["audiences"] = rules.ListOf(r.Tokens.Audiences)
	}
	rules.Fill(spec, "expirationSeconds", rules.Number(3600))
	seconds := rules.Int(spec, "expirationSeconds")
	var errs field.Errors
	if seconds < 600 {
		errs = append(errs, field.Invalid("spec.expirationSeconds", seconds, "may not specify a duration less than 10 minutes"))
	}
	if seconds > 1<<32 {
		errs = append(errs, field.Invalid("spec.expirationSeconds", seconds, "may not specify a duration larger than 2^32 seconds"))
	}
	if len(errs) > 0 {
		return status.Invalid(authentication, "TokenRequest", "", errs)
	}
	o.Meta = object.Meta{
		Name: account.Meta.Name, Namespace: account.Meta.Namespace, UID: account.Meta.UID,
		CreationTimestamp: object.Now(), Labels: o.Meta.Labels, Annotations: o.Meta.Annotations,
	}
	return nil
}

func (r TokenRequest) issue(ctx context.Context, o, account *object.Object) (*object.Encoded, error) {
	bound, err := r.bound(ctx, o, account)
	if err != nil {
		return nil, err
	}
	r.shorten(ctx, o)
	now := time.Now()
	lifetime := time.Duration(rules.Int(o.Fields, "spec", "expirationSeconds")) * time.Second
	token, err := r.Tokens.Issue(account, rules.Texts(o.Fields, "spec", "audiences"), bound, now, lifetime)
	if err != nil {
		return nil, status.Internal(fmt.Errorf("failed to generate token: %w", err))
	}
	o.Fields["status"] = rules.Tree{"token": token, "expirationTimestamp": now.Add(lifetime).UTC().Format(time.RFC3339)}
	return object.Unstored(o), nil
}

// bound finds the object that the token is to live as long as.
func (r TokenRequest) bound(ctx context.Context, o, account *object.Object) (b serviceaccount.Bound, err error) {
	ref := rules.Map(o.Fields, "spec", "boundObjectRef")
	if ref == nil {
		return b, nil
	}
	kind, name, namespace := rules.Text(ref, "kind"), rules.Text(ref, "name"), account.Meta.Namespace
	resource := map[string]string{"Pod": "pods", "Secret": "secrets", "Node": "nodes"}[kind]
	if apiVersion := rules.Text(ref, "apiVersion"); resource == "" || apiVersion != "v1" {
		return b, status.BadRequest("cannot bind token to object of type %s, Kind=%s", apiVersion, kind)
	}
	if kind == "Node" {
		namespace = ""
	}
	to, err := r.Tokens.Lookup(ctx, resource, namespace, name)
	if err != nil {
		return b, err
	}
	if uid := rules.Text(ref, "uid"); uid != "" && uid != to.Meta.UID {
		return b, status.Conflict(status.Resource{Name: kind}, name,
			fmt.Sprintf("the UID in the bound object reference (%s) does not match the UID in record. The object might have been deleted and then recreated", to.Meta.UID))
	}
	found := &serviceaccount.Ref{Name: to.Meta.Name, UID: to.Meta.UID}
	switch kind {
	case "Secret":
		b.Secret = found
	case "Node":
		b.Node = found
	case "Pod":
		b.Pod = found
		if rules.Text(to.Fields, "spec", "serviceAccountName") != account.Meta.Name {
			return b, status.BadRequest("cannot bind token for serviceaccount %q to pod running with different serviceaccount name.", account.Meta.Name)
		}
		if node := rules.Text(to.Fields, "spec", "nodeName"); node != "" {
			b.Node = &serviceaccount.Ref{Name: node} // its UID, where it is registered
			if n, err := r.Tokens.Lookup(ctx, "nodes", "", node); err == nil {
				b.Node.UID = n.Meta.UID
			}
		}
	}
	return b, nil
}
