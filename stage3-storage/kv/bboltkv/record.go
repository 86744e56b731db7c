package bboltkv

import (
	"encoding/binary"
	"errors"
	"time"
)

var errDamaged = errors.New("the file is damaged")

// A record is one write as the log keeps it. On disk it is, in this order:
//
//	1 byte   flags: 1 is a deletion
//	8 bytes  revision of the value that the write replaced; 0 where there was none
//	8 bytes  when the key expires, in Unix milliseconds; 0 is never
//	4 bytes  length of the key
//	         the key, then the value up to the end
//
// All numbers are big-endian.
type record struct {
	deleted bool
	prev    int64
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

// decodeRecord copies what it returns: bbolt's bytes die with the transaction.
func decodeRecord(b []byte) (record, error) {
	if len(b) < recordHead {
		return record{}, errDamaged
	}
	rest := b[recordHead:]
	n := int(binary.BigEndian.Uint32(b[17:]))
	if len(rest) < n {
		return record{}, errDamaged
	}
	return record{
		deleted: b[0]&flagDeleted != 0,
		prev:    revisionOf(b[1:]),
		expires: revisionOf(b[9:]),
		key:     string(rest[:n]),
		value:   append([]byte(nil), rest[n:]...),
	}, nil
}

// expiry is the time for a record that is written now.
func expiry(ttl time.Duration) int64 {
	if ttl <= 0 {
		return 0
	}
	return time.Now().Add(ttl).UnixMilli()
}

func revisionKey(rev int64) []byte { return binary.BigEndian.AppendUint64(nil, uint64(rev)) }

// revisionOf is the opposite; what is too short for a revision is 0.
func revisionOf(b []byte) int64 {
	if len(b) < 8 {
		return 0
	}
	return int64(binary.BigEndian.Uint64(b))
}

// indexKey orders the index by key, then by revision. The zero byte between
// them, which no key has, keeps dev, dev-2 and dev/x in the order of their bytes.
func indexKey(key string, rev int64) []byte {
	b := make([]byte, 0, len(key)+9)
	b = append(append(b, key...), 0)
	return binary.BigEndian.AppendUint64(b, uint64(rev))
}

func splitIndexKey(b []byte) (key string, rev int64, err error) {
	n := len(b) - 9
	if n < 0 || b[n] != 0 {
		return "", 0, errDamaged
	}
	return string(b[:n]), revisionOf(b[n+1:]), nil
}

// expiryKey orders the bucket of expiry times by time.
func expiryKey(expires, rev int64) []byte {
	return binary.BigEndian.AppendUint64(revisionKey(expires), uint64(rev))
}
