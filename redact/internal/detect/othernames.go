package detect

import (
	"strings"

	"github.com/kfw-dev/kfw/internal/lex"
	"github.com/kfw-dev/kfw/redact/internal/candidate"
	"github.com/kfw-dev/kfw/redact/internal/names"
)

// ForeignPasswords are the words for password in other languages than English. What follows them
// in a sentence is no stop word that is known here, so a value has a figure in it or looks made.
const ForeignPasswords = "kennwort|mot de passe|contraseña|contrasena|contrasenya|senha|palavra passe|wachtwoord|" +
	"lösenord|losenord|adgangskode|kodeord|passord|salasana|hasło|haslo|heslo|jelszó|jelszo|" +
	"lozinka|zaporka|geslo|şifre|Şifre|slaptazodis|slaptažodis|parool|mật khẩu|mat khau|kata sandi|kata laluan|" +
	"pasahitza|pasvorto|κωδικός|κωδικος|пароль|Пароль|ПАРОЛЬ|парола|лозинка|" +
	"密码|密碼|口令|パスワード|暗証番号|비밀번호|암호|รหัสผ่าน|كلمة المرور|كلمة السر|رمز عبور|סיסמה|סיסמא|पासवर्ड"

// AmbiguousPasswords are such words that stand for a key, a word or a cipher as well.
const AmbiguousPasswords = "clave|mdp|parola|parole|sifre"

// qualifiedAnchors returns the anchors of a word that counts only behind another one, so that
// longer words do not stop the automaton.
func qualifiedAnchors(word string) []string { return []string{"_" + word, "-" + word, "." + word} }

// OtherNames are the entries of names that are less usual than those of the catalogue.
func OtherNames(n *names.Names) []Rule {
	name := func(name, example, refused, source string, anchors []string, phrases ...names.Phrase) Rule {
		f := &names.Named{Names: n}
		x := Rule{Name: name, Group: names.Secrets, Form: f, Anchors: anchors, Example: example, Refused: refused,
			Source: source}
		for _, p := range phrases {
			for words := range strings.SplitSeq(p.Words, "|") {
				one := p
				one.Words = words
				f.Phrases = append(f.Phrases, one)
				if anchors == nil {
					x.Anchors = append(x.Anchors, names.AnchorsOf(words)...)
				}
			}
		}
		return x
	}
	return []Rule{
		name("password", "Kennwort: marmot93", "wachtwoord: verplicht", "usage in other languages", nil,
			names.Phrase{Words: ForeignPasswords, Want: names.TypedWord, Min: 8},
			names.Phrase{Words: AmbiguousPasswords, Want: names.LikelySecret, MayBeID: true}),
		name("password", "pswd=tr0ub4dor", "pswd: string", "usage", nil,
			names.Phrase{Words: "pswd|pswrd|passwrd|pword", Whole: true, Typed: true, Want: names.LikelySecret}),
		name("token", "AZURE_DEVOPS_EXT_PAT="+madeLower(52), "FILE_PAT=src_of_the_tests", "usage",
			qualifiedAnchors("pat"),
			names.Phrase{Words: "pat", Want: names.LikelySecret, Qualified: true, MayBeID: true,
				Of: lex.Base64 | lex.Base64URL | lex.Dot | lex.Colon | lex.Tilde}), // patterns have other signs,
		name("token", `{"device_code":"`+MadeHex(40)+`"}`, "device_code: unknown", "RFC 8628", nil,
			names.Phrase{Words: "device code|saml response|saml assertion|saml request", Want: names.LikelySecret}),
		name("seed", "MFA_SEED="+strings.ToUpper(Made(32)), `"random_seed": "b5a9c8f0d1e2a3b4"`, "usage", nil,
			names.Phrase{Words: "seed", Want: names.LikelySecret, Qualified: true, MayBeID: true}),
		name("secret", "FERNET="+Made(43)+"=", "fernet: required", "Fernet specification; usage", nil,
			names.Phrase{Words: "fernet|hmac salt|hmac key|hmac secret|pepper|password pepper",
				Want: names.LikelySecret},
			names.Phrase{Words: "password salt|secret salt|token salt|session salt", Want: names.LikelySecret}),
		name("mnemonic", "mnemonic: "+strings.Repeat("abandon ", 11)+"about", "mnemonic: mov rax rbx", "BIP 39", nil,
			names.Phrase{Words: "mnemonic|mnemonic phrase|seed phrase|seed words|wallet seed",
				Want: names.MnemonicWords},
			names.Phrase{Words: "recovery phrase|secret recovery phrase", Want: names.MnemonicWords}),
		tok("oauth_code", Token{prefix: []string{"?code=", "&code=", "#code="},
			body: lex.Base64URL | lex.Percent | lex.Slash | lex.Dot | lex.Tilde | lex.Equals, Min: 16,
			after: len("?code="), check: checkFunc(isGrant)},
			"https://app.example.org/callback?code="+Made(40), "RFC 6749 4.1.2").
			unlike("https://app.example.org/error?code=ERR_CERT_AUTHORITY_INVALID"),
		{Name: "digest_response", Group: names.Secrets, Anchors: []string{"response="}, Form: digestResponse{},
			Example: `Authorization: Digest nonce="` + MadeHex(32) + `", uri="/", response="` + MadeHex(32) + `"`,
			Refused: "response=" + MadeHex(32), Source: "RFC 7616"},
	}
}

// isGrant says whether tok, behind the name, looks made by a machine.
func isGrant(tok []byte) bool { return candidate.IsMade(tok[len("?code="):]) }

// digestResponse is the form of what a client answers to a challenge: a hash of the password, with
// a nonce on the same line.
type digestResponse struct{}

func (digestResponse) Find(w names.Window, at, to int) names.Finding {
	const longest = 64
	b := w.Text
	if !names.StartsWord(b, at) {
		return names.Finding{}
	}
	start := (lex.Quote | lex.Backslash).Run(b, to, 4)
	end := lex.LowerHex.Run(b, start, longest+1)
	if w.Cut(end) && end-start <= longest {
		return names.Finding{Verdict: names.Undecided, Start: start}
	}
	if n := end - start; n != 32 && n != longest || !names.EndsWord(b, end) || !hasNonce(b[:at]) {
		return names.Finding{}
	}
	return names.Finding{Verdict: names.Match, Start: start, End: end}
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

// Excludes implements Excluder.
func (f digestResponse) Excludes(b []byte, at, to int) bool {
	start := (lex.Quote | lex.Backslash).Run(b, to, 4)
	return start == len(b) || !lex.LowerHex.Has(b[start])
}
