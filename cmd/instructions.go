package cmd

import (
	"github.com/spf13/cobra"

	"github.com/kfw-dev/kfw/hosts"
)

func instructionsCommand(s streams) *cobra.Command {
	return &cobra.Command{
		Use:   "instructions",
		Short: "what a model has to know of kfw, for its prompt",
		Long: `instructions writes a few lines for the prompt of a model that reads what kfw writes: what a page is, a handle, and a
placeholder. kfw init --instructions puts them into the file that an agent host gives its model.`,
		Example: "  kfw instructions >> AGENTS.md",
		Args:    noArguments,
		RunE:    func(*cobra.Command, []string) error { return writeText(s.out, hosts.Instructions) },
	}
}
