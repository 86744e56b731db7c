package object_test

import (
	"fmt"

	"example.com/kube-apiserver/stage3-storage/object"
)

// An object is a tree while somebody works on it, and bytes once it is
// finished. Equal objects are equal bytes: so a write that changes nothing is
// noticed, and a read sends what is stored without looking into it.
func Example() {
	tree, _ := object.Parse([]byte(`{"kind":"ConfigMap", "data":{"b":"1","a":"3"}, "metadata":{"name":"hello"}}`))
	obj, _ := object.FromTree(tree)
	obj.APIVersion = "v1"
	stored := obj.Encode()
	fmt.Println("stored:", string(stored))

	sent := object.NewEncoded(stored, 7)
	fmt.Println("sent:  ", string(sent.JSON()))
	fmt.Println("the same again is no write:", sent.Holds(obj.DeepCopy().Encode()))
	// Output:
	// stored: {"kind":"ConfigMap","apiVersion":"v1","metadata":{"name":"hello"},"data":{"a":"3","b":"1"}}
	// sent:   {"kind":"ConfigMap","apiVersion":"v1","metadata":{"name":"hello","resourceVersion":"7"},"data":{"a":"3","b":"1"}}
	// the same again is no write: true
}
