package cmd

import (
	"fmt"
	"runtime"
	"runtime/debug"
	"strings"

	"github.com/spf13/cobra"

	"github.com/kfw-dev/kfw/internal/manual"
	"github.com/kfw-dev/kfw/internal/terminal"
	"github.com/kfw-dev/kfw/pipeline"
)

func versionCommand(s streams) *cobra.Command {
	asJSON := false
	c := &cobra.Command{
		Use:     "version",
		Short:   "show the version, what it was built from and with",
		Example: "  kfw version --json | jq -r .commit",
		Args:    noArguments,
		RunE: func(*cobra.Command, []string) error {
			b := ownBuild()
			if !asJSON {
				return writeText(s.out, b.String())
			}
			if err := terminal.WriteJSON(s.out, b); err != nil {
				return &pipeline.WriteError{Err: err}
			}
			return nil
		},
	}
	c.Flags().BoolVar(&asJSON, "json", false, "for programs")
	manual.Group(c, manual.GroupOutput, "json")
	return c
}

// build is what a program was built from and with.
type build struct {
	Version string `json:"version"`
	Commit  string `json:"commit,omitempty"`
	Time    string `json:"time,omitempty"`    // of the commit
	Changed bool   `json:"changed,omitempty"` // since the commit
	Go      string `json:"go"`
	System  string `json:"system"`
}

func ownBuild() build {
	b := build{Version: version(), Go: runtime.Version(), System: runtime.GOOS + "/" + runtime.GOARCH}
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return b
	}
	for _, s := range info.Settings {
		switch s.Key {
		case "vcs.revision":
			b.Commit = s.Value
		case "vcs.time":
			b.Time = s.Value
		case "vcs.modified":
			b.Changed = s.Value == "true"
		}
	}
	return b
}

// String returns lines for a reader: the version alone in the first one.
func (b build) String() string {
	var text strings.Builder
	fmt.Fprintf(&text, "kfw version %s\n", b.Version)
	if b.Commit != "" {
		changed := ""
		if b.Changed {
			changed = ", changed since"
		}
		fmt.Fprintf(&text, "commit %s of %s%s\n", b.Commit, b.Time, changed)
	}
	fmt.Fprintf(&text, "%s, %s\n", b.Go, b.System)
	return text.String()
}

// version is what the build was stamped with: a tag, or the revision it was built from.
func version() string {
	if info, ok := debug.ReadBuildInfo(); ok && info.Main.Version != "" {
		return info.Main.Version
	}
	return "(devel)"
}
