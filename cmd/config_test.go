package cmd

import (
	"testing"

	"github.com/spf13/pflag"

	"github.com/kfw-dev/kfw/internal/settings"
)

// TestKeys: docs/kfw.yaml has a key for every flag that kfw.yaml may give a value, and no other.
func TestKeys(t *testing.T) {
	file, err := settings.Read("../docs/kfw.yaml", settable())
	if err != nil {
		t.Fatal(err)
	}
	settable().VisitAll(func(f *pflag.Flag) {
		if _, ok := file.Values[f.Name]; !ok {
			t.Errorf("no key for --%s", f.Name)
		}
	})
}
