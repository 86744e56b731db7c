package bboltkv

import (
	"encoding/binary"
	"errors"
	"time"
)

// A record is one write as the log keeps it. On disk it is, in this order:
// one byte of flags, the revision that the key had before (8 bytes), when it
// expires (8 bytes of Unix seconds, 0 for never), the length of the key (4
// bytes), the key, the value. All numbers are big-endian.
type record struct {
	deleted bool
	prev    int64 // revision of the key's write before this one; 0 where it did not exist
	expires int64
	key     string
	value   []byte
}

const (
	recordHead  = 1 + 8 + 8 + 4
	flagDeleted = 1
)

func (r record) encode() []byte {
	b := make([]byte, recordHead, recordHead+len(r.key)+len(r.value))
	if r.deleted {
		b[0] = flagDeleted
	}
	binary.BigEndian.PutUint64(b[1:], uint64(r.prev))
	binary.BigEndian.PutUint64(b[9:], uint64(r.expires))
	binary.BigEndian.PutUint32(b[17:], uint32(len(r.key)))
	return append(append(b, r.key...), r.value...)
}

var errDamaged = errors.New("the file is damaged: a record cannot be read")

// decodeRecord copies what it returns: bbolt's bytes die with the transaction.
func decodeRecord(b []byte) (record, error) {
	if len(b) < recordHead {
		return record{}, errDamaged
	}
	n := int(binary.BigEndian.Uint32(b[17:]))
	if len(b) < recordHead+n {
		return record{}, errDamaged
	}
	return record{
		deleted: b[0]&flagDeleted != 0,
		prev:    int64(binary.BigEndian.Uint64(b[1:])),
		expires: int64(binary.BigEndian.Uint64(b[9:])),
		key:     string(b[recordHead : recordHead+n]),
		value:   append([]byte(nil), b[recordHead+n:]...),
	}, nil
}

func revisionKey(rev int64) []byte {
	return binary.BigEndian.AppendUint64(nil, uint64(rev))
}

func revisionOf(key []byte) int64 { return int64(binary.BigEndian.Uint64(key)) }

// indexKey orders the index by key, then by revision. The zero byte between
// them keeps "dev" and "dev-2" apart.
func indexKey(key string, rev int64) []byte {
	b := make([]byte, 0, len(key)+9)
	b = append(append(b, key...), 0)
	return binary.BigEndian.AppendUint64(b, uint64(rev))
}

// splitIndexKey is the opposite of indexKey.
func splitIndexKey(b []byte) (key string, rev int64, err error) {
	if len(b) < 10 {
		return "", 0, errDamaged
	}
	return string(b[:len(b)-9]), revisionOf(b[len(b)-8:]), nil
}

func expiry(now time.Time, ttl time.Duration) int64 {
	if ttl <= 0 {
		return 0
	}
	return now.Add(ttl).Unix()
}
