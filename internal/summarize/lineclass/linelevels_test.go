package lineclass

import (
	"strings"
	"testing"

	"github.com/kfw-dev/kfw/internal/summarize/mask"
)

func TestLevelOfLine(t *testing.T) {
	for line, want := range map[string]string{
		"2026-03-01 10:00:00,123 INFO [main] started":                       "INFO",
		"2026-03-01T10:00:00Z warning: disk is nearly full":                 "warning",
		"2026-03-01 10:00:00, Info                  CBS    Loaded it":       "Info",
		"[Sun Dec 04 04:47:44 2025] [error] mod_jk child in error state 6":  "error",
		"[Sun Dec 04 04:47:44.123 2025] [core:warn] [pid 12] something":     "warn",
		"2026-03-01 10:00:00.100 UTC [17] app@db FATAL:  no such role":      "FATAL",
		"WARNING:root:nothing to do":                                        "WARNING",
		"<notice> all is well":                                              "notice",
		"DEBUG|net|connected to 10.0.0.1":                                   "DEBUG",
		"Mar  1 10:00:00 host app[12]: ERROR could not read":                "ERROR",
		"an error occurred and a warning was given":                         "",
		"Info about this tool":                                              "",
		"the INFORMATION desk, INFOSEC":                                     "",
		"one two three four five six seven eight ERROR comes too late here": "",
		"test 12: panic in the 3rd run":                                     "",
		"10:00:59.250 log is full":                                          "",
		"10:00 warning it is":                                               "warning",
		"http://10.0.0.1:80 error page":                                     "",
		"10.0.0.1:8080 info page":                                           "",
		"level=info msg=x":                                                  "",
		"[1/3] fetching":                                                    "",
		"":                                                                  "",
	} {
		m := mask.NewLine()
		m.Set([]byte(line))
		var l Levels
		got := ""
		if i := l.LevelOf(&m); i != NoLevel {
			got = strings.TrimRight(string(l.counts[i].Name[:]), "\x00")
		}
		if got != want {
			t.Errorf("%q: level %q, want %q", line, got, want)
		}
	}
}
