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

// Get reads the commit and its date from the binary, where the go command
// stamped them.
//
// Upstream: pkg/version/version.go Get
func Get() Info {
	info := Info{
		Major: "1", Minor: "37", GitVersion: "v1.37.0-stages",
		GitTreeState: "clean",
		GoVersion:    runtime.Version(), Compiler: runtime.Compiler, Platform: runtime.GOOS + "/" + runtime.GOARCH,
	}
	build, ok := debug.ReadBuildInfo()
	if !ok {
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
