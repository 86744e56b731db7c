package requests

import (
	"context"
	"errors"
	"slices"
	"strings"

	"example.com/kube-apiserver/stage3-storage/object"
	"example.com/kube-apiserver/stage3-storage/registry/request"
	"example.com/kube-apiserver/stage3-storage/registry/rest"
)

// wish is what a client has said of the object that it wants.
type wish struct {
	tree func(live *object.Encoded) (map[string]any, error)
	// unfit words the answer where the tree is no object of the kind: a body is
	// to blame in other words than a patch. nil: why is the answer.
	unfit      func(live *object.Encoded, why error) error
	validation string                    // Ignore, Warn or Strict: what to do about complaints
	complaints []string                  // about the body, such as a field that stands in it twice
	inOrder    func(complaints []string) // puts them into the order of the body; may be nil
}

// Wanted is a rest.Write's, of an object that no client has worded.
func Wanted(tree func(live *object.Encoded) (map[string]any, error)) func(context.Context, *object.Encoded, rest.Schema) (*object.Object, error) {
	return wish{tree: tree, validation: "Ignore"}.wanted
}

func (w wish) wanted(ctx context.Context, live *object.Encoded, known rest.Schema) (*object.Object, error) {
	tree, err := w.tree(live)
	if err != nil {
		return nil, err
	}
	obj, err := w.object(ctx, tree, known)
	if err != nil && w.unfit != nil {
		return nil, w.unfit(live, err)
	}
	return obj, err
}

// object is made of the tree, pruned and canonical. known may be nil.
func (w wish) object(ctx context.Context, tree map[string]any, known rest.Schema) (*object.Object, error) {
	complaints := slices.Clone(w.complaints)
	if known != nil {
		unknown, err := known.Normalise(tree)
		if err != nil {
			return nil, err
		}
		complaints = append(complaints, unknown...)
	}
	if w.inOrder != nil {
		w.inOrder(complaints)
	}
	switch {
	case w.validation == "Ignore":
	case w.validation == "Strict" && len(complaints) > 0:
		return nil, errors.New("strict decoding error: " + strings.Join(complaints, ", "))
	default:
		request.Warn(ctx, complaints...)
	}
	return object.FromTree(tree)
}
