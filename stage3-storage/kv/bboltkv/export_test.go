package bboltkv

import "go.etcd.io/bbolt"

// File is the open file, to hurt it.
func (s *Store) File() *bbolt.DB { return s.db }
