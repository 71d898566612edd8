package cmd

import (
	"io"
	"runtime/debug"

	"github.com/spf13/cobra"

	"github.com/kfw-dev/kfw/pipeline"
)

func versionCommand(s streams) *cobra.Command {
	return &cobra.Command{
		Use:   "version",
		Short: "show the version, as kfw --version does",
		Args:  noArguments,
		RunE: func(*cobra.Command, []string) error {
			if _, err := io.WriteString(s.out, versionLine()); err != nil {
				return &pipeline.WriteError{Err: err}
			}
			return nil
		},
	}
}

func versionLine() string { return "kfw " + version() + "\n" }

// version is what the build was stamped with: a tag, or the revision it was built from.
func version() string {
	if info, ok := debug.ReadBuildInfo(); ok && info.Main.Version != "" {
		return info.Main.Version
	}
	return "(devel)"
}
