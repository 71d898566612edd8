package catalogue

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/kfw-dev/kfw/internal/lex"
	"github.com/kfw-dev/kfw/redact/internal/detect"
	"github.com/kfw-dev/kfw/redact/internal/names"
)

// Each entry of the tables of services, wallets, names and numbers of persons has a text that
// looks like a match and is none.
func TestRefusedGiven(t *testing.T) {
	n := names.NewNames()
	for _, x := range slices.Concat(detect.ServiceTokens(), detect.WalletKeys(), detect.OtherNames(n),
		detect.NationalIDs(n)) {
		if x.Refused == "" || x.Refused == x.Example {
			t.Errorf("%s: no text that is refused", x.Name)
		}
	}
}

func TestCatalogue(t *testing.T) {
	for _, x := range Rules(names.NewNames()) {
		switch {
		case x.Name == "":
		case strings.ToLower(x.Name) != x.Name || strings.ContainsAny(x.Name, "[]: "):
			t.Errorf("%s: not a name for a marker", x.Name)
		case len(lex.MarkerStart)+len(x.Name) >= lex.MaxMarker:
			t.Errorf("%s: too long a name for a marker", x.Name)
		case x.Form != nil && (x.Group == names.None || len(x.Anchors) == 0 || x.Example == "" || x.Source == ""):
			t.Errorf("%s: an entry has a group, anchors, an example and a source", x.Name)
		}
		if f, ok := x.Form.(*detect.Token); ok && (f.Lead&^lex.LeadPart != 0 || f.Leads[1] >= lex.MaxLead) {
			t.Errorf("%s: what stands before the anchor is not held back", x.Name)
		}
		for _, a := range x.Anchors {
			if strings.ContainsAny(a, "ABCDEFGHIJKLMNOPQRSTUVWXYZ123456789\n\"") {
				t.Errorf("%s: anchor %q", x.Name, a)
			}
		}
	}
}

// TestExcluders: these forms can tell early that they find nothing. A form whose method is called
// otherwise would be slower, and no other test would notice.
func TestExcluders(t *testing.T) {
	want := []string{"*detect.Token", "*names.Named", "commands.ArgumentList", "commands.ProgramName",
		"detect.CardFloat", "detect.CardNumber", "detect.Encoded", "detect.InternationalPhone", "detect.NationalID",
		"detect.NationalPhone", "detect.Netrc", "detect.SocialSecurity", "detect.StoredPassword", "detect.TrunkPhone", "detect.TunnelKeys", "detect.accountNumber",
		"detect.asanaToken", "detect.digestResponse", "names.FlagValue", "structure.ColumnList", "structure.DeclaredMark", "structure.KeyMemberMark",
		"structure.KeyNumber", "structure.PairMark"}
	var got []string
	for _, x := range Rules(names.NewNames()) {
		if _, is := x.Form.(detect.Excluder); is {
			got = append(got, fmt.Sprintf("%T", x.Form))
		}
	}
	slices.Sort(got)
	if got = slices.Compact(got); !slices.Equal(got, want) {
		t.Errorf("%q\nwant\n%q", got, want)
	}
}

// TestCatalogueInOrder: the anchors of each rule have one order, so that kfw redact --list writes
// the same each time.
func TestCatalogueInOrder(t *testing.T) {
	first := Rules(names.NewNames())
	for range 5 {
		for i, x := range Rules(names.NewNames()) {
			if !slices.Equal(x.Anchors, first[i].Anchors) {
				t.Fatalf("%s: %q and %q", x.Name, first[i].Anchors, x.Anchors)
			}
		}
	}
}
