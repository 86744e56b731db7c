package patch_test

import (
	"encoding/json"
	"strings"
	"testing"

	"example.com/kube-apiserver/stage3-storage/wire/patch"
)

// node is the part of a schema that patches ask for.
type node struct {
	fields        map[string]*node
	item          *node
	key, strategy string
}

func (n *node) Field(name string) patch.Schema {
	if n == nil {
		return (*node)(nil)
	}
	return n.fields[name]
}

func (n *node) Item() patch.Schema { return n.item }

func (n *node) Merge() (key, strategy string) {
	if n == nil {
		return "", ""
	}
	return n.key, n.strategy
}

// pod has lists of every sort, as a pod has them. In a list whose items have no
// lists of their own they need no schema.
var pod = &node{fields: map[string]*node{
	"containers": {key: "name", strategy: "merge", item: &node{fields: map[string]*node{
		"env":   {key: "name", strategy: "merge"},
		"ports": {key: "containerPort", strategy: "merge"},
		"args":  {},
	}}},
	"volumes":     {key: "name", strategy: "merge,retainKeys"},
	"finalizers":  {strategy: "merge"},
	"tolerations": {},
	"strategy":    {strategy: "retainKeys"},
	"selector":    {strategy: "replace"},
}}

func TestAStrategicPatchMergesListsByKey(t *testing.T) {
	const live = `{"containers":[{"name":"app","image":"img:1","env":[{"name":"A","value":"1"},{"name":"B","value":"2"}]},{"name":"side","image":"img:2"}]}`
	for name, c := range map[string]struct{ body, want string }{
		"one item changes": {
			`{"containers":[{"name":"app","image":"img:3"}]}`,
			strings.Replace(live, "img:1", "img:3", 1)},
		"one item goes": {
			`{"containers":[{"name":"side","$patch":"delete"}]}`,
			`{"containers":[{"name":"app","image":"img:1","env":[{"name":"A","value":"1"},{"name":"B","value":"2"}]}]}`},
		"an item that is not there goes": {`{"containers":[{"name":"none","$patch":"delete"}]}`, live},
		"a field of an item of an item goes": {
			`{"containers":[{"name":"app","env":[{"name":"A","value":null}]}]}`,
			`{"containers":[{"name":"app","image":"img:1","env":[{"name":"A"},{"name":"B","value":"2"}]},{"name":"side","image":"img:2"}]}`},
		"a new item comes first": {
			`{"containers":[{"name":"new","image":"img:9"}]}`,
			`{"containers":[{"name":"new","image":"img:9"},` + strings.TrimPrefix(live, `{"containers":[`)},
		"the list is replaced": {
			`{"containers":[{"name":"solo","image":null},{"$patch":"replace"}]}`,
			`{"containers":[{"name":"solo"}]}`},
		"an item is replaced by a delete and a new one": {
			`{"containers":[{"name":"side","$patch":"delete"},{"name":"side","args":["a"]}]}`,
			`{"containers":[{"name":"side","args":["a"]},{"name":"app","image":"img:1","env":[{"name":"A","value":"1"},{"name":"B","value":"2"}]}]}`},
		"merge says what happens anyway": {
			`{"$patch":"merge","containers":[{"name":"side","$patch":"merge","image":"img:3"}]}`,
			strings.Replace(live, "img:2", "img:3", 1)},
		"null takes the list away":      {`{"containers":null}`, `{}`},
		"an empty list changes nothing": {`{"containers":[]}`, live},
	} {
		t.Run(name, func(t *testing.T) { wantTree(t, patch.Strategic, live, c.body, pod, c.want) })
	}
}

func TestAStrategicPatchOrdersLists(t *testing.T) {
	list := func(names string) string {
		return `{"containers":[{"name":"` + strings.ReplaceAll(names, " ", `"},{"name":"`) + `"}]}`
	}
	order := func(names string) string {
		return strings.Replace(list(names), "containers", "$setElementOrder/containers", 1)
	}
	both := func(patch, names string) string {
		return strings.TrimSuffix(list(patch), "}") + "," + strings.TrimPrefix(order(names), "{")
	}
	for name, c := range map[string]struct{ live, body, want string }{
		"the patch's own order":                 {"a b c d", list("c a"), "b c a d"},
		"a new item stands as in the patch":     {"a b c", list("b new"), "a b new c"},
		"the order that is asked for":           {"a b c", both("new", "c new a"), "b c new a"},
		"an order alone":                        {"a b c d", order("d b a"), "c d b a"},
		"items that only the server knows":      {"a x b y", both("b new", "b new a"), "x b new a y"},
		"an order names what is not there":      {"a b", order("z b a"), "b a"},
		"a new item in a deleted one's place":   {"a gone b", `{"containers":[{"name":"gone","$patch":"delete"},{"name":"new"}],"$setElementOrder/containers":[{"name":"new"},{"name":"b"}]}`, "a new b"},
		"a new list is in the patch's order":    {"", both("b a", "b a"), "b a"},
		"an order that contradicts is followed": {"a", both("b c", "c b"), "c b a"},
	} {
		t.Run(name, func(t *testing.T) {
			live := `{}`
			if c.live != "" {
				live = list(c.live)
			}
			wantTree(t, patch.Strategic, live, c.body, pod, list(c.want))
		})
	}
}

func TestAStrategicPatchMergesListsOfValuesAsSets(t *testing.T) {
	const live = `{"finalizers":["a","b","c"]}`
	for _, c := range []struct{ body, want string }{
		{`{"finalizers":["z","b"]}`, `{"finalizers":["z","a","b","c"]}`},
		{`{"finalizers":["z"]}`, `{"finalizers":["z","a","b","c"]}`},
		{`{"$deleteFromPrimitiveList/finalizers":["b","none"]}`, `{"finalizers":["a","c"]}`},
		{`{"$deleteFromPrimitiveList/finalizers":["a"],"finalizers":["z"],"$setElementOrder/finalizers":["c","z"]}`, `{"finalizers":["b","c","z"]}`},
		{`{"$setElementOrder/finalizers":["c","a"]}`, `{"finalizers":["b","c","a"]}`},
		{`{"$deleteFromPrimitiveList/none":["a"]}`, live},
	} {
		wantTree(t, patch.Strategic, live, c.body, pod, c.want)
	}
}

func TestValuesThatGoDoSoBeforeOthersCome(t *testing.T) {
	wantTree(t, patch.Strategic, `{"finalizers":["a","b"]}`, `{"finalizers":["a"],"$deleteFromPrimitiveList/finalizers":["a","b"]}`, pod, `{"finalizers":["a"]}`)
}

func TestRetainKeysLeavesOneSourceToAVolume(t *testing.T) {
	wantTree(t, patch.Strategic, `{"volumes":[{"name":"other"},{"name":"v","emptyDir":{}}]}`,
		`{"volumes":[{"name":"v","$retainKeys":["name","secret"],"secret":{"secretName":"s"}}]}`, pod,
		`{"volumes":[{"name":"other"},{"name":"v","secret":{"secretName":"s"}}]}`)
}

func TestAStrategicPatchReplacesWhatHasNoKey(t *testing.T) {
	const live = `{"tolerations":[{"key":"a"}],"selector":{"a":"1"},"labels":{"a":"1"},"other":[{"name":"x","v":1}]}`
	for _, c := range []struct{ body, want string }{
		{`{"tolerations":[{"key":"b","$patch":"merge"},{"$patch":"replace"},{"key":"a","$patch":"delete"}]}`, strings.Replace(live, `"key":"a"`, `"key":"b"`, 1)},
		{`{"selector":{"b":"2"}}`, strings.Replace(live, `{"a":"1"},"labels"`, `{"b":"2"},"labels"`, 1)},
		{`{"other":[{"name":"x"}]}`, strings.Replace(live, `,"v":1`, ``, 1)},
		{`{"labels":{"b":"2"}}`, strings.Replace(live, `{"a":"1"},"other"`, `{"a":"1","b":"2"},"other"`, 1)},
		{`{"labels":"text","tolerations":{"a":1}}`, `{"tolerations":{"a":1},"selector":{"a":"1"},"labels":"text","other":[{"name":"x","v":1}]}`},
	} {
		wantTree(t, patch.Strategic, live, c.body, pod, c.want)
	}
}

func TestDirectivesChangeMaps(t *testing.T) {
	const live = `{"strategy":{"type":"RollingUpdate","rollingUpdate":{"maxSurge":1}}}`
	for _, c := range []struct{ body, want string }{
		{`{"strategy":{"$retainKeys":["type"],"type":"Recreate"}}`, `{"strategy":{"type":"Recreate"}}`},
		{`{"strategy":{"$retainKeys":["type"],"rollingUpdate":null}}`, `{"strategy":{"type":"RollingUpdate"}}`},
		{`{"strategy":{"$patch":"replace","type":"Recreate","x":null}}`, `{"strategy":{"type":"Recreate"}}`},
		{`{"strategy":{"$patch":"delete"}}`, `{"strategy":{}}`},
		{`{"strategy":{"$patch":"merge","type":"X"}}`, `{"strategy":{"type":"X","rollingUpdate":{"maxSurge":1}}}`},
		{`{"labels":{"$patch":"replace","a":"1"}}`, `{"labels":{"a":"1"},` + live[1:]},
		{`{"labels":{"$patch":"delete","a":"1"}}`, live},
		{`{"$patch":"delete"}`, `{}`},
	} {
		wantTree(t, patch.Strategic, live, c.body, pod, c.want)
	}
}

func TestNoDirectiveGetsIntoTheObject(t *testing.T) {
	const item = `{"name":"n","$retainKeys":["name","env","m"],"$setElementOrder/env":[{"name":"A"}],"$deleteFromPrimitiveList/args":["a"],` +
		`"env":[{"name":"A","value":null},{"name":"B","$patch":"delete"}],"m":{"$patch":"replace","k":{"$retainKeys":[]}}}`
	const want = `{"name":"n","env":[{"name":"A"}],"m":{"k":{}}}`
	for name, c := range map[string]struct{ live, body, want string }{
		"into nothing":           {`{}`, `{"containers":[` + item + `]}`, `{"containers":[` + want + `]}`},
		"as a new item":          {`{"containers":[{"name":"a"}]}`, `{"containers":[` + item + `]}`, `{"containers":[` + want + `,{"name":"a"}]}`},
		"in a replaced list":     {`{"containers":[{"name":"a"}]}`, `{"containers":[` + item + `,{"$patch":"replace"}]}`, `{"containers":[` + want + `]}`},
		"in a list without keys": {`{"tolerations":[]}`, `{"tolerations":[` + item + `]}`, `{"tolerations":[` + want + `]}`},
		"in a replaced map":      {`{"selector":{}}`, `{"selector":` + item + `}`, `{"selector":` + want + `}`},
	} {
		t.Run(name, func(t *testing.T) { wantTree(t, patch.Strategic, c.live, c.body, pod, c.want) })
	}
}

func TestListsWithTheSameKeyTwiceAreKept(t *testing.T) {
	const ports = `{"containers":[{"name":"dns","ports":[{"containerPort":53,"protocol":"TCP"},{"containerPort":53,"protocol":"UDP"}]}]}`
	wantTree(t, patch.Strategic, `{"containers":[]}`, ports, pod, ports)
	// Upstream means the first one, too: by this key the two cannot be told apart.
	wantTree(t, patch.Strategic, ports, `{"containers":[{"name":"dns","ports":[{"containerPort":53,"hostPort":5353}]}]}`, pod,
		strings.Replace(ports, `"TCP"`, `"TCP","hostPort":5353`, 1))
}

func TestAStrategicPatchThatDoesNotFitIsInvalid(t *testing.T) {
	const live = `{"containers":[{"name":"a","env":[]}],"finalizers":["a"]}`
	const message = "map: map[$patch:delete] does not contain declared merge key: name"
	wantStatus(t, patch.Strategic, live, `{"containers":[{"$patch":"delete"}]}`, pod, 422, "Invalid", message)
	wantStatus(t, patch.Strategic, live, `{"containers":[{"image":"x"}]}`, pod, 422, "Invalid", "map: map[image:x] does not contain declared merge key: name")
	wantStatus(t, patch.Strategic, live, `{"containers":["a"]}`, pod, 422, "Invalid", "")
	wantStatus(t, patch.Strategic, live, `{"containers":[{"name":"a","env":[{"value":"1"}]}]}`, pod, 422, "Invalid", "")
}

func TestAMalformedDirectiveIsABadRequestWhereverItStands(t *testing.T) {
	for _, directive := range []string{
		`{"$patch":"frob"}`, `{"$patch":null}`, `{"$patch":{}}`, `{"$retainKeys":"a"}`,
		`{"$deleteFromPrimitiveList/a":"a"}`, `{"$setElementOrder/a":null}`,
	} {
		for _, body := range []string{`{"strategy":` + directive + `}`, `{"none":` + directive + `}`, `{"tolerations":[[` + directive + `]]}`} {
			wantStatus(t, patch.Strategic, `{"strategy":{},"tolerations":[]}`, body, pod, 400, "BadRequest", "")
		}
	}
	wantStatus(t, patch.Strategic, `{"strategy":{}}`, `{"strategy":{"$retainKeys":["a"],"b":1}}`, pod, 400, "BadRequest", "invalid patch format of $retainKeys")
}

func TestEqualItemsOfAPatchBecomeOne(t *testing.T) {
	wantTree(t, patch.Strategic, `{"containers":[]}`,
		`{"containers":[{"name":"a","image":"x"},{"name":["b"]},{"name":"a","args":["1"]},{"name":["b"]},{"name":"[\"b\"]"}]}`, pod,
		`{"containers":[{"name":"a","image":"x","args":["1"]},{"name":["b"]},{"name":"[\"b\"]"}]}`)
}

func TestAWholeNumberIsAnIntegerHoweverItIsWritten(t *testing.T) {
	wantTree(t, patch.Strategic, `{"a":1,"list":[{"n":7}],"keep":1.50}`,
		`{"a":2.0,"b":-3e2,"c":2.5,"d":9e99,"e":"2.0","f":0.0,"list":[1E1],"g":12345678901234567890}`, nil,
		`{"a":2,"b":-300,"c":2.5,"d":9e99,"e":"2.0","f":0,"list":[10],"g":12345678901234567890,"keep":1.50}`)
	for body, f := range map[string]patch.Func{`{"a":2.0}`: patch.Merge, `[{"op":"add","path":"/a","value":2.0}]`: patch.JSON} {
		if tree, err := apply(t, f, map[string]any{}, body, nil); err != nil || tree["a"] != json.Number("2.0") {
			t.Errorf("%s: only a strategic patch is read like that, and here 2.0 became %v, %v", body, tree["a"], err)
		}
	}
}
