package bboltkv

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"runtime/debug"

	"example.com/kube-apiserver/stage3-storage/kv"
	"go.etcd.io/bbolt"
	bolterrors "go.etcd.io/bbolt/errors"
)

var (
	logBucket    = []byte("log")    // revision → record
	indexBucket  = []byte("index")  // key, 0, revision → flags of the record
	expiryBucket = []byte("expiry") // time, revision → nothing
	metaBucket   = []byte("meta")
	buckets      = [][]byte{logBucket, indexBucket, expiryBucket, metaBucket}

	formatKey    = []byte("format")
	compactedKey = []byte("compacted") // the revision from before which nobody may read
	scannedKey   = []byte("scanned")   // the revision up to which compaction has come
	format       = []byte("kube-apiserver stages 1")

	errForeign = errors.New("not a file of this server")
)

// openFile opens or creates the file. One that is there already is looked at
// first, for reading only: bbolt writes to some files as soon as it opens them.
func openFile(o Options) (*bbolt.DB, error) {
	if info, err := os.Stat(o.Path); err == nil && info.Size() > 0 {
		db, err := openBolt(o, true)
		if err != nil {
			return nil, err
		}
		err = guard(func() error { return db.View(look) })
		if err = errors.Join(err, db.Close()); err != nil {
			return nil, fmt.Errorf("open %s: %w; it was left as it is", o.Path, err)
		}
	}
	return openBolt(o, false)
}

func openBolt(o Options, readOnly bool) (db *bbolt.DB, err error) {
	err = guard(func() (err error) {
		// The free pages are counted anew at each start, which takes
		// milliseconds, and so need not be part of each commit.
		db, err = bbolt.Open(o.Path, 0o600, &bbolt.Options{Timeout: o.LockTimeout, ReadOnly: readOnly,
			NoFreelistSync: true, FreelistType: bbolt.FreelistMapType})
		return err
	})
	var ofSystem *fs.PathError // permission denied, no space, …: it names the path itself
	switch {
	case err == nil, errors.As(err, &ofSystem):
		return db, err
	case errors.Is(err, bolterrors.ErrTimeout):
		return nil, fmt.Errorf("open %s: in use by another process", o.Path)
	}
	return nil, fmt.Errorf("open %s: %w, or damaged (%v); it was left as it is", o.Path, errForeign, err)
}

// guard makes errors of bbolt's panics over damaged pages and of faults in its
// memory map, which happen where a file is shorter than it says.
func guard(f func() error) (err error) {
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("%w (%v)", errDamaged, p)
		}
	}()
	return f()
}

// look walks through all pages with keys: a damaged one is found before
// anything is written.
func look(tx *bbolt.Tx) error {
	if info, err := os.Stat(tx.DB().Path()); err != nil || info.Size() < tx.Size() {
		return errors.Join(err, fmt.Errorf("%w: it has been cut off", errDamaged))
	}
	if first, _ := tx.Cursor().First(); first == nil {
		return nil // made, but its process ended before it wrote anything
	}
	if meta := tx.Bucket(metaBucket); meta == nil || !bytes.Equal(meta.Get(formatKey), format) {
		return errForeign
	}
	for _, name := range buckets {
		b := tx.Bucket(name)
		if b == nil {
			return errDamaged
		}
		if err := b.ForEach(func(_, _ []byte) error { return nil }); err != nil {
			return err
		}
	}
	return nil
}

// load makes the buckets of a new file and reads where an old one stands.
func (s *Store) load() error {
	return s.update(func(tx *bbolt.Tx) error {
		for _, name := range buckets {
			if _, err := tx.CreateBucketIfNotExists(name); err != nil {
				return err
			}
		}
		meta := tx.Bucket(metaBucket)
		compacted := revisionOf(meta.Get(compactedKey))
		s.compacted.Store(compacted)
		// An empty store is at revision 1, as etcd's. The newest record may be
		// a deletion that was forgotten: its revision is not given out again.
		s.revision.Store(max(1, compacted, lastRevision(tx)))
		return meta.Put(formatKey, format)
	})
}

func lastRevision(tx *bbolt.Tx) int64 {
	last, _ := tx.Bucket(logBucket).Cursor().Last()
	return revisionOf(last)
}

func (s *Store) update(f func(*bbolt.Tx) error) error {
	return s.explain(guard(func() error { return s.db.Update(f) }))
}

func (s *Store) view(f func(*bbolt.Tx) error) error {
	return s.explain(guard(func() error { return s.db.View(f) }))
}

func (s *Store) explain(err error) error {
	switch {
	case errors.Is(err, bolterrors.ErrDatabaseNotOpen):
		return kv.ErrClosed
	case errors.Is(err, errDamaged):
		return fmt.Errorf("%s: %w", s.options.Path, err)
	}
	return err
}
