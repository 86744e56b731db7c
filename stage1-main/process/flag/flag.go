package flag

import (
	goflag "flag"
	"fmt"
	"os"
	"regexp"
	"strings"

	"github.com/spf13/pflag"
)

// WordSepNormalizeFunc lets a flag be written with _ or -: both name the same
// flag. Values are left alone.
//
// Upstream: staging/src/k8s.io/apiserver/pkg/util/flag/flags.go WordSepNormalizeFunc
func WordSepNormalizeFunc(_ *pflag.FlagSet, name string) pflag.NormalizedName {
	return pflag.NormalizedName(strings.ReplaceAll(name, "_", "-"))
}

// InitFlags parses the command line into the flags of pflag.CommandLine, and
// through their pointers into whatever they were bound to. A command line that
// cannot be understood ends the process with code 2; --help with code 0.
//
// Upstream: staging/src/k8s.io/apiserver/pkg/util/flag/flags.go InitFlags
func InitFlags() {
	switch err := Parse(pflag.CommandLine, os.Args[1:]); err {
	case nil:
		PrintFlags(pflag.CommandLine)
	case pflag.ErrHelp:
		os.Exit(0)
	default:
		fmt.Fprintf(os.Stderr, "%v\n", err)
		os.Exit(2)
	}
}

// Parse is InitFlags for any set of flags and without an end of the process.
func Parse(fs *pflag.FlagSet, args []string) error {
	fs.SetNormalizeFunc(WordSepNormalizeFunc)
	fs.AddGoFlagSet(goflag.CommandLine)
	fs.SortFlags = true
	if fs.Usage == nil {
		fs.Usage = func() { fmt.Fprintf(os.Stdout, "Usage of %s:\n%s", os.Args[0], fs.FlagUsagesWrapped(110)) }
	}
	if fs == pflag.CommandLine {
		pflag.Usage = fs.Usage // for this one set, pflag looks only here
	}
	fs.Init(fs.Name(), pflag.ContinueOnError)
	if err := fs.Parse(args); err != nil {
		return suggest(fs, err)
	}
	if words := fs.Args(); len(words) > 0 {
		return fmt.Errorf("%q belongs to no flag: write --flag=value, and nothing else (try --help)", words)
	}
	return nil
}

var unknownFlag = regexp.MustCompile(`^unknown flag: --(\S+)`)

// suggest adds the nearest known flag to the message about an unknown one.
func suggest(fs *pflag.FlagSet, err error) error {
	m := unknownFlag.FindStringSubmatch(err.Error())
	if m == nil {
		return err
	}
	best, distance := "", len(m[1])/2+1
	fs.VisitAll(func(f *pflag.Flag) {
		if d := editDistance(m[1], f.Name); d < distance && !f.Hidden {
			best, distance = f.Name, d
		}
	})
	if best == "" {
		return fmt.Errorf("%w (try --help)", err)
	}
	return fmt.Errorf("%w: did you mean --%s?", err, best)
}

// editDistance counts the letters to insert, delete or replace.
func editDistance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			cost := diagonal
			if a[i] != b[j] {
				cost++
			}
			diagonal = row[j+1]
			row[j+1] = min(cost, row[j]+1, row[j+1]+1)
		}
	}
	return row[len(b)]
}
