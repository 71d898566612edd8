package redact

import (
	"bytes"
	"regexp"
	"regexp/syntax"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/kfw-dev/kfw/redact/internal/prefilter"
)

// Every match holds one of each set of literals, no further from its start than
// the set says, and is no longer than the expression is said to be.
func FuzzLiterals(f *testing.F) {
	for _, x := range [][2]string{
		{`\bacme_(?:live|test)_[0-9a-z]{16}\b`, "an acme_live_0a1b2c3d4e5f6g7h"},
		{`(?i)[\w.-]{0,50}?(?:acme|foo[_-]?bar)(?:\s{0,20})(?:=|:)([a-z0-9]{4,})`, "my.foo-bar = x7k2m9"},
		{`[A-Z]{2,4}~tkt~[0-9]{4}|(?:ab?){2}c+`, "AB~tkt~1234 ababcc"},
		{`f(?:o1_[\w-]{3}|m1[ar]_[a-z]+|m2_x)={0,3}`, "fo1_ab- fm1a_xyz=="},
		{`"k"\s*=>\s*"(sk_[\S]{2})"|\d{15,16}(\||%)[0-9]`, `"k" => "sk_ab"`},
		{`(a|b|)+(?:cd){2,3}[^x]\bé?(?s:.)\x{212a}?`, "abcdcdy z"},
		{`((x)|y){3}z`, "xyxz"},
	} {
		f.Add(x[0], x[1])
	}
	f.Fuzz(func(t *testing.T, expression, text string) {
		if len(expression) > 200 || !utf8.ValidString(text) || strings.ContainsFunc(text, prefilter.IsFold) {
			return
		}
		tree, err := syntax.Parse(expression, syntax.Perl)
		if err != nil {
			return
		}
		whole := prefilter.ExtentOf(tree)
		for _, m := range regexp.MustCompile(expression).FindAllString(text, 20) {
			if len(m) < whole.Min || len(m) > whole.Max {
				t.Errorf("%q is said to match %d to %d bytes, and matches %q", expression, whole.Min, whole.Max, m)
			}
			folded := bytes.Map(func(r rune) rune {
				if r < utf8.RuneSelf {
					return rune(prefilter.FoldByte(byte(r)))
				}
				return r
			}, []byte(m))
			for _, l := range prefilter.LiteralsOf(tree, 0) {
				isThere := func(text string) bool {
					at := bytes.Index(folded, []byte(text))
					return at >= 0 && at <= l.Before.Max
				}
				if !slices.ContainsFunc(l.Texts, isThere) {
					t.Errorf("%q matches %q, which holds none of %q in the first %d bytes", expression, m, l.Texts,
						l.Before.Max)
				}
				if !prefilter.HoldsFolded([]byte(m), l.Texts) {
					t.Errorf("%q has none of %q", m, l.Texts)
				}
			}
		}
	})
}
