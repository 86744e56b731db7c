package bboltkv

import "go.etcd.io/bbolt"

// WithoutTail makes watchers read everything from disk, as those do that are far behind.
func (s *Store) WithoutTail() *Store {
	s.tail.mu.Lock()
	defer s.tail.mu.Unlock()
	s.tail.limit = 0
	return s
}

// File is the open file, to hurt it.
func (s *Store) File() *bbolt.DB { return s.db }
