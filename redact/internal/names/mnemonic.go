package names

import "github.com/kfw-dev/kfw/internal/lex"

// mnemonic finds the words of a wallet that begin at i, or in quotes there: 12 to 24
// (BIP 39), a blank between.
func (p *Phrase) mnemonic(w Window, i int, alone bool) Finding {
	const fewest, most, shortest, longest = 12, 24, 3, 8
	const small = lex.Lower | lex.HexLower
	b := w.Text
	if !alone {
		i = (lex.Quote | lex.Backslash).Run(b, i, 4)
	}
	start, end, n := i, i, 0
	for n < most {
		last := small.Run(b, i, longest+1)
		if w.Cut(last) {
			return Finding{Verdict: Undecided, Start: start}
		}
		if last-i < shortest || last-i > longest {
			break
		}
		n, end = n+1, last
		i = lex.Blank.Run(b, last, 2)
		if i == last {
			break
		}
	}
	if n < fewest {
		return Finding{}
	}
	return Finding{Verdict: Match, Start: start, End: end}
}
