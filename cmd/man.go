package cmd

import (
	"io"
	"os"
	"strconv"
	"time"

	"github.com/spf13/cobra"

	"github.com/kfw-dev/kfw/internal/fault"
	"github.com/kfw-dev/kfw/internal/manual"
	"github.com/kfw-dev/kfw/internal/settings"
	"github.com/kfw-dev/kfw/pipeline"
)

// manDate is the date of the manual page, unless SOURCE_DATE_EPOCH says another: two builds of a
// revision are the same.
const manDate = "2026-01-01"

func manCommand(s streams) *cobra.Command {
	return &cobra.Command{
		Use:   "man",
		Short: "write the manual page",
		Long: `man writes a page of roff: what --help says of all commands, the exit status, and which files and
variables count. Its date is that of kfw's source, or that of SOURCE_DATE_EPOCH.`,
		Example: "  kfw man | man -l -\n  kfw man > /usr/local/share/man/man1/kfw.1",
		Args:    noArguments,
		RunE: func(c *cobra.Command, _ []string) error {
			date, err := dateOfPage()
			if err != nil {
				return err
			}
			if _, err := io.WriteString(s.out, manual.Page(c.Root(), date, exitStatuses())); err != nil {
				return &pipeline.WriteError{Err: err}
			}
			return nil
		},
	}
}

// dateOfPage follows https://reproducible-builds.org/specs/source-date-epoch/.
func dateOfPage() (string, error) {
	epoch, ok := os.LookupEnv("SOURCE_DATE_EPOCH")
	if !ok {
		return manDate, nil
	}
	seconds, err := strconv.ParseInt(epoch, 10, 64)
	if err != nil {
		return "", fault.Usage("SOURCE_DATE_EPOCH: "+settings.NotOfKind(settings.KindNumber), "the seconds since 1970")
	}
	return time.Unix(seconds, 0).UTC().Format(time.DateOnly), nil
}
