package cmd

import (
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/spf13/cobra"

	"github.com/kfw-dev/kfw/budget"
	"github.com/kfw-dev/kfw/internal/fault"
	"github.com/kfw-dev/kfw/internal/settings"
	"github.com/kfw-dev/kfw/internal/terminal"
	"github.com/kfw-dev/kfw/session"
)

func (o *budgetOptions) allocateCommand() *cobra.Command {
	const example = "kfw budget allocate 2000 --session agent.kfw"
	var hold time.Duration
	c := &cobra.Command{
		Use:   "allocate TOKENS",
		Short: "reserve tokens, for a tool that does not write through kfw",
		Long: `allocate reserves tokens of the session: all that is asked, or what is left if that
is less. If nothing is left, it reserves nothing and the exit status is 120. It makes the session if
it is not there.

The grant belongs to no process. It ends with kfw budget spend --grant, with kfw budget release, or
when --hold is over: then the next command that allocates from the session or shows it gives the
tokens back.

It writes one line, which a shell can evaluate:

  granted=2000 grant=g5 left=7000 mode=table

granted is what may be used, grant its ID, left what the session can still grant to others, and mode
what kfw budget mode answers from now on. With --json the same is
{"granted":2000,"grant":"g5","left":7000,"mode":"table"}.`,
		Example: "  " + example + `
  line=$(kfw budget allocate 2000) || exit
  eval "$line"
  ./tool --max-tokens "$granted" | tee answer
  kfw budget spend "$(kfw count <answer)" --grant "$grant"`,
		Args:              oneArgument("budget allocate takes a number of tokens", example),
		ValidArgsFunction: cobra.NoFileCompletions,
		RunE: func(_ *cobra.Command, args []string) error {
			tokens, err := settings.WholeNumber(1, mostTokens)(args[0])
			if err != nil {
				return fault.Usage("budget allocate: "+err.Error(), example)
			}
			return o.on(func(file session.Session) error { return o.allocate(file, tokens, hold) })
		},
	}
	c.Flags().Var(settings.NewParsed(&hold, "10m", settings.KindDuration, settings.PositiveDuration), "hold",
		"how long the tokens are held for whoever spends them")
	o.addTotalFlag(c)
	settings.Complete(c, "hold", []string{"1m", "10m", "1h"})
	return c
}

// allocate holds tokens and writes the grant. A grant that could not be written is given back: its
// ID is lost.
func (o *budgetOptions) allocate(file session.Session, tokens int, hold time.Duration) error {
	held, account, err := file.Hold(tokens, hold, "allocate")
	if err != nil {
		return err
	}
	left, mode := account.Left(), modeOf(account, budget.Raw)
	if o.asJSON {
		err = o.writeJSON(struct {
			Granted int         `json:"granted"`
			Grant   string      `json:"grant"`
			Left    int         `json:"left"`
			Mode    budget.Mode `json:"mode"`
		}{held.Tokens, held.ID, left, mode})
	} else {
		err = o.write(func(w io.Writer) error {
			_, err := fmt.Fprintf(w, "granted=%d grant=%s left=%d mode=%s\n", held.Tokens, held.ID, left, mode)
			return err
		})
	}
	if err != nil {
		_, _, released := file.Release(held.ID)
		err = errors.Join(err, released)
	}
	return err
}

func (o *budgetOptions) spendCommand() *cobra.Command {
	const example = "kfw budget spend 1200 --session agent.kfw"
	var grant, note string
	c := &cobra.Command{
		Use:   "spend TOKENS",
		Short: "record tokens that did not pass kfw: history, a model's answer",
		Long: `spend records tokens that the session did not write but that fill the same context:
history, a model's answer. All of them are recorded, even if less is left: then 0 is left. It makes
the session if it is not there.

With --grant it settles a grant of kfw budget allocate: the grant ends, and what it did not use is
free again. A grant takes any number of tokens, 0 as well. If it has expired, the tokens are
recorded all the same, and a message on stderr says so. A grant that is unknown, settled already or
that of a run of kfw is refused with exit status 2, and nothing is recorded.

--note is redacted, and is shown by kfw budget in the list of invocations.

It writes nothing. With --json it writes {"spent":1200,"left":7000,"mode":"table"}, with --grant
also "grant":"g5", and "expired":true if the grant was.`,
		Example: "  " + example + `
  kfw budget spend 350 --grant g5 --note 'summary by the model' --session agent.kfw`,
		Args:              oneArgument("budget spend takes a number of tokens", example),
		ValidArgsFunction: cobra.NoFileCompletions,
		RunE: func(c *cobra.Command, args []string) error {
			tokens, err := settings.WholeNumber(0, mostTokens)(args[0])
			if err != nil {
				return fault.Usage("budget spend: "+err.Error(), example)
			}
			if grant == "" && o.settings.Given("grant") {
				return fault.Usage(o.settings.Name("grant")+": empty", "leave it out where there is no grant")
			}
			return o.on(func(file session.Session) error { return o.spend(file, tokens, grant, note) })
		},
	}
	c.Flags().StringVar(&grant, "grant", "", "the `ID` of a grant that this settles")
	c.Flags().StringVar(&note, "note", "", "`text` for the list of invocations")
	o.addTotalFlag(c)
	completion := func(c *cobra.Command, _ []string, _ string) ([]string, cobra.ShellCompDirective) {
		return o.heldGrants(c)
	}
	if err := c.RegisterFlagCompletionFunc("grant", completion); err != nil {
		panic(err) // the flag does not exist
	}
	settings.Complete(c, "note", nil)
	return c
}

// spend records tokens, against a grant if there is one.
func (o *budgetOptions) spend(file session.Session, tokens int, grant, note string) error {
	command := "spend"
	if note != "" {
		described, err := terminal.Described(note)
		if err != nil {
			return err
		}
		command += ": " + described
	}
	var late bool
	var account budget.Account
	var err error
	if grant == "" {
		account, err = file.Spend(tokens, command)
	} else {
		late, account, err = file.Settle(grant, tokens, command)
	}
	if err != nil {
		return err
	}
	if late {
		fmt.Fprintf(o.err, "kfw: grant %s had expired: what was spent is recorded all the same\n", grant)
		fmt.Fprintln(o.err, "hint: kfw budget allocate --hold holds a grant for longer")
	}
	if !o.asJSON {
		return nil
	}
	return o.writeJSON(struct {
		Spent   int         `json:"spent"`
		Grant   string      `json:"grant,omitempty"`
		Expired bool        `json:"expired,omitempty"`
		Left    int         `json:"left"`
		Mode    budget.Mode `json:"mode"`
	}{tokens, grant, late, account.Left(), modeOf(account, budget.Raw)})
}

func (o *budgetOptions) releaseCommand() *cobra.Command {
	const example = "kfw budget release g5 --session agent.kfw"
	return &cobra.Command{
		Use:   "release ID",
		Short: "give a grant back unused",
		Long: `release ends a grant of kfw budget allocate: its tokens are free again. A grant that
is unknown, expired, settled already or that of a run of kfw is refused with exit status 2.

It writes nothing. With --json it writes {"released":2000,"grant":"g5","left":9000,"mode":"raw"}.`,
		Example: "  " + example,
		Args:    oneArgument("budget release takes the ID of a grant", example),
		ValidArgsFunction: func(c *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
			if len(args) > 0 {
				return nil, cobra.ShellCompDirectiveNoFileComp
			}
			return o.heldGrants(c)
		},
		RunE: func(_ *cobra.Command, args []string) error {
			return o.on(func(file session.Session) error {
				tokens, account, err := file.Release(args[0])
				if err != nil || !o.asJSON {
					return err
				}
				return o.writeJSON(struct {
					Released int         `json:"released"`
					Grant    string      `json:"grant"`
					Left     int         `json:"left"`
					Mode     budget.Mode `json:"mode"`
				}{tokens, args[0], account.Left(), modeOf(account, budget.Raw)})
			})
		},
	}
}

func (o *budgetOptions) modeCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "mode [MODE]",
		Short: "the mode that the session suggests",
		Long: `mode writes the mode that the session suggests to whoever asks for MODE (raw if it is
left out), from the share of its tokens that is left:

  more than 50 %   MODE itself
  20 % to 50 %     table if MODE is raw
  5 % to 20 %      summary if MODE is raw or table
  less than 5 %    handle_only

Exactly 50 % and 20 % are on the stricter side, exactly 5 % is still summary. What is reserved is
not left. With --json it writes {"mode":"table","left":4000}.`,
		Example: `  kfw budget mode --session agent.kfw
  [ "$(kfw budget mode)" = handle_only ] && exec ./start-a-new-context`,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) > 1 {
				return fault.Usage("budget mode takes one mode", "kfw budget mode raw --session agent.kfw")
			}
			return nil
		},
		ValidArgsFunction: func(_ *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
			if len(args) > 0 {
				return nil, cobra.ShellCompDirectiveNoFileComp
			}
			return budget.Modes(), cobra.ShellCompDirectiveNoFileComp
		},
		RunE: func(_ *cobra.Command, args []string) error {
			asked := budget.Raw
			for _, name := range args {
				var err error
				if asked, err = budget.ParseMode(name); err != nil {
					return fault.Usage("budget mode: "+err.Error(), fault.DidYouMean("", name, budget.Modes()))
				}
			}
			return o.on(func(file session.Session) error { return o.showMode(file, asked) })
		},
	}
}

func (o *budgetOptions) showMode(file session.Session, asked budget.Mode) error {
	status, err := file.Status()
	if err != nil {
		return err
	}
	mode := budget.SessionPhase(status.Left, status.Total, asked)
	if o.asJSON {
		return o.writeJSON(struct {
			Mode budget.Mode `json:"mode"`
			Left int         `json:"left"`
		}{mode, status.Left})
	}
	return o.write(func(w io.Writer) error {
		_, err := fmt.Fprintln(w, mode)
		return err
	})
}

// heldGrants lists what can be released or settled, for shell completion.
func (o *budgetOptions) heldGrants(c *cobra.Command) (ids []string, _ cobra.ShellCompDirective) {
	const directive = cobra.ShellCompDirectiveNoFileComp
	if err := o.settings.Resolve(c.Flags()); err != nil || o.session == "" {
		return nil, directive // completion has no place for an error
	}
	file, err := openSession(o.session, session.Settings{})
	if err != nil {
		return nil, directive
	}
	defer file.Close()
	status, err := file.Status()
	if err != nil {
		return nil, directive
	}
	for _, i := range status.Recent {
		if held := i.Held; held.ID != "" {
			until := held.Until.Local().Format(time.TimeOnly)
			ids = append(ids, fmt.Sprintf("%s\t%d tokens until %s", held.ID, held.Tokens, until))
		}
	}
	return ids, directive
}
