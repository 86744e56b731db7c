package options

import "example.com/sample/stage1-main/store"

// Options are what can be chosen.
type Options struct {
	Stores int // how many
}

// New makes the stores.
func (o Options) New() []store.Store { return make([]store.Store, o.Stores) }
