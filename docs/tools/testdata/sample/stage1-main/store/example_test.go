package store_test

import (
	"fmt"

	"example.com/sample/stage1-main/store"
)

// A key is written, then written again.
func Example() {
	var s store.Store
	v, _ := s.Update("a", "x", 0)
	v, _ = s.Update("a", "y", v)
	fmt.Println(s.Keys(), v)
	// Output:
	// [a] 2
}
