package cmd

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"slices"
	"syscall"

	"github.com/kfw-dev/kfw/driver"
	"github.com/kfw-dev/kfw/internal/answer"
	"github.com/kfw-dev/kfw/internal/fault"
	"github.com/kfw-dev/kfw/internal/manual"
	"github.com/kfw-dev/kfw/internal/process"
	"github.com/kfw-dev/kfw/internal/settings"
	"github.com/kfw-dev/kfw/internal/terminal"
	"github.com/kfw-dev/kfw/internal/trust"
	"github.com/kfw-dev/kfw/pipeline"
	"github.com/kfw-dev/kfw/pipeline/encode"
	"github.com/kfw-dev/kfw/pipeline/query"
	"github.com/kfw-dev/kfw/session"
)

// The exit status of kfw. New ones may be added; one that is not known is a failure.
const (
	exitMatched       = 1 // of kfw redact --check
	exitOver          = 1 // of kfw count
	exitLeaky         = 1 // of kfw doctor
	exitUsage         = 2
	exitExhausted     = 120
	exitRefused       = 121
	exitGone          = 122
	exitSession       = 123
	exitTurn          = 124
	exitFailed        = 125
	exitNotExecutable = 126
	exitNotFound      = 127
	exitReaderGone    = process.ExitSignal + int(syscall.SIGPIPE)
)

// exitStatuses is what kfw help exit and the manual page say.
func exitStatuses() []manual.ExitStatus {
	return []manual.ExitStatus{
		{Status: "0", Meaning: "the whole response was read and passed on"},
		{Status: "1", Meaning: "kfw redact --check has found something; kfw count: more than --budget; kfw doctor: a planted secret comes through"},
		{Status: "1-255", Meaning: "the driver's own status; 128+n if signal n ended it"},
		{Status: "2", Meaning: "usage; nothing was read or started"},
		{Status: "120", Meaning: "budget exhausted; nothing was started"},
		{Status: "121", Meaning: "input refused (--strict)"},
		{Status: "122", Meaning: "handle unknown, expired, evicted or removed"},
		{Status: "123", Meaning: "session unusable"},
		{Status: "124", Meaning: "turn refused (invalid_call, call_denied, inconsistent, policy, held), abandoned (abandoned), cut off (incomplete), failed (provider_error, unknown_protocol, line_too_long, too_large, corrupt_frame) or blocked (blocked, with --fail-on-block): error.code of its last event says which"},
		{Status: "125", Meaning: "kfw failed, could not read a file, or the driver took longer than its timeout"},
		{Status: "126, 127", Meaning: "driver can't be run, not found"},
		{Status: "130, 141", Meaning: "interrupted, reader gone"},
	}
}

// harmless is a failure of kfw hook: any other status than 0 would make a tool that worked fail.
type harmless struct{ error }

func (e *harmless) Unwrap() error { return e.error }

// explain is the one place that knows what an error means: a code for the final frame and the exit status.
func explain(err error) (code string, exit int) {
	var (
		usage         *fault.UsageError
		stopped       *process.Interrupted
		broken        *pipeline.Broken
		exited        *driver.ExitError
		timeout       *driver.Timeout
		notFound      *driver.NotFound
		notExecutable *driver.NotExecutable
		exhausted     *session.Exhausted
		gone          *session.Gone
		unusable      *session.Unusable
		noStore       *settings.NoStore
		notHeld       *session.NotHeld
		unknownPath   *query.UnknownPath
		noElements    *query.NoElements
		found         *matched
		over          *overBudget
		incomplete    *answer.Incomplete
		blocked       *answer.Blocked
		tolerated     *harmless
		leaks         *leaky
	)
	switch {
	case err == nil:
		return "", 0
	case errors.As(err, &tolerated):
		return "failed", 0
	case errors.As(err, &found):
		return "matched", exitMatched
	case errors.As(err, &usage), errors.As(err, &unknownPath), errors.As(err, &noElements), errors.As(err, &notHeld):
		return "usage", exitUsage
	case errors.As(err, &leaks):
		return "leaky", exitLeaky
	case errors.As(err, &over):
		return "over_budget", exitOver
	case errors.As(err, &stopped):
		return "interrupted", process.ExitSignal + int(stopped.Signal)
	case errors.As(err, &broken):
		return "input_refused", exitRefused
	case errors.As(err, &exited):
		return encode.DriverFailed, exited.Status
	case errors.As(err, &timeout):
		return "driver_timeout", exitFailed
	case errors.As(err, &notFound):
		return "driver_not_found", exitNotFound
	case errors.As(err, &notExecutable):
		return "driver_not_found", exitNotExecutable
	case errors.As(err, &exhausted):
		return "budget_exhausted", exitExhausted
	case errors.As(err, &gone):
		return "handle_gone", exitGone
	case errors.As(err, &unusable), errors.As(err, &noStore):
		return "session_unusable", exitSession
	case errors.As(err, &incomplete):
		return "turn_incomplete", exitTurn
	case errors.As(err, &blocked):
		return "calls_blocked", exitTurn
	case fault.IsReaderGone(err), errors.Is(err, io.ErrClosedPipe):
		return "reader_gone", exitReaderGone
	default:
		return "failed", exitFailed
	}
}

// failure tells an error in the final frame.
func failure(err error) pipeline.Failure {
	code, exit := explain(err)
	failed := pipeline.Failure{Code: code, Message: terminal.Message(err), Exit: exit}
	var exited *driver.ExitError
	if code == encode.DriverFailed && errors.As(err, &exited) {
		failed.Signal = int(exited.Signal)
	}
	return failed
}

// hint says what to do about an error, if there is something.
func hint(err error) string {
	var (
		usage     *fault.UsageError
		hinted    *fault.Hinted
		timeout   *driver.Timeout
		program   *driver.NotExecutable
		exhausted *session.Exhausted
		gone      *session.Gone
		unusable  *session.Unusable
		noStore   *settings.NoStore
		insecure  *trust.Insecure
		notHeld   *session.NotHeld

		unknownPath *query.UnknownPath
		noElements  *query.NoElements
		found       *matched
	)
	switch {
	case errors.As(err, &found) && !found.listed:
		return "--report tells where"
	case errors.As(err, &usage):
		return usage.Hint
	case errors.As(err, &hinted):
		return hinted.Hint
	case errors.As(err, &noElements):
		return "--limit 1 shows a record"
	case errors.As(err, &unknownPath):
		return "--limit 1 shows a record; --grep finds text in any chunk"
	case errors.As(err, &timeout):
		return "give it longer with --timeout, or in kfw.yaml"
	case errors.As(err, &program) && errors.Is(program.Err, fs.ErrPermission):
		return "make it executable: chmod +x " + program.Name
	case errors.As(err, &notHeld):
		return hintNotHeld(notHeld)
	case errors.As(err, &exhausted) && exhausted.Held > 0:
		return "kfw budget lists the held grants: settle or release one, or try again when they have expired; " +
			"or kfw budget set TOKENS raises the total"
	case errors.As(err, &exhausted) && exhausted.Running > 0:
		return "try again when they have ended: they give back what they do not write; or kfw budget set TOKENS raises the total"
	case errors.As(err, &exhausted):
		return "kfw budget set TOKENS raises its total, kfw budget reset begins anew; or give another --session"
	case errors.As(err, &gone) && gone.Reason == "unknown":
		return "kfw handles lists those that are there; each belongs to its session file"
	case errors.As(err, &gone):
		return "run the tool again"
	case errors.As(err, &insecure):
		return "make it writable for you alone: chmod 700"
	case errors.As(err, &noStore):
		return "set HOME or XDG_STATE_HOME, or name a session file with --session"
	case errors.As(err, &unusable) && unusable.NoTables:
		return "kfw session init URL makes them"
	case errors.As(err, &unusable) && unusable.Full:
		return "give it more with --store-max, or remove handles: kfw handles"
	case errors.As(err, &unusable) && unusable.NoSpace:
		return "make room on the disk, or give another file with --session; kfw expand --raw needs no room"
	case errors.As(err, &unusable) && unusable.OpenTo != "":
		return "make it writable for you alone: chmod go-w " + unusable.OpenTo
	case errors.As(err, &unusable) && unusable.NoDirectory:
		return "make the directory, or give another file with --session"
	case errors.As(err, &unusable) && unusable.IsServer:
		return "kfw session status URL asks the server; or give another --session"
	case errors.As(err, &unusable) && !errors.Is(err, fs.ErrPermission) && !errors.Is(err, syscall.EROFS):
		return "give another file with --session, or move this one away"
	case errors.As(err, &unusable):
		return "give another file with --session"
	}
	return ""
}

func hintNotHeld(e *session.NotHeld) string {
	switch e.Reason {
	case "running":
		return "it is settled when the run ends"
	case "settled":
		return "kfw budget spend without --grant records more"
	case "expired":
		return "kfw budget allocate --hold holds a grant for longer"
	}
	return "kfw budget lists the held grants; kfw budget spend without --grant records tokens as well"
}

// report writes why kfw failed, unless that has been told, and returns the exit status: that of the first error.
func report(to io.Writer, err error) (exit int) {
	var reported []string
	for _, err := range fault.Parts(err) {
		_, status := explain(err)
		if exit == 0 {
			exit = status
		}
		text := terminal.Message(err)
		if status == exitReaderGone || silent(err) || slices.Contains(reported, text) {
			continue
		}
		reported = append(reported, text)
		fmt.Fprintf(to, "kfw: %s\n", terminal.Printable(text))
		if h := hint(err); h != "" {
			fmt.Fprintf(to, "hint: %s\n", terminal.Printable(terminal.Sayable(h)))
		}
	}
	return exit
}

// silent reports whether it has been told: whoever interrupted knows, and a driver that failed speaks for itself.
func silent(err error) bool {
	var (
		stopped *process.Interrupted
		exited  *driver.ExitError
	)
	return errors.As(err, &stopped) || errors.As(err, &exited)
}
