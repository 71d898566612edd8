package cmd

import (
	"fmt"

	mango "github.com/muesli/mango-cobra"
	"github.com/muesli/roff"
	"github.com/spf13/cobra"
)

func manCommand(s streams) *cobra.Command {
	return &cobra.Command{
		Use:    "man",
		Short:  "write the manual page",
		Args:   noArguments,
		Hidden: true,
		RunE: func(c *cobra.Command, _ []string) error {
			page, err := mango.NewManPage(1, c.Root())
			if err != nil {
				return err
			}
			page = page.WithSection("Exit Status", exitStatusHelp).
				WithSection("Environment", "KFW_SESSION names the session file. Every other flag can be given as KFW_ and its name in capitals: KFW_BUDGET, KFW_MAX_CHUNK.").
				WithSection("Files", "kfw.yaml, in the working directory or else in $XDG_CONFIG_HOME/kfw, holds settings, drivers and capabilities; "+
					"kfw config shows them. $XDG_STATE_HOME/kfw/default.kfw holds the handles of runs without a session.")
			_, err = fmt.Fprint(s.out, page.Build(roff.NewDocument()))
			return err
		},
	}
}
