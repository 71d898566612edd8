package names

import (
	"bytes"
	"slices"
	"strings"
	"sync"

	"github.com/kfw-dev/kfw/internal/lex"
	"github.com/kfw-dev/kfw/redact/internal/candidate"
)

// Synopses returns where the command lines of programs have a secret. They are parsed once, and never change.
var Synopses = sync.OnceValue(func() []Synopsis { return parseSynopses(manuals) })

// manuals say where the command lines of programs have a secret, as their manuals do: programs, a
// colon, and the ways to give it with a bar between. A word in capitals stands for any: SECRET is
// taken out, TYPED and LIKELY only if they look like one, NAME is the name of a secret. Other words
// are as they are. What comes before a flag are commands of the program.
var manuals = []string{
	// databases
	"mysql mysqldump mysqladmin mysqlimport mysqlshow mysqlcheck mysqlslap mysqlbinlog mysqlpump mysqlsh " +
		"mariadb mariadb-dump mariadb-admin mariadb-import mariadb-check: -pSECRET",
	"mysqladmin mariadb-admin: password SECRET",
	"mongo mongosh mongodump mongorestore mongoexport mongoimport mongostat mongotop mongofiles: -p SECRET",
	"redis-cli valkey-cli keydb-cli: -a SECRET",
	"sqlcmd bcp osql isql tsql mssql-cli: -P SECRET | -PSECRET",
	"cqlsh nodetool: -p SECRET | -pw SECRET",
	"clickhouse-client influx: -password SECRET",
	"cypher-shell mycli: -p SECRET",
	"elasticsearch-users: useradd USER -p SECRET",
	"asadmin impala-shell beeline: -p SECRET",
	"rabbitmqctl: add_user USER SECRET | change_password USER SECRET | authenticate_user USER SECRET",
	"rabbitmqadmin: -p SECRET",
	"expdp impdp exp imp sqlldr: USER/TYPED",
	"mosquitto_pub mosquitto_sub mosquitto_rr: -P SECRET",
	"mosquitto_passwd: -b FILE USER SECRET",
	"etcdctl: --user USER:SECRET | --user=USER:SECRET",
	// registries, clouds and clusters
	"docker podman buildah skopeo nerdctl helm az crane oras regctl ecr cf ibmcloud oc: login -p SECRET",
	"az: -p TYPED",
	"skopeo: --creds USER:SECRET | --creds=USER:SECRET | --src-creds USER:SECRET | --src-creds=USER:SECRET | " +
		"--dest-creds USER:SECRET | --dest-creds=USER:SECRET",
	"podman buildah: --creds USER:SECRET | --creds=USER:SECRET",
	"kubectl oc: --from-literal=KEY=SECRET | --from-literal KEY=SECRET",
	"heroku: config:set KEY=TYPED",
	"fly flyctl: secrets set KEY=TYPED",
	"vault: login TYPED",
	// transfers
	"curl: -u USER:SECRET | -uUSER:SECRET | --user USER:SECRET | --user=USER:SECRET | -U USER:SECRET | " +
		"-UUSER:SECRET | --proxy-user USER:SECRET | --proxy-user=USER:SECRET | -su USER:SECRET | -sSu USER:SECRET | " +
		"-ku USER:SECRET | -sku USER:SECRET | -skSu USER:SECRET | -fsSu USER:SECRET | --pass SECRET",
	"http https xh xhs: -a USER:SECRET | -aUSER:SECRET | --auth USER:SECRET | --auth=USER:SECRET",
	"ab: -A USER:SECRET | -P USER:SECRET",
	"lftp: -u USER,SECRET",
	"ncftp ncftpget ncftpput ncftpls: -p SECRET",
	"plink pscp psftp putty kitty winscp: -pw SECRET",
	"sshpass: -pSECRET | -p SECRET",
	"rclone: obscure SECRET",
	"swaks: -ap SECRET",
	"sendemail: -xp SECRET",
	// directories and Windows
	"ldapsearch ldapadd ldapmodify ldapdelete ldappasswd ldapwhoami ldapcompare ldapmodrdn: -w SECRET | -wTYPED",
	"ldappasswd: -s SECRET | -a SECRET",
	"smbclient rpcclient smbget smbcacls net: -U USER%SECRET | --user=USER%SECRET",
	`net net.exe: use \\SHARE TYPED | use DRIVE: \\SHARE TYPED | user USER TYPED`,
	"xfreerdp xfreerdp3 wlfreerdp sdl-freerdp mstsc cmdkey: /p:SECRET | /pass:SECRET",
	"psexec smbmap crackmapexec netexec nxc evil-winrm: -p SECRET",
	"schtasks: /rp SECRET",
	"winrs: -p:SECRET",
	"setx: NAME SECRET",
	// archives, keys and certificates
	"zip unzip zipcloak zipinfo funzip: -P SECRET",
	"7z 7za 7zr 7zz rar unrar: -pSECRET | -hpSECRET",
	"openssl: -k SECRET | -pass pass:SECRET | -passin pass:SECRET | -passout pass:SECRET | -password pass:SECRET",
	"keytool jarsigner: -storepass SECRET | -keypass SECRET | -new SECRET | -srcstorepass SECRET | " +
		"-deststorepass SECRET | -srckeypass SECRET | -destkeypass SECRET",
	"qpdf pdftk: user_pw SECRET | owner_pw SECRET",
	"pdftotext pdfinfo pdfimages: -upw SECRET | -opw SECRET",
	"ssh-keygen: -N SECRET | -P SECRET",
	"htpasswd: FILE USER SECRET | -nb USER SECRET | -nbB USER SECRET | -nbm USER SECRET | -Bnb USER SECRET",
	"wpa_passphrase: SSID SECRET",
	// machines
	"ipmitool ipmiutil: -P SECRET",
	"snmpget snmpwalk snmpset snmpbulkwalk snmptrap: -A SECRET | -X SECRET",
	"nmcli: password SECRET",
	"steamcmd: +login USER TYPED",
	"hydra medusa: -p SECRET",
	// variables and settings
	"setenv: NAME SECRET", // csh(1)
	"SetEnv: NAME SECRET", // Apache's mod_env
	"set: -gx NAME SECRET | -x NAME SECRET | -Ux NAME SECRET | -xg NAME SECRET | -lx NAME SECRET", // fish
	"ENV: NAME SECRET", // of a Dockerfile
	"aws: configure set NAME SECRET",
	"npm yarn pnpm pip poetry git composer bundle gcloud flutter pulumi redis-cli valkey-cli cscli: config NAME SECRET | " +
		"config set NAME SECRET",
	"pulumi: config set --secret KEY SECRET",
	"aws: secretsmanager create-secret --secret-string SECRET | secretsmanager put-secret-value --secret-string SECRET",
	"doctl: auth init -t SECRET",
	"glab: variable set NAME SECRET | variable update NAME SECRET",
	"gh: secret set -b SECRET | secret set -bSECRET | secret set --body SECRET",
	"doppler: secrets set NAME SECRET",
	"consul: kv put NAME SECRET",
	"etcdctl: put NAME SECRET | set NAME SECRET",
	"netlify: env:set NAME SECRET",
	"convex: env set NAME SECRET",
	"dotnet: user-secrets set NAME SECRET",
	"wp: config set NAME SECRET",
	"crudini: --set FILE KEY NAME SECRET",
	"stats: auth USER:SECRET", // of HAProxy
	"keyring: set KEY USER SECRET",
	"Set-Variable New-Variable: NAME SECRET",
	// accounts of programs
	"twine: upload -p SECRET",
	"cargo: login TYPED",
	"wandb: login TYPED",
	"ngrok: authtoken SECRET | config add-authtoken SECRET",
	"snyk codecov railway: auth TYPED | -t TYPED",
	"grafana-cli: admin reset-admin-password SECRET",
	"grafana: cli admin reset-admin-password SECRET",
	"composer poetry: config KEY USER TYPED | config KEY LIKELY",
	"mc: alias set KEY FILE USER SECRET | admin user add KEY USER SECRET",
	"bw: login USER SECRET | unlock TYPED",
	"occ: user:resetpassword -p SECRET",
	"drush: upwd USER SECRET | user:password USER SECRET",
	"ansible-vault: encrypt_string TYPED",
	"kadmin kadmin.local: -w SECRET | -pw SECRET",
	"security: -w TYPED",
	"samba-tool: user create USER SECRET | user add USER SECRET",
	// any program of which it is known that it begins a command line
	AnyProgram + ": -u USER:SECRET | --user USER:SECRET | --user=USER:SECRET | -U USER:SECRET | --auth USER:SECRET | " +
		"--auth=USER:SECRET | -a USER:SECRET | --from-literal KEY=SECRET | --from-literal=KEY=SECRET | -p LIKELY |" +
		" -P LIKELY | " +
		"-a LIKELY | -k LIKELY | -w LIKELY | -t LIKELY | -pLIKELY | -PLIKELY",
	"ConvertTo-SecureString convertto-securestring: SECRET | -String SECRET",
}

// Synopsis is one way to give a program a secret.
type Synopsis struct {
	Program  string
	Commands []string // words, in this order, that stand between the program and the flag
	Flag     string   // that the secret stands behind; empty: it stands behind operands
	Operands []string // that stand between the commands and the secret
	IsGlued  bool     // the value is the rest of the flag's word
	Lead     string   // what the value has before the secret, behind a word if isUser
	IsUser   bool
	want     string // SECRET, TYPED or LIKELY
}

// placeholderIn returns where the first word in capitals that stands for any begins in a word of a synopsis, or -1.
func placeholderIn(word string) int {
	first := -1
	for _, placeholder := range [...]string{"SECRET", "TYPED", "LIKELY", "USER", "KEY", "NAME", "FILE", "SHARE",
		"DRIVE", "SSID"} {
		if at := strings.Index(word, placeholder); at >= 0 && (first < 0 || at < first) {
			first = at
		}
	}
	return first
}

// parseSynopses reads the lines of synopses.
func parseSynopses(lines []string) (all []Synopsis) {
	for _, line := range lines {
		programs, ways, _ := strings.Cut(line, ": ")
		for program := range strings.FieldsSeq(programs) {
			for way := range strings.SplitSeq(ways, " | ") {
				all = append(all, parseSynopsis(program, strings.Fields(way)))
			}
		}
	}
	return all
}

// parseSynopsis reads one way to give a program a secret. The last of words has the secret.
func parseSynopsis(program string, words []string) Synopsis {
	s := Synopsis{Program: program}
	last := len(words) - 1
	value := words[last]
	at := placeholderIn(value)
	switch {
	case at > 0 && strings.IndexByte("-/", value[0]) >= 0: // -pSECRET, --user=USER:SECRET
		s.Flag, s.IsGlued, value = value[:at], true, value[at:]
		s.Commands = words[:last]
	case last > 0 && placeholderIn(words[last-1]) < 0:
		s.Flag, s.Commands = words[last-1], words[:last-1]
	default:
		first := 0
		for first < last && placeholderIn(words[first]) < 0 {
			first++
		}
		s.Commands, s.Operands = words[:first], words[first:last]
	}
	for _, s.want = range []string{"SECRET", "TYPED", "LIKELY"} {
		if lead, found := strings.CutSuffix(value, s.want); found {
			s.Lead = strings.TrimLeft(lead, "ABCDEFGHIJKLMNOPQRSTUVWXYZ")
			s.IsUser = len(s.Lead) < len(lead)
			return s
		}
	}
	panic("redact: a synopsis without a secret: " + program)
}

// commandTable is synopses, by what a command line is recognized by.
type commandTable struct {
	Programs map[string]bool          // true: in lists of arguments
	flags    map[string]*flagPrograms // by flag, if the secret is all of the value
	users    map[string]*flagPrograms // by flag, if a user stands before the secret
	numbers  map[string]uint8         // by program, of those with flags
	lengths  [256]uint32              // of their names, by what endsOf has of them: a bit for each
	operands map[string][]*Synopsis   // by what stands before operands: the program and its commands
}

// Commands returns the table of Synopses. It is built once and never changes.
var Commands = sync.OnceValue(func() *commandTable {
	t := &commandTable{
		Programs: make(map[string]bool),
		flags:    make(map[string]*flagPrograms),
		users:    make(map[string]*flagPrograms),
		numbers:  make(map[string]uint8),
		operands: make(map[string][]*Synopsis),
	}
	all := Synopses()
	for i := range all {
		s := &all[i]
		t.Programs[s.Program] = s.isInLists()
		if s.Flag == "" {
			before := strings.Join(append([]string{s.Program}, s.Commands...), " ")
			t.operands[before] = append(t.operands[before], s)
			continue
		}
		flag := s.Flag
		if !s.IsGlued {
			flag += " "
		}
		flags := t.of(s.namesUser())
		if flags[flag] == nil {
			flags[flag] = &flagPrograms{of: make(map[uint8][]*Synopsis)}
		}
		flags[flag].add(t.number(s.Program), s)
	}
	return t
})

// isInLists reports whether the program is looked for in lists of arguments: it is no command of a shell or of a
// file, and its name is none that many texts have, each of which would have to be looked at.
func (s *Synopsis) isInLists() bool {
	switch s.Program {
	case "set", "setenv", "SetEnv", "ENV", "http", "https", "net", "net.exe", "git", "ab", "cf", "oc", "xh", "pip",
		"7z":
		return false
	}
	return true
}

// of returns the flags whose values have a user before the secret, or the others.
func (t *commandTable) of(users bool) map[string]*flagPrograms {
	if users {
		return t.users
	}
	return t.flags
}

// AnchorsOfFlags returns the anchors of the flags whose values have a user before the secret, or of the others.
func AnchorsOfFlags(ofUsers bool) (anchors []string) {
	for flag := range Commands().of(ofUsers) {
		anchors = append(anchors, FoldDigits(strings.ToLower(flag)))
	}
	slices.Sort(anchors)
	return slices.Compact(anchors)
}

// AnchorsOfOperands returns the anchors of the programs and commands whose operands are secrets.
func AnchorsOfOperands() (anchors []string) {
	for before := range Commands().operands {
		anchors = append(anchors, FoldDigits(strings.ToLower(before))+" ")
	}
	slices.Sort(anchors)
	return slices.Compact(anchors)
}

// namesUser reports whether a user and a colon stand before the secret, which are taken out with it.
func (s *Synopsis) namesUser() bool { return s.IsUser && s.Lead == ":" }

const (
	MaxCommandLine = lex.LookBehind / 2 // of what stands before a flag
	longestProgram = MaxName + 8        // of a word that ends in the name of a program
	LongestSecret  = 256                // on a command line
)

// FlagValue is the form of a secret behind a flag of a program that synopses name. ofUsers: the ones
// with a user before the secret.
type FlagValue struct{ OfUsers bool }

// Find implements names.Form. The anchor is the flag, with a blank if its value is the next word.
func (f FlagValue) Find(w Window, at, to int) Finding {
	b := w.Text
	if f.Excludes(b, at, to) {
		return Finding{}
	}
	programs := Commands().of(f.OfUsers)[string(b[at:to])]
	if programs == nil {
		return Finding{}
	}
	if next := SkipBlanks(b, to); !w.Cut(next) && (next == len(b) || b[to-1] == ' ' && b[next] == '-' ||
		b[to-1] != ' ' && next > to) {
		return Finding{} // no value
	}
	s := programs.before(w, at)
	if s == nil {
		return Finding{}
	}
	return s.value(w, to, s.IsGlued && lex.Quote.Has(b[at-1]))
}

// Excludes implements detect.Excluder.
func (FlagValue) Excludes(b []byte, at, _ int) bool {
	return at == 0 || !(lex.Whitespace | lex.Quote).Has(b[at-1]) || at > 1 && b[at-1] == '\n' && !IsContinued(b[:at-1])
}

// before returns how the last program on the command line before at takes a secret, or nil.
func (p *flagPrograms) before(w Window, at int) *Synopsis {
	b := w.Text
	start := lex.NonSpace.RunBack(b, at, longestProgram)
	if n, is := Commands().numberOf(b[start:at]); is && p.has(n) { // a quote stands between it and the flag
		if s := p.synopsisOf(n, b, at, at); s != nil {
			return s
		}
	}
	words := &w.Programs
	if words.First != &b[0] { // not the text that the cache is of
		words = &programWords{done: max(0, at-MaxCommandLine)}
	}
	words.read(b, start)
	for _, word := range slices.Backward(words.words) {
		if word.end <= at-MaxCommandLine {
			break
		}
		if word.end > start || !p.has(word.number) {
			continue
		}
		if s := p.synopsisOf(word.number, b, word.end, at); s != nil {
			return s
		}
	}
	return nil
}

// programWords caches the words of a text that end in the name of a program, so that each byte is read once, however
// many flags follow.
type programWords struct {
	First *byte         // of the buffer that holds the text
	words []programWord // in order
	done  int           // how much of the text was read
}

// programWord is a word that ends in the name of a program.
type programWord struct {
	end    int // in the text
	number uint8
}

// read reads b up to to, which must be the end of a word.
func (p *programWords) read(b []byte, to int) {
	for ; p.done < to; p.done++ {
		if next := p.done + 1; !lex.Whitespace.Has(b[p.done]) && (next == to || lex.Whitespace.Has(b[next])) {
			word := b[lex.NonSpace.RunBack(b, next, longestProgram):next]
			if number, is := Commands().numberOf(word); is {
				p.words = append(p.words, programWord{next, number})
			}
		}
	}
}

// Move shifts all places after the first by bytes of the text were dropped.
func (p *programWords) Move(by int) {
	p.done = max(0, p.done-by)
	kept := p.words[:0]
	for _, word := range p.words {
		if word.end > by {
			kept = append(kept, programWord{word.end - by, word.number})
		}
	}
	p.words = kept
}

// Clear forgets the text.
func (p *programWords) Clear() { p.words, p.done = p.words[:0], 0 }

// flagPrograms are the programs whose flag takes a secret, by number.
type flagPrograms struct {
	of   map[uint8][]*Synopsis
	bits [4]uint64 // which of has
}

// add adds a way to give a secret.
func (p *flagPrograms) add(number uint8, s *Synopsis) {
	p.of[number] = append(p.of[number], s)
	p.bits[number/64] |= 1 << (number % 64)
}

// has reports whether the program takes a secret behind the flag.
func (p *flagPrograms) has(number uint8) bool { return p.bits[number/64]>>(number%64)&1 != 0 }

// synopsisOf returns the way to give a secret of a program whose name ends at b[end], if the
// command of the flag at b[at] begins with it; else nil.
func (p *flagPrograms) synopsisOf(number uint8, b []byte, end, at int) *Synopsis {
	for _, s := range p.of[number] {
		if hasWords(b[end:at], s.Commands) && CommandStart(b, max(0, end-1), at) < end {
			return s
		}
	}
	return nil
}

// endsOf returns a number that tells names by their first and their last byte.
func endsOf(name []byte) byte { return name[0]*7 + name[len(name)-1] }

// number returns the number of a program, a new one if it has none.
func (t *commandTable) number(program string) uint8 {
	number, is := t.numbers[program]
	if !is {
		if len(t.numbers) > 255 {
			panic("redact: more than 256 programs with flags")
		}
		number = uint8(len(t.numbers))
		t.numbers[program] = number
		t.lengths[endsOf([]byte(program))] |= 1 << len(program)
	}
	return number
}

// numberOf returns the number of the program whose name word ends in; is is false if word ends in no such name.
func (t *commandTable) numberOf(word []byte) (number uint8, is bool) {
	if len(word) == 0 || word[0] == '-' && word[len(word)-1] != AnyProgram[len(AnyProgram)-1] {
		return 0, false
	}
	name := ProgramIn(word)
	if len(name) == 0 || t.lengths[endsOf(name)]>>len(name)&1 == 0 {
		return 0, false
	}
	number, is = t.numbers[string(name)]
	return number, is
}

// ProgramIn returns the name of a program that word ends in: without its path, quotes around it and ".exe".
func ProgramIn(word []byte) []byte {
	for len(word) > 0 && lex.Quote.Has(word[len(word)-1]) {
		word = word[:len(word)-1]
	}
	if extension := len(word) - len(".exe"); extension > 0 && lex.EqualFold(word[extension:], ".exe") {
		word = word[:extension]
	}
	return word[lex.NameOfKey.RunBack(word, len(word), MaxName):]
}

// hasWords reports whether line has the words, in their order.
func hasWords(line []byte, words []string) bool {
	for _, word := range words {
		found := false
		for !found && len(line) > 0 {
			start := (lex.Whitespace | lex.Quote).Run(line, 0, len(line))
			end := (lex.NonSpace &^ lex.Quote).Run(line, start, len(line))
			found = string(line[start:end]) == word
			line = line[end:]
		}
		if !found {
			return false
		}
	}
	return true
}

// CommandStart returns where the command begins that b[:i] ends in, from at the earliest: behind a sign that separates
// commands and is not in quotes, or behind the end of a line that does not go on.
func CommandStart(b []byte, from, i int) int {
	var single, double int
	for at := i - 1; at >= from; at-- {
		switch c := b[at]; c {
		case '\'':
			single++
		case '"':
			double++
		case '\n':
			if !IsContinued(b[:at]) {
				return at + 1
			}
		case ';', '|', '&':
			isApart := at+1 == i || lex.Whitespace.Has(b[at+1]) || at > 0 &&
				(lex.Whitespace.Has(b[at-1]) || b[at-1] == c)
			if isApart && single%2 == 0 && double%2 == 0 {
				return at + 1
			}
		}
	}
	return from
}

// IsContinued reports whether a line ends in what shells have where the next one goes on with it.
func IsContinued(line []byte) bool {
	line = bytes.TrimRight(line, "\r")
	n := len(line)
	return n > 0 && (line[n-1] == '\\' || n > 1 && lex.Blank.Has(line[n-2]) && (line[n-1] == '`' || line[n-1] == '^'))
}

// value finds the secret in the value of a flag, or an operand, that begins at i or behind blanks there. inQuotes:
// a quote stands before the flag, and so ends the value.
func (s *Synopsis) value(w Window, i int, inQuotes bool) Finding {
	const shortest = 3
	b := w.Text
	start := i
	if !s.IsGlued {
		start = SkipBlanks(b, i)
	}
	if w.Cut(start) {
		return Finding{Verdict: Undecided, Start: i}
	}
	class, isQuoted := lex.NonSpace&^(lex.Quote|lex.Angle), false
	if start < len(b) && lex.Quote.Has(b[start]) {
		inQuotes = true
		start++
	}
	if inQuotes {
		class, isQuoted = lex.Everything&^(lex.Quote|lex.Newline), true
	}
	end := class.Run(b, start, LongestSecret)
	switch {
	case w.Marker(start) > 0:
		return Finding{}
	case w.Cut(end) && end-start < LongestSecret:
		return Finding{Verdict: Undecided, Start: start}
	case end-start == LongestSecret:
		return Finding{}
	}
	secret := start
	switch {
	case s.IsUser:
		size := bytes.Index(b[start:end], []byte(s.Lead))
		if size < 0 || size == 0 && s.namesUser() {
			return Finding{}
		}
		secret = start + size + len(s.Lead)
	case !bytes.HasPrefix(b[start:end], []byte(s.Lead)):
		return Finding{}
	default:
		secret = start + len(s.Lead)
	}
	if secret == end && !isQuoted && end < len(b) && lex.Quote.Has(b[end]) && s.Lead != "" { // svc:"x y"
		secret, isQuoted = end+1, true
		end = (lex.Everything &^ (lex.Quote | lex.Newline)).Run(b, secret, LongestSecret)
		if w.Cut(end + 1) {
			return Finding{Verdict: Undecided, Start: start}
		}
		if s.namesUser() && end < len(b) && lex.Quote.Has(b[end]) { // which is taken out with the user
			return s.withUser(b, start, secret, end, end+1)
		}
	}
	if next := bytes.IndexAny(b[secret:end], ";|"); next >= 0 && !isQuoted {
		end = secret + next
	}
	v := b[secret:end]
	if s.namesUser() {
		return s.withUser(b, start, secret, end, end)
	}
	if len(v) < shortest || w.Marker(secret) > 0 || !s.accepts(v, isQuoted) {
		return Finding{}
	}
	return Finding{Verdict: Match, Start: secret, End: end}
}

// withUser returns the match text[start:to] of a user and a secret, which is text[secret:end].
func (s *Synopsis) withUser(b []byte, start, secret, end, to int) Finding {
	if !isUserAndSecret(b[start:start+bytes.Index(b[start:end], []byte(s.Lead))], b[secret:end]) {
		return Finding{}
	}
	return Finding{Verdict: Match, Start: start, End: to}
}

// accepts reports whether v is a secret and stands for none: -p$PASS, -p[password], a port, -port=1, -pPASSWORD.
func (s *Synopsis) accepts(v []byte, isQuoted bool) bool {
	if candidate.IsPlaceholder(v, isQuoted) || v[0] == '$' || v[0] == '[' || candidate.IsMetavariable(v) &&
		(lex.Upper|lex.HexUpper|lex.Underscore).Within(v) {
		return false
	}
	isPort := lex.EqualFold([]byte(s.Flag), "-p") && (lex.Digits | lex.Colon).Within(v)
	isOption := s.IsGlued && !isQuoted && s.Lead == "" && bytes.IndexByte(v, '=') > 0
	isFlag := !s.IsGlued && s.Lead == "" && v[0] == '-'
	if isPort || isOption || isFlag {
		return false
	}
	switch s.want {
	case "TYPED":
		return candidate.IsTyped(v) || candidate.IsLikelySecret(v)
	case "LIKELY":
		return (candidate.IsTyped(v) || candidate.IsLikelySecret(v)) && bytes.IndexByte(v, '/') < 0
	}
	return true
}

// isUserAndSecret reports whether user and secret are no ids, and neither stands for another.
func isUserAndSecret(user, secret []byte) bool {
	switch {
	case len(user) == 0, bytes.Contains(user, []byte(lex.MarkerStart)), bytes.Contains(secret, []byte(lex.MarkerStart)),
		candidate.IsPlaceholder(user, true), lex.Digits.Within(user) && lex.Digits.Within(secret):
		return false
	case len(secret) == 0:
		return candidate.IsLikelySecret(user)
	}
	return !candidate.IsPlaceholder(secret, false)
}

// OperandValue is the form of a secret that is an operand of a program that synopses name, behind other ones.
type OperandValue struct{}

// Find implements names.Form. The anchor is the program, its commands and a blank.
func (OperandValue) Find(w Window, at, to int) Finding {
	b := w.Text
	if at > 0 && !(lex.Whitespace | lex.Quote | lex.Slash | lex.Paren).Has(b[at-1]) && !AfterEscape(b, at) {
		return Finding{}
	}
	for _, s := range Commands().operands[string(b[at:to-1])] {
		if x := s.operand(w, to); x.Verdict != NoMatch {
			return x
		}
	}
	return Finding{}
}

// operand finds the secret behind the operands that begin at i.
func (s *Synopsis) operand(w Window, i int) Finding {
	const most = lex.MaxLook / 2
	b, from := w.Text, i
	var p *Phrase
	for n := 0; ; {
		i = SkipBlanks(b, i)
		end, isDecided := wordEnd(w, i, from+most)
		switch {
		case !isDecided:
			return Finding{Verdict: Undecided, Start: from}
		case end == i:
			return Finding{}
		case b[i] == '-' || b[i] == '/' && (s.Program == "net" || s.Program == "setx"):
			i = end // a flag
			continue
		case n == len(s.Operands):
			return s.found(w, p, i)
		}
		operand := bytes.Trim(b[i:end], `"'`)
		switch pattern := s.Operands[n]; {
		case pattern == "NAME":
			if p = w.phraseOf(operand); p == nil { // the value of a flag before it
				i = end
				continue
			}
		case !isOperandOf(pattern, operand):
			return Finding{}
		}
		n++
		i = end
	}
}

// found returns the secret that begins at i, of a name if the synopsis has one.
func (s *Synopsis) found(w Window, p *Phrase, i int) Finding {
	x := s.value(w, i, false)
	if x.Verdict != Match || p == nil || p.IsIn(w.Text[x.Start:x.End], true, w.Around) {
		return x
	}
	return Finding{}
}

// isOperandOf reports whether an operand has the letters that a pattern has around its word in capitals.
func isOperandOf(pattern string, operand []byte) bool {
	at := placeholderIn(pattern)
	before := pattern[:at]
	after := strings.TrimLeft(pattern[at:], "ABCDEFGHIJKLMNOPQRSTUVWXYZ")
	return bytes.HasPrefix(operand, []byte(before)) && bytes.HasSuffix(operand, []byte(after))
}

// SkipBlanks returns where the next word of a command line begins.
func SkipBlanks(b []byte, i int) int {
	for i < len(b) && (lex.Blank.Has(b[i]) || b[i] == '\\' && i+1 < len(b) && lex.Newline.Has(b[i+1]) ||
		lex.Newline.Has(b[i]) &&
			i > 0 && b[i-1] == '\\') {
		i++
	}
	return i
}

// wordEnd returns where the word of a shell ends that begins at i, behind the quotes around it; it ends at a
// sign that separates commands, too. It is i if there is none before limit.
func wordEnd(w Window, i, limit int) (end int, isDecided bool) {
	b := w.Text
	for end = i; end < len(b) && end < limit; {
		switch c := b[end]; {
		case lex.Quote.Has(c):
			size := bytes.IndexByte(b[end+1:min(len(b), limit)], c)
			if size < 0 {
				return len(b[:min(len(b), limit)]), !w.Cut(min(len(b), limit))
			}
			end += size + 2
		case lex.Whitespace.Has(c), c == ';' || c == '|' || c == '&':
			return end, true
		default:
			end++
		}
	}
	return end, !w.Cut(end)
}

// AnyProgram is a program of synopses that stands for each one: it is what a command line is said to begin with
// that is known to be one.
const AnyProgram = "--any-program"
