package namespace

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"example.com/kube-apiserver/stage3-storage/kinds/rules"
	"example.com/kube-apiserver/stage3-storage/object"
)

// condition is one thing that may keep a namespace, and how it stands.
type condition struct {
	kind, fine, fineText string // how it is called, and what is said when it does not
	bad                  string
	text                 func(remains) string // what keeps the namespace; "" where nothing does
}

// conditions are those of upstream, in its order and its words, because people
// and tools read there why a namespace does not go.
//
// Now: pkg/controller/namespace/deletion/status_condition_utils.go conditionTypes
var conditions = []condition{
	{"NamespaceDeletionDiscoveryFailure", "ResourcesDiscovered", "All resources successfully discovered", "", never},
	{"NamespaceDeletionGroupVersionParsingFailure", "ParsedGroupVersions", "All legacy kube types successfully parsed", "", never},
	{"NamespaceDeletionContentFailure", "ContentDeleted", "All content successfully deleted, may be waiting on finalization", "ContentDeletionFailed", func(left remains) string {
		if len(left.errors) == 0 {
			return ""
		}
		return fmt.Sprintf("Failed to delete all resource types, %d remaining: %s", len(left.errors), each(left.errors, error.Error))
	}},
	{"NamespaceContentRemaining", "ContentRemoved", "All content successfully removed", "SomeResourcesRemain", func(left remains) string {
		return counted("Some resources are remaining: ", left.objects, func(resource string, n int) string {
			if !strings.Contains(resource, ".") {
				resource += "." // upstream writes the core group's empty name behind the dot
			}
			return fmt.Sprintf("%s has %d resource instances", resource, n)
		})
	}},
	{"NamespaceFinalizersRemaining", "ContentHasNoFinalizers", "All content-preserving finalizers finished", "SomeFinalizersRemain", func(left remains) string {
		return counted("Some content in the namespace has finalizers remaining: ", left.finalizers, func(finalizer string, n int) string {
			return fmt.Sprintf("%s in %d resource instances", finalizer, n)
		})
	}},
}

func never(remains) string { return "" }

func counted(head string, counts map[string]int, line func(string, int) string) string {
	if len(counts) == 0 {
		return ""
	}
	return head + each(slices.Sorted(maps.Keys(counts)), func(name string) string { return line(name, counts[name]) })
}

func each[T any](list []T, line func(T) string) string {
	lines := make([]string, len(list))
	for i, v := range list {
		lines[i] = line(v)
	}
	return strings.Join(lines, ", ")
}

// report writes into the status of the namespace what keeps it. It writes
// nothing if that is what stands there.
func (c *Controller) report(ctx context.Context, ns *object.Object, left remains) error {
	state := rules.Make(ns.Fields, "status")
	var list []any
	changed := false
	for _, is := range conditions {
		now := rules.Tree{"type": is.kind, "status": "False", "reason": is.fine, "message": is.fineText}
		if text := is.text(left); text != "" {
			now["status"], now["reason"], now["message"] = "True", is.bad, text
		}
		before := find(state, is.kind)
		now["lastTransitionTime"] = before["lastTransitionTime"]
		if !rules.Same(now, before) {
			now["lastTransitionTime"] = object.Now()
			changed = true
		}
		list = append(list, now)
	}
	if !changed {
		return nil
	}
	for _, other := range rules.Items(state, "conditions") {
		if !slices.ContainsFunc(conditions, func(is condition) bool { return is.kind == rules.Text(other, "type") }) {
			list = append(list, other)
		}
	}
	state["conditions"] = list
	_, err := c.client.Update(ctx, namespaces, "status", ns)
	return err
}

func find(state rules.Tree, kind string) rules.Tree {
	for _, is := range rules.Items(state, "conditions") {
		if rules.Text(is, "type") == kind {
			return is
		}
	}
	return nil
}
