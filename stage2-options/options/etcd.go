package options

import (
	"time"

	"github.com/spf13/pflag"
)

// EtcdOptions say where objects are kept. The name is from when there was
// nothing but etcd.
//
// Upstream: staging/src/k8s.io/apiserver/pkg/server/options/etcd.go EtcdOptions
type EtcdOptions struct {
	StorageBackend string // bbolt
	BBoltFile      string
	Prefix         string // of every key
	HistoryAge     time.Duration
	HistoryBytes   int64

	ServerList               []string
	EnableWatchCache         bool
	DeleteCollectionWorkers  int
	EnableGarbageCollection  bool
	DeserializationCacheSize int // 0 until DefaultOptions
}

// NewEtcdOptions returns the defaults.
//
// Upstream: staging/src/k8s.io/apiserver/pkg/server/options/etcd.go NewEtcdOptions
func NewEtcdOptions() *EtcdOptions {
	return &EtcdOptions{
		StorageBackend:          "bbolt",
		BBoltFile:               "state.db",
		Prefix:                  "/registry",
		HistoryAge:              5 * time.Minute,
		HistoryBytes:            64 << 20,
		EnableWatchCache:        true,
		DeleteCollectionWorkers: 1,
		EnableGarbageCollection: true,
	}
}

// AddFlags binds the group's fields.
func (o *EtcdOptions) AddFlags(fs *pflag.FlagSet) {
	fs.StringVar(&o.StorageBackend, "storage-backend", o.StorageBackend, "`engine` that keeps the objects: bbolt")
	fs.StringVar(&o.BBoltFile, "bbolt-file", o.BBoltFile, "`file` in which bbolt keeps them; made if it does not exist")
	fs.StringVar(&o.Prefix, "etcd-prefix", o.Prefix, "`path` that every key begins with")
	fs.DurationVar(&o.HistoryAge, "history-age", o.HistoryAge, "how long a watch can come back to where it was")
	fs.Int64Var(&o.HistoryBytes, "history-bytes", o.HistoryBytes, "how many `bytes` of history to keep for that at most")

	fs.StringSliceVar(&o.ServerList, "etcd-servers", o.ServerList, "`URLs` of the etcd servers, for another engine than bbolt")
	fs.BoolVar(&o.EnableWatchCache, "watch-cache", o.EnableWatchCache, "answer reads from memory")
	fs.IntVar(&o.DeleteCollectionWorkers, "delete-collection-workers", o.DeleteCollectionWorkers, "how many objects of a collection are deleted at a time")
	fs.BoolVar(&o.EnableGarbageCollection, "enable-garbage-collector", o.EnableGarbageCollection, "delete objects whose owners are gone; see --controllers")
	fs.IntVar(&o.DeserializationCacheSize, "deserialization-cache-size", o.DeserializationCacheSize, "how many decoded objects 1.7 remembers with etcd2; 0 for a size from --target-ram-mb")
	HasNoEffect(fs, "etcd-servers", "watch-cache", "delete-collection-workers", "enable-garbage-collector", "deserialization-cache-size")
}
