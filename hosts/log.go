package hosts

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"github.com/kfw-dev/kfw/internal/safefile"
)

// mostLog is how large the log may get, in bytes. Then it begins anew, and the one before is kept beside it.
const mostLog = 256 << 10

// oldLog ends the name of the log before.
const oldLog = ".1"

// Log is the file for what no host shows. It holds one line for each thing that went wrong, and nothing of a response.
type Log struct {
	Path string // empty for none
}

// Add writes a line, which must be redacted already. A log that can't be written is no reason for a hook to fail.
func (l *Log) Add(line string) {
	if l.Path == "" {
		return
	}
	if info, err := os.Stat(l.Path); err == nil && info.Size() > mostLog {
		_ = safefile.Rename(l.Path, l.Path+oldLog) // another hook may have been first
	}
	if os.MkdirAll(filepath.Dir(l.Path), 0o700) != nil {
		return
	}
	// Its name can be guessed. A link in its place could lead to any file, and a FIFO would make
	// the hook wait.
	const flags = os.O_WRONLY | os.O_CREATE | os.O_APPEND | safefile.NoFollow | syscall.O_NONBLOCK
	file, err := os.OpenFile(l.Path, flags, 0o600)
	if err != nil {
		return
	}
	_, _ = file.WriteString(time.Now().UTC().Format(time.RFC3339) + " " + strings.ReplaceAll(line, "\n", " ") + "\n")
	_ = file.Close()
}
