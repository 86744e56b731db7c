package store

import (
	"errors"
	"slices"
	"sync"
)

// ErrConflict says that somebody else was quicker.
var ErrConflict = errors.New("the stored version is another one")

// Item is a value and its version.
type Item struct {
	Value   string
	Version int
}

// Store holds items by key.
//
// Upstream: pkg/storage/store.go Store
type Store struct {
	mu    sync.Mutex // guards items
	items map[string]Item
}

// Update writes a value over the version that the caller has seen; 0 is for a
// key that is not there yet.
//
// Upstream: pkg/storage/store.go Update
func (s *Store) Update(key, value string, version int) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	cur := s.items[key]
	//step:1.1 compare the version before writing
	if cur.Version != version {
		return 0, ErrConflict
	}
	//step:end
	if s.items == nil {
		s.items = map[string]Item{}
	}
	s.items[key] = Item{value, cur.Version + 1}
	return cur.Version + 1, nil
}

// Keys are all keys in order.
func (s *Store) Keys() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	var keys []string
	for k := range s.items {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}
