package reviews

import (
	"context"
	"net/http"

	"example.com/kube-apiserver/stage3-storage/kinds/rules"
	"example.com/kube-apiserver/stage3-storage/object"
	"example.com/kube-apiserver/stage3-storage/object/status"
	"example.com/kube-apiserver/stage3-storage/registry"
	"example.com/kube-apiserver/stage3-storage/registry/request"
	"example.com/kube-apiserver/stage3-storage/registry/rest"
	"example.com/kube-apiserver/stage3-storage/wire/schema"
	"example.com/kube-apiserver/stage5-serve/groups"
	"example.com/kube-apiserver/stage5-serve/identity/authenticator"
)

const authentication = "authentication.k8s.io"

// Authentication is the row of the group: who is it. audiences are this
// server's: a token is for them where the question names no others.
//
// Upstream: pkg/registry/authentication/rest/storage_authentication.go RESTStorageProvider
func Authentication(tokens authenticator.Authenticator, audiences []string) groups.Group {
	return groups.Group{Name: authentication, Version: "v1", Others: func(known func(apiVersion, kind string) *schema.Schema, _ registry.RESTOptionsGetter) (map[string]rest.Storage, error) {
		make := func(name, singular, kind string, answer func(context.Context, *object.Object) error) rest.Storage {
			return review{row(authentication, name, singular, kind, false), known(authentication+"/v1", kind), answer}
		}
		return map[string]rest.Storage{
			"tokenreviews":       make("tokenreviews", "tokenreview", "TokenReview", whose(tokens, audiences)),
			"selfsubjectreviews": make("selfsubjectreviews", "selfsubjectreview", "SelfSubjectReview", whoAmI),
		}, nil
	}}
}

// whoAmI shows the user as the filters have left him.
//
// Now: pkg/registry/authentication/selfsubjectreview/rest.go Create
func whoAmI(ctx context.Context, o *object.Object) error {
	o.Meta = object.Meta{CreationTimestamp: object.Now()}
	o.Fields = map[string]any{"status": rules.Tree{"userInfo": userInfo(request.UserFrom(ctx))}}
	return nil
}

// whose says which user a token stands for, if it is good for one of the audiences.
//
// Upstream: pkg/registry/authentication/tokenreview/storage.go Create
func whose(tokens authenticator.Authenticator, own []string) func(context.Context, *object.Object) error {
	return func(ctx context.Context, o *object.Object) error {
		token := rules.Text(o.Fields, "spec", "token")
		if token == "" {
			return status.BadRequest("token is required for TokenReview in authentication")
		}
		audiences := rules.Texts(o.Fields, "spec", "audiences")
		if len(audiences) == 0 {
			audiences = own
		}
		ctx, found := authenticator.WithAudiences(ctx, audiences, own)
		req, err := http.NewRequestWithContext(ctx, http.MethodGet, "/", nil)
		if err != nil {
			return err
		}
		req.Header.Set("Authorization", "Bearer "+token) // and nothing else: no other way in counts
		user, ok, err := tokens.Authenticate(req)
		answer := rules.Tree{"user": rules.Tree{}}
		if ok && err == nil {
			answer = rules.Tree{"authenticated": true, "user": userInfo(user), "audiences": rules.ListOf(found())}
		}
		if err != nil {
			answer["error"] = err.Error()
		}
		o.Fields["status"] = answer
		return nil
	}
}

func userInfo(u request.User) rules.Tree {
	t := tree("groups", u.Groups)
	for name, text := range map[string]string{"username": u.Name, "uid": u.UID} {
		if text != "" {
			t[name] = text
		}
	}
	extra := rules.Tree{}
	for key, values := range u.Extra {
		extra[key] = rules.ListOf(values)
	}
	if len(extra) > 0 {
		t["extra"] = extra
	}
	return t
}
