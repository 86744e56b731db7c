package flag_test

import (
	goflag "flag"
	"testing"

	"example.com/kube-apiserver/stage1-main/process/flag"
	"github.com/spf13/pflag"
)

func parse(t *testing.T, args ...string) (port int, list []string, err error) {
	t.Helper()
	fs := pflag.NewFlagSet("test", pflag.ContinueOnError)
	fs.IntVar(&port, "secure-port", 6443, "")
	fs.StringSliceVar(&list, "etcd_servers", nil, "") // registered with _, found with -
	fs.String("service-cluster-ip-range", "", "")
	err = flag.Parse(fs, args)
	return port, list, err
}

func TestErratumE1(t *testing.T) {
	t.Log("std flag compares names letter by letter; pflag is a program of its own, and asks a function how to write a name before it compares")
	_, list, err := parse(t, "--etcd-servers=a_1,b", "--etcd_servers=c")
	if err != nil {
		t.Fatalf("--etcd_servers and --etcd-servers name the same flag, got %v", err)
	}
	if len(list) != 3 || list[0] != "a_1" {
		t.Errorf("both spellings add to one list, and values are left alone: got %v, want [a_1 b c]", list)
	}
	if _, _, err := parse(t, "--service_cluster_ip-range=10.0.0.0/24"); err != nil {
		t.Errorf("every _ of a name is a -, not only the first: got %v", err)
	}
}

func TestUnknownFlagNamesTheNearestKnown(t *testing.T) {
	_, _, err := parse(t, "--secure-prot=1")
	if want := "unknown flag: --secure-prot: did you mean --secure-port?"; err == nil || err.Error() != want {
		t.Errorf("got %v, want %q", err, want)
	}
	_, _, err = parse(t, "--quite-different=1")
	if want := "unknown flag: --quite-different (try --help)"; err == nil || err.Error() != want {
		t.Errorf("nothing is near: got %v, want %q", err, want)
	}
}

func TestStrayWordsAreRefused(t *testing.T) {
	if _, _, err := parse(t, "--secure-port=1", "raw"); err == nil {
		t.Error("the word raw belongs to no flag and must be refused, 1.7 ignores it")
	}
}

var (
	level = goflag.Int("x", 0, "")
	_     = goflag.Int("secure_port", 443, "") // the name is taken
)

func TestFlagsOfGosOwnPackageAreTakenOver(t *testing.T) {
	for _, args := range [][]string{{"-x", "4"}, {"-x=4"}, {"--x=4"}, {"-x4"}, {"--x", "4"}} {
		*level = 0
		if port, _, err := parse(t, args...); err != nil || *level != 4 || port != 6443 {
			t.Errorf("%q: x is %d and the port %d, %v; want 4 and 6443", args, *level, port, err)
		}
	}
}

func TestAPasswordInAURLIsNotShown(t *testing.T) {
	fs := pflag.NewFlagSet("test", pflag.ContinueOnError)
	fs.StringSlice("etcd-servers", nil, "")
	if err := fs.Parse([]string{"--etcd-servers=http://root:secret@a:1,http://b:1"}); err != nil {
		t.Fatal(err)
	}
	if got, want := flag.Shown(fs.Lookup("etcd-servers")), "http://(not shown)@a:1,http://b:1"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

func FuzzParse(f *testing.F) {
	for _, s := range []string{"--secure-port=1", "--secure_prot=1", "-x4", "--", "-", "---x", "--=", "--secure-port", "word", "--\x00", "--sécure-port=1"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, arg string) {
		port, _, err := parse(t, arg)
		if err != nil && (port != 6443 || err.Error() == "") {
			t.Fatalf("%q: a refused command line has set the port to %d, and says %q", arg, port, err)
		}
	})
}
