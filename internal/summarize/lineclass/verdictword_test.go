package lineclass

import "testing"

func TestVerdictWord(t *testing.T) {
	for line, want := range map[string]string{
		"ERROR: test_wet (beds.TestBed.test_wet)": "ERROR", "ERROR beds/test_wet.py::test_dry - no bed": "ERROR",
		"ERROR beds/test_wet.py - ImportError": "ERROR", "ERROR: bed 4 is wet": "", "ERROR": "", "ERROR:": "",
		"ERROR beds are wet": "",
		"color.push.error":   "", "imap.pass": "", "t/bed....ok": "ok", "t/bed.t .. ok": "ok", "x: beds: error": "error",
		"wet beds.FAILED":           "FAILED",
		"  ✕ waters the bed (4 ms)": "✕", "  ✓ waters the bed": "✓", "--- FAIL: TestBed (0.00s)": "--- FAIL",
	} {
		if got := string(VerdictWord([]byte(line))); got != want {
			t.Errorf("%q: %q, want %q", line, got, want)
		}
	}
}
