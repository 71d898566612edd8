package redact

import (
	"strings"

	"github.com/kfw-dev/kfw/redact/candidate"
	"github.com/kfw-dev/kfw/redact/lex"
)

// foreignPasswords are the words for password in other languages than English. What follows them
// in a sentence is no stop word that is known here, so a value has a figure in it or looks made.
const foreignPasswords = "kennwort|mot de passe|contraseña|contrasena|contrasenya|senha|palavra passe|wachtwoord|" +
	"lösenord|losenord|adgangskode|kodeord|passord|salasana|hasło|haslo|heslo|jelszó|jelszo|" +
	"lozinka|zaporka|geslo|şifre|Şifre|slaptazodis|slaptažodis|parool|mật khẩu|mat khau|kata sandi|kata laluan|pasahitza|pasvorto|κωδικός|κωδικος|пароль|Пароль|ПАРОЛЬ|парола|лозинка|" +
	"密码|密碼|口令|パスワード|暗証番号|비밀번호|암호|รหัสผ่าน|كلمة المرور|كلمة السر|رمز عبور|סיסמה|סיסמא|पासवर्ड"

// ambiguousPasswords are such words that stand for a key, a word or a cipher as well.
const ambiguousPasswords = "clave|mdp|parola|parole|sifre"

// qualifiedAnchors returns the anchors of a word that counts only behind another one, so that
// longer words do not stop the automaton.
func qualifiedAnchors(word string) []string { return []string{"_" + word, "-" + word, "." + word} }

// otherNames are the entries of names that are less usual than those of the catalogue.
func otherNames(n *names) []rule {
	name := func(name, example, refused, source string, anchors []string, phrases ...phrase) rule {
		f := &named{names: n}
		x := rule{name: name, group: Secrets, form: f, anchors: anchors, example: example, refused: refused,
			source: source}
		for _, p := range phrases {
			for words := range strings.SplitSeq(p.words, "|") {
				one := p
				one.words = words
				f.phrases = append(f.phrases, one)
				if anchors == nil {
					x.anchors = append(x.anchors, anchorsOf(words)...)
				}
			}
		}
		return x
	}
	return []rule{
		name("password", "Kennwort: marmot93", "wachtwoord: verplicht", "usage in other languages", nil,
			phrase{words: foreignPasswords, want: typedWord, min: 8},
			phrase{words: ambiguousPasswords, want: likelySecret, mayBeID: true}),
		name("password", "pswd=tr0ub4dor", "pswd: string", "usage", nil,
			phrase{words: "pswd|pswrd|passwrd|pword", whole: true, typed: true, want: likelySecret}),
		name("token", "AZURE_DEVOPS_EXT_PAT="+madeLower(52), "FILE_PAT=src_of_the_tests", "usage",
			qualifiedAnchors("pat"),
			phrase{words: "pat", want: likelySecret, qualified: true, mayBeID: true,
				of: lex.Base64 | lex.Base64URL | lex.Dot | lex.Colon | lex.Tilde}), // patterns have other signs,
		name("token", `{"device_code":"`+madeHex(40)+`"}`, "device_code: unknown", "RFC 8628", nil,
			phrase{words: "device code|saml response|saml assertion|saml request", want: likelySecret}),
		name("seed", "MFA_SEED="+strings.ToUpper(made(32)), `"random_seed": "b5a9c8f0d1e2a3b4"`, "usage", nil,
			phrase{words: "seed", want: likelySecret, qualified: true, mayBeID: true}),
		name("secret", "FERNET="+made(43)+"=", "fernet: required", "Fernet specification; usage", nil,
			phrase{words: "fernet|hmac salt|hmac key|hmac secret|pepper|password pepper", want: likelySecret},
			phrase{words: "password salt|secret salt|token salt|session salt", want: likelySecret}),
		name("mnemonic", "mnemonic: "+strings.Repeat("abandon ", 11)+"about", "mnemonic: mov rax rbx", "BIP 39", nil,
			phrase{words: "mnemonic|mnemonic phrase|seed phrase|seed words|wallet seed", want: mnemonicWords},
			phrase{words: "recovery phrase|secret recovery phrase", want: mnemonicWords}),
		tok("oauth_code", token{prefix: []string{"?code=", "&code=", "#code="},
			body: lex.Base64URL | lex.Percent | lex.Slash | lex.Dot | lex.Tilde | lex.Equals, min: 16,
			after: len("?code="), check: checkFunc(isGrant)},
			"https://app.example.org/callback?code="+made(40), "RFC 6749 4.1.2").
			unlike("https://app.example.org/error?code=ERR_CERT_AUTHORITY_INVALID"),
		{name: "digest_response", group: Secrets, anchors: []string{"response="}, form: digestResponse{},
			example: `Authorization: Digest nonce="` + madeHex(32) + `", uri="/", response="` + madeHex(32) + `"`,
			refused: "response=" + madeHex(32), source: "RFC 7616"},
	}
}

// isGrant says whether tok, behind the name, looks made by a machine.
func isGrant(tok []byte) bool { return candidate.IsMade(tok[len("?code="):]) }

// mnemonic finds the words of a wallet that begin at i, or in quotes there: 12 to 24
// (BIP 39), a blank between.
func (p *phrase) mnemonic(w window, i int, alone bool) finding {
	const fewest, most, shortest, longest = 12, 24, 3, 8
	const small = lex.Lower | lex.HexLower
	b := w.text
	if !alone {
		i = (lex.Quote | lex.Backslash).Run(b, i, 4)
	}
	start, end, n := i, i, 0
	for n < most {
		last := small.Run(b, i, longest+1)
		if w.cut(last) {
			return finding{verdict: undecided, start: start}
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
		return finding{}
	}
	return finding{verdict: match, start: start, end: end}
}

// digestResponse is the form of what a client answers to a challenge: a hash of the password, with
// a nonce on the same line.
type digestResponse struct{}

func (digestResponse) find(w window, at, to int) finding {
	const longest = 64
	b := w.text
	if !startsWord(b, at) {
		return finding{}
	}
	start := (lex.Quote | lex.Backslash).Run(b, to, 4)
	end := lex.LowerHex.Run(b, start, longest+1)
	if w.cut(end) && end-start <= longest {
		return finding{verdict: undecided, start: start}
	}
	if n := end - start; n != 32 && n != longest || !endsWord(b, end) || !hasNonce(b[:at]) {
		return finding{}
	}
	return finding{verdict: match, start: start, end: end}
}

// hasNonce says whether the line that b ends in has a nonce.
func hasNonce(b []byte) bool {
	const name = "nonce="
	from := max(0, len(b)-lex.LookBehind+lex.MaxLead)
	for i := len(b); i > from && b[i-1] != '\n'; i-- {
		if i+len(name) <= len(b) && lex.EqualFold(b[i:i+len(name)], name) {
			return true
		}
	}
	return false
}

// excludes implements excluder.
func (f digestResponse) excludes(b []byte, at, to int) bool {
	start := (lex.Quote | lex.Backslash).Run(b, to, 4)
	return start == len(b) || !lex.LowerHex.Has(b[start])
}
