package patch

import (
	"encoding/json"
	"slices"
)

// mergeList merges the items of a list by their key. Where several live items
// have the same one, as the ports of a service may, the first is meant.
//
// Upstream: staging/src/k8s.io/apimachinery/pkg/util/strategicpatch/patch.go mergeSlice
func mergeList(live, patch, order []any, key string, item Schema) ([]any, error) {
	remaining, patch, err := applyDirectives(live, patch, key)
	if err != nil {
		return nil, err
	}
	out, at := slices.Clone(remaining), indexOf(remaining, key)
	for _, e := range patch {
		i := at.find(e)
		if i < 0 {
			at.add(e, len(out))
			out = append(out, fresh(e))
		} else if key != "" {
			if out[i], err = mergeMap(out[i].(map[string]any), e.(map[string]any), item); err != nil {
				return nil, err
			}
		}
	}
	if order == nil {
		return inOrder(out, remaining, patch, key), nil
	}
	// Upstream puts new items into the places of deleted ones, at the end.
	return inOrder(out, out[:min(len(out), len(live))], order, key), nil
}

// applyDirectives does what some items of a patch say of the list, before
// anything is merged: {$patch: delete} takes away the live items of its key,
// {$patch: replace} all of them. The other items are returned as rest.
func applyDirectives(live, patch []any, key string) (remaining, rest []any, err error) {
	gone, replaced := indexOf(nil, key), false
	for _, e := range patch {
		m, _ := e.(map[string]any)
		_, hasKey := gone.id(e)
		switch d := m[directive]; {
		case d == "replace":
			replaced = true
		case !hasKey:
			return nil, nil, invalid("map: %v does not contain declared merge key: %s", e, key)
		case d == "delete":
			gone.add(e, 0)
		default:
			rest = append(rest, e)
		}
	}
	if replaced {
		return fresh(rest).([]any), nil, nil
	}
	return without(live, gone), rest, nil
}

// inOrder brings the items that order names into its order. The others keep
// theirs, and each goes in front of the first named item that stood behind it
// in the live list. So an item that is new comes before those that only the
// server knows.
func inOrder(list, live, order []any, key string) []any {
	wanted, before := indexOf(order, key), indexOf(live, key)
	named := slices.DeleteFunc(slices.Clone(list), func(e any) bool { return !wanted.has(e) })
	slices.SortStableFunc(named, func(a, b any) int { return wanted.find(a) - wanted.find(b) })
	out := make([]any, 0, len(list))
	for _, other := range without(list, wanted) {
		i := before.find(other)
		for len(named) > 0 && (i < 0 || i >= before.find(named[0])) {
			out, named = append(out, named[0]), named[1:]
		}
		out = append(out, other)
	}
	return append(out, named...)
}

func without(list []any, gone index) []any {
	return slices.DeleteFunc(slices.Clone(list), gone.has)
}

// index tells where the items of a list stand: of several that are the same,
// the first. Two items are the same if the values of their keys are, or they
// themselves in a list without a key.
type index struct {
	key string
	at  map[any]int
}

func indexOf(list []any, key string) index {
	x := index{key, make(map[any]int, len(list))}
	for i, e := range list {
		x.add(e, i)
	}
	return x
}

func (x index) add(e any, i int) {
	if id, ok := x.id(e); ok && !x.has(e) {
		x.at[id] = i
	}
}

// find is -1 for an item that the list does not have.
func (x index) find(e any) int {
	id, ok := x.id(e)
	if i, there := x.at[id]; ok && there {
		return i
	}
	return -1
}

func (x index) has(e any) bool { return x.find(e) >= 0 }

func (x index) id(e any) (id any, ok bool) {
	if x.key != "" {
		m, _ := e.(map[string]any)
		if e, ok = m[x.key]; !ok {
			return nil, false
		}
	}
	switch e.(type) {
	case map[string]any, []any: // Go cannot compare them
		text, err := json.Marshal(e)
		return [1]string{string(text)}, err == nil // unlike a string with these letters
	}
	return e, true
}
