package options

import (
	"time"

	"github.com/spf13/pflag"
)

// EtcdOptions say where objects are kept. The name is from when that could
// only be etcd.
//
// Upstream: staging/src/k8s.io/apiserver/pkg/server/options/etcd.go EtcdOptions
type EtcdOptions struct {
	StorageBackend string // bbolt
	BBoltFile      string
	Prefix         string // of every key
	HistoryAge     time.Duration
	HistoryBytes   int64

	DeleteCollectionWorkers int

	ServerList               []string
	EnableWatchCache         bool
	EnableGarbageCollection  bool
	DeserializationCacheSize int // 0 until DefaultOptions
}

// NewEtcdOptions returns the defaults.
//
// Differs: 16 workers delete a collection, in 1.7 one: deletions that are under
// way together share a commit.
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
		DeleteCollectionWorkers: 16,
		EnableGarbageCollection: true,
	}
}

// AddFlags binds the group's fields.
func (o *EtcdOptions) AddFlags(fs *pflag.FlagSet) {
	fs.StringVar(&o.StorageBackend, "storage-backend", o.StorageBackend, "`engine` that keeps the objects: bbolt")
	fs.StringVar(&o.BBoltFile, "bbolt-file", o.BBoltFile, "`file` in which bbolt keeps them; made if it is not there")
	fs.StringVar(&o.Prefix, "etcd-prefix", o.Prefix, "`path` that every key begins with")
	fs.DurationVar(&o.HistoryAge, "history-age", o.HistoryAge, "how long a watch that broke off can go on where it was")
	fs.Int64Var(&o.HistoryBytes, "history-bytes", o.HistoryBytes, "how many `bytes` of history to keep for that at most")
	fs.IntVar(&o.DeleteCollectionWorkers, "delete-collection-workers", o.DeleteCollectionWorkers, "how many objects of a collection are deleted at a time; 1 keeps the order of their names")
}

// Validate returns everything that is wrong with the group.
//
// Upstream: staging/src/k8s.io/apiserver/pkg/server/options/etcd.go Validate
func (o *EtcdOptions) Validate() []error {
	b := o.StorageBackend
	return check(
		rule{b == "etcd3", "storage-backend", b, "this engine is not built yet; use bbolt"},
		rule{b != "etcd3" && b != "bbolt", "storage-backend", b, "no such engine; use bbolt"},
		rule{b == "bbolt" && o.BBoltFile == "", "bbolt-file", o.BBoltFile, "no file; give one such as state.db"},
		rule{o.HistoryAge <= 0, "history-age", o.HistoryAge, "no watch could ever go on; give a duration such as 5m"},
		rule{o.HistoryBytes <= 0, "history-bytes", o.HistoryBytes, "no watch could ever go on; give a number such as 67108864"},
		rule{o.DeleteCollectionWorkers < 1, "delete-collection-workers", o.DeleteCollectionWorkers, "nobody would delete; give 1 or more"},
	)
}
