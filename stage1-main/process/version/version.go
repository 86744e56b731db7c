package version

import (
	"runtime"
	"runtime/debug"
)

// Info is the answer to GET /version. kubectl chooses its behaviour by Minor,
// so it is that of the Kubernetes whose wire we speak.
//
// Upstream: staging/src/k8s.io/apimachinery/pkg/version/types.go Info
type Info struct {
	Major        string `json:"major"`
	Minor        string `json:"minor"`
	GitVersion   string `json:"gitVersion"`
	GitCommit    string `json:"gitCommit"`
	GitTreeState string `json:"gitTreeState"`
	BuildDate    string `json:"buildDate"`
	GoVersion    string `json:"goVersion"`
	Compiler     string `json:"compiler"`
	Platform     string `json:"platform"`
}

// The linker may set these: go build -ldflags "-X PATH/version.gitVersion=v1.37.0-mine".
var (
	gitVersion           = "v1.37.0-stages"
	gitCommit, buildDate string
)

// Get tells what the linker has stamped, and else the commit and its date that
// the go command puts into every binary.
//
// Upstream: pkg/version/version.go Get
func Get() Info {
	info := Info{
		Major: "1", Minor: "37", GitVersion: gitVersion, GitCommit: gitCommit, BuildDate: buildDate,
		GitTreeState: "clean",
		GoVersion:    runtime.Version(), Compiler: runtime.Compiler, Platform: runtime.GOOS + "/" + runtime.GOARCH,
	}
	build, ok := debug.ReadBuildInfo()
	if !ok || gitCommit != "" {
		return info
	}
	for _, s := range build.Settings {
		switch s.Key {
		case "vcs.revision":
			info.GitCommit = s.Value
		case "vcs.time":
			info.BuildDate = s.Value
		case "vcs.modified":
			if s.Value == "true" {
				info.GitTreeState = "dirty"
			}
		}
	}
	return info
}
