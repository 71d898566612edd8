package guard

import (
	"strings"
	"unicode"

	"golang.org/x/text/cases"
	"golang.org/x/text/unicode/norm"
)

// lookAlikes are letters that are read as a Latin one, and stay different after NFKD and case
// folding. They are those of https://www.unicode.org/Public/security/latest/confusables.txt that
// stand for one small letter or for a sign of a name.
var lookAlikes = map[rune]rune{
	'а': 'a', 'α': 'a', 'ɑ': 'a', 'ạ': 'a',
	'ь': 'b', 'в': 'b', 'β': 'b', 'ʙ': 'b',
	'с': 'c', 'ϲ': 'c', 'ᴄ': 'c', 'ⲥ': 'c', 'ꮯ': 'c', 'Ꮯ': 'c',
	'ԁ': 'd', 'ꓒ': 'd', 'Ꮷ': 'd', 'ꮷ': 'd', 'ɗ': 'd',
	'е': 'e', 'ε': 'e', 'ҽ': 'e', 'ё': 'e', 'є': 'e', 'ᴇ': 'e', 'ə': 'e',
	'ғ': 'f', 'ƒ': 'f', 'ϝ': 'f', 'ꜰ': 'f',
	'ɡ': 'g', 'ց': 'g', 'ɢ': 'g',
	'һ': 'h', 'н': 'h', 'η': 'h', 'հ': 'h', 'ʜ': 'h', 'Ꮒ': 'h', 'ꮒ': 'h',
	'і': 'i', 'ι': 'i', 'ı': 'i', 'ɩ': 'i', 'ӏ': 'i', 'ɪ': 'i', 'Ꭵ': 'i', 'ꭵ': 'i', 'ї': 'i',
	'ј': 'j', 'ϳ': 'j', 'ᴊ': 'j',
	'к': 'k', 'κ': 'k', 'ᴋ': 'k',
	'ʟ': 'l', 'ⅼ': 'l', 'ǀ': 'l', 'ⵏ': 'l', 'ł': 'l', 'ւ': 'l',
	'м': 'm', 'μ': 'm', 'ᴍ': 'm', 'ϻ': 'm',
	'ո': 'n', 'ռ': 'n', 'п': 'n', 'ɴ': 'n', 'ν': 'v',
	'о': 'o', 'ο': 'o', 'օ': 'o', 'ᴏ': 'o', 'σ': 'o', 'ჿ': 'o', 'ဝ': 'o', 'ø': 'o', 'ө': 'o',
	'р': 'p', 'ρ': 'p', 'ᴘ': 'p', 'ƿ': 'p',
	'ԛ': 'q', 'գ': 'q', 'զ': 'q',
	'г': 'r', 'ʀ': 'r', 'ᴦ': 'r', 'ꭇ': 'r',
	'ѕ': 's', 'ꜱ': 's', 'ƽ': 's', 'ʂ': 's',
	'т': 't', 'τ': 't', 'ᴛ': 't',
	'υ': 'u', 'ս': 'u', 'ᴜ': 'u', 'ʋ': 'u', 'ц': 'u',
	'ѵ': 'v', 'ᴠ': 'v',
	'ԝ': 'w', 'ѡ': 'w', 'ա': 'w', 'ω': 'w', 'ᴡ': 'w', 'ɯ': 'w',
	'х': 'x', 'χ': 'x', '×': 'x', 'ᕁ': 'x',
	'у': 'y', 'γ': 'y', 'ү': 'y', 'ყ': 'y', 'ʏ': 'y', 'ɣ': 'y',
	'ᴢ': 'z', 'ζ': 'z',
	'‐': '-', '‑': '-', '‒': '-', '–': '-', '—': '-', '−': '-', '﹘': '-', '⁃': '-', '˗': '-', '‿': '_', 'ˍ': '_',
	'⸱': '.', '·': '.', '٠': '.', '․': '.', '∶': ':', 'ː': ':', '։': ':', '∕': '/', '⁄': '/', '⧸': '/',
}

// alike are letters and digits that are read as each other in one or another font.
var alike = strings.NewReplacer("1", "l", "i", "l", "|", "l", "!", "l", "0", "o", "rn", "m", "vv", "w")

// Normal returns what a name is to whoever reads it: without letter case, marks, blanks, what
// separates its words, and signs that have no width, and with one letter for all that look like it.
// Two names that are the same then are the same to a rule.
func Normal(name string) string { return alike.Replace(strings.Map(word, plain(name))) }

// plain is a text without letter case, marks and signs that have no width, and with Latin letters
// in place of those that look like them.
func plain(text string) string {
	text = cases.Fold().String(norm.NFKD.String(text))
	return strings.Map(func(r rune) rune {
		if unicode.In(r, unicode.Mn, unicode.Me, unicode.Cf) || isBlank(r) || unicode.IsControl(r) && !unicode.IsSpace(r) {
			return -1
		}
		if like, ok := lookAlikes[r]; ok {
			return like
		}
		return r
	}, norm.NFKD.String(text))
}

// word drops what only separates the words of a name.
func word(r rune) rune {
	if unicode.IsSpace(r) || strings.ContainsRune("_-.", r) {
		return -1
	}
	return r
}

// isBlank reports whether a character is drawn as nothing, though it is of no class of blanks, or
// stands for one that could not be read.
func isBlank(r rune) bool {
	switch r {
	case '\u115f', '\u1160', '\u3164', '\uffa0', '\u2800', unicode.ReplacementChar:
		return true
	}
	return false
}
