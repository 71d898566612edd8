package redact

import (
	"bytes"
	"slices"
	"strings"

	"github.com/kfw-dev/kfw/redact/candidate"
	"github.com/kfw-dev/kfw/redact/lex"
)

// synopses say where the command lines of programs have a secret, as their manuals do: programs, a
// colon, and the ways to give it with a bar between. A word in capitals stands for any: SECRET is
// taken out, TYPED and LIKELY only if they look like one, NAME is the name of a secret. Other words
// are as they are. What comes before a flag are commands of the program.
var synopses = parseSynopses([]string{
	// databases
	"mysql mysqldump mysqladmin mysqlimport mysqlshow mysqlcheck mysqlslap mysqlbinlog mysqlpump mysqlsh " +
		"mariadb mariadb-dump mariadb-admin mariadb-import mariadb-check: -pSECRET",
	"mysqladmin mariadb-admin: password SECRET",
	"mongo mongosh mongodump mongorestore mongoexport mongoimport mongostat mongotop mongofiles: -p SECRET",
	"redis-cli valkey-cli keydb-cli: -a SECRET",
	"sqlcmd bcp osql isql tsql mssql-cli: -P SECRET | -PSECRET",
	"cqlsh nodetool: -p SECRET | -pw SECRET",
	"clickhouse-client influx: -password SECRET",
	"asadmin impala-shell beeline: -p SECRET",
	"rabbitmqctl: add_user USER SECRET | change_password USER SECRET | authenticate_user USER SECRET",
	"rabbitmqadmin: -p SECRET",
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
	"npm yarn pnpm pip poetry git: config NAME SECRET | config set NAME SECRET",
	// any program of which it is known that it begins a command line
	anyProgram + ": -u USER:SECRET | --user USER:SECRET | --user=USER:SECRET | -U USER:SECRET | --auth USER:SECRET | " +
		"--auth=USER:SECRET | -a USER:SECRET | --from-literal KEY=SECRET | --from-literal=KEY=SECRET | -p LIKELY | -P LIKELY | " +
		"-a LIKELY | -k LIKELY | -w LIKELY | -t LIKELY | -pLIKELY | -PLIKELY",
	"ConvertTo-SecureString convertto-securestring: SECRET | -String SECRET",
})

// synopsis is one way to give a program a secret.
type synopsis struct {
	program  string
	commands []string // words, in this order, that stand between the program and the flag
	flag     string   // that the secret stands behind; empty: it stands behind operands
	operands []string // that stand between the commands and the secret
	isGlued  bool     // the value is the rest of the flag's word
	lead     string   // what the value has before the secret, behind a word if isUser
	isUser   bool
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
func parseSynopses(lines []string) (all []synopsis) {
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
func parseSynopsis(program string, words []string) synopsis {
	s := synopsis{program: program}
	last := len(words) - 1
	value := words[last]
	at := placeholderIn(value)
	switch {
	case at > 0 && strings.IndexByte("-/", value[0]) >= 0: // -pSECRET, --user=USER:SECRET
		s.flag, s.isGlued, value = value[:at], true, value[at:]
		s.commands = words[:last]
	case last > 0 && placeholderIn(words[last-1]) < 0:
		s.flag, s.commands = words[last-1], words[:last-1]
	default:
		first := 0
		for first < last && placeholderIn(words[first]) < 0 {
			first++
		}
		s.commands, s.operands = words[:first], words[first:last]
	}
	for _, s.want = range []string{"SECRET", "TYPED", "LIKELY"} {
		if lead, found := strings.CutSuffix(value, s.want); found {
			s.lead = strings.TrimLeft(lead, "ABCDEFGHIJKLMNOPQRSTUVWXYZ")
			s.isUser = len(s.lead) < len(lead)
			return s
		}
	}
	panic("redact: a synopsis without a secret: " + program)
}

// commandTable is synopses, by what a command line is recognized by.
type commandTable struct {
	programs map[string]bool          // true: in lists of arguments
	flags    map[string]*flagPrograms // by flag, if the secret is all of the value
	users    map[string]*flagPrograms // by flag, if a user stands before the secret
	numbers  map[string]uint8         // by program, of those with flags
	lengths  [256]uint32              // of their names, by what endsOf has of them: a bit for each
	operands map[string][]*synopsis   // by what stands before operands: the program and its commands
}

var commands = func() commandTable {
	t := commandTable{
		programs: make(map[string]bool),
		flags:    make(map[string]*flagPrograms),
		users:    make(map[string]*flagPrograms),
		numbers:  make(map[string]uint8),
		operands: make(map[string][]*synopsis),
	}
	for i := range synopses {
		s := &synopses[i]
		t.programs[s.program] = s.isInLists()
		if s.flag == "" {
			before := strings.Join(append([]string{s.program}, s.commands...), " ")
			t.operands[before] = append(t.operands[before], s)
			continue
		}
		flag := s.flag
		if !s.isGlued {
			flag += " "
		}
		flags := t.of(s.namesUser())
		if flags[flag] == nil {
			flags[flag] = &flagPrograms{of: make(map[uint8][]*synopsis)}
		}
		flags[flag].add(t.number(s.program), s)
	}
	return t
}()

// isInLists reports whether the program is looked for in lists of arguments: it is no command of a shell or of a
// file, and its name is none that many texts have, each of which would have to be looked at.
func (s *synopsis) isInLists() bool {
	switch s.program {
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

// anchorsOfFlags returns the anchors of the flags whose values have a user before the secret, or of the others.
func anchorsOfFlags(ofUsers bool) (anchors []string) {
	for flag := range commands.of(ofUsers) {
		anchors = append(anchors, foldDigits(strings.ToLower(flag)))
	}
	slices.Sort(anchors)
	return slices.Compact(anchors)
}

// anchorsOfOperands returns the anchors of the programs and commands whose operands are secrets.
func anchorsOfOperands() (anchors []string) {
	for before := range commands.operands {
		anchors = append(anchors, foldDigits(strings.ToLower(before))+" ")
	}
	slices.Sort(anchors)
	return slices.Compact(anchors)
}

// namesUser reports whether a user and a colon stand before the secret, which are taken out with it.
func (s *synopsis) namesUser() bool { return s.isUser && s.lead == ":" }

const (
	maxCommandLine = lex.LookBehind / 2 // of what stands before a flag
	longestProgram = maxName + 8        // of a word that ends in the name of a program
	longestSecret  = 256                // on a command line
)

// flagValue is the form of a secret behind a flag of a program that synopses name. ofUsers: the ones
// with a user before the secret.
type flagValue struct{ ofUsers bool }

func (f flagValue) find(w window, at, to int) finding {
	b := w.text
	if f.excludes(b, at, to) {
		return finding{}
	}
	programs := commands.of(f.ofUsers)[string(b[at:to])]
	if programs == nil {
		return finding{}
	}
	if next := skipBlanks(b, to); !w.cut(next) && (next == len(b) || b[to-1] == ' ' && b[next] == '-' ||
		b[to-1] != ' ' && next > to) {
		return finding{} // no value
	}
	s := programs.before(w, at)
	if s == nil {
		return finding{}
	}
	return s.value(w, to, s.isGlued && lex.Quote.Has(b[at-1]))
}

// excludes implements excluder.
func (flagValue) excludes(b []byte, at, _ int) bool {
	return at == 0 || !(lex.Whitespace | lex.Quote).Has(b[at-1]) || at > 1 && b[at-1] == '\n' && !isContinued(b[:at-1])
}

// before returns how the last program on the command line before at takes a secret, or nil.
func (p *flagPrograms) before(w window, at int) *synopsis {
	b := w.text
	start := lex.NonSpace.RunBack(b, at, longestProgram)
	if n, is := commands.numberOf(b[start:at]); is && p.has(n) { // a quote stands between it and the flag
		if s := p.synopsisOf(n, b, at, at); s != nil {
			return s
		}
	}
	words := &w.programs
	if words.first != &b[0] { // not the text that the cache is of
		words = &programWords{done: max(0, at-maxCommandLine)}
	}
	words.read(b, start)
	for _, word := range slices.Backward(words.words) {
		if word.end <= at-maxCommandLine {
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
	first *byte         // of the buffer that holds the text
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
			if number, is := commands.numberOf(word); is {
				p.words = append(p.words, programWord{next, number})
			}
		}
	}
}

// move shifts all places after the first by bytes of the text were dropped.
func (p *programWords) move(by int) {
	p.done = max(0, p.done-by)
	kept := p.words[:0]
	for _, word := range p.words {
		if word.end > by {
			kept = append(kept, programWord{word.end - by, word.number})
		}
	}
	p.words = kept
}

// clear forgets the text.
func (p *programWords) clear() { p.words, p.done = p.words[:0], 0 }

// flagPrograms are the programs whose flag takes a secret, by number.
type flagPrograms struct {
	of   map[uint8][]*synopsis
	bits [4]uint64 // which of has
}

// add adds a way to give a secret.
func (p *flagPrograms) add(number uint8, s *synopsis) {
	p.of[number] = append(p.of[number], s)
	p.bits[number/64] |= 1 << (number % 64)
}

// has reports whether the program takes a secret behind the flag.
func (p *flagPrograms) has(number uint8) bool { return p.bits[number/64]>>(number%64)&1 != 0 }

// synopsisOf returns the way to give a secret of a program whose name ends at b[end], if the
// command of the flag at b[at] begins with it; else nil.
func (p *flagPrograms) synopsisOf(number uint8, b []byte, end, at int) *synopsis {
	for _, s := range p.of[number] {
		if hasWords(b[end:at], s.commands) && commandStart(b, max(0, end-1), at) < end {
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
	if len(word) == 0 || word[0] == '-' && word[len(word)-1] != anyProgram[len(anyProgram)-1] {
		return 0, false
	}
	name := programIn(word)
	if len(name) == 0 || t.lengths[endsOf(name)]>>len(name)&1 == 0 {
		return 0, false
	}
	number, is = t.numbers[string(name)]
	return number, is
}

// programIn returns the name of a program that word ends in: without its path, quotes around it and ".exe".
func programIn(word []byte) []byte {
	for len(word) > 0 && lex.Quote.Has(word[len(word)-1]) {
		word = word[:len(word)-1]
	}
	if extension := len(word) - len(".exe"); extension > 0 && lex.EqualFold(word[extension:], ".exe") {
		word = word[:extension]
	}
	return word[lex.NameOfKey.RunBack(word, len(word), maxName):]
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

// commandStart returns where the command begins that b[:i] ends in, from at the earliest: behind a sign that separates
// commands and is not in quotes, or behind the end of a line that does not go on.
func commandStart(b []byte, from, i int) int {
	var single, double int
	for at := i - 1; at >= from; at-- {
		switch c := b[at]; c {
		case '\'':
			single++
		case '"':
			double++
		case '\n':
			if !isContinued(b[:at]) {
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

// isContinued reports whether a line ends in what shells have where the next one goes on with it.
func isContinued(line []byte) bool {
	line = bytes.TrimRight(line, "\r")
	n := len(line)
	return n > 0 && (line[n-1] == '\\' || n > 1 && lex.Blank.Has(line[n-2]) && (line[n-1] == '`' || line[n-1] == '^'))
}

// value finds the secret in the value of a flag, or an operand, that begins at i or behind blanks there. inQuotes:
// a quote stands before the flag, and so ends the value.
func (s *synopsis) value(w window, i int, inQuotes bool) finding {
	const shortest = 3
	b := w.text
	start := i
	if !s.isGlued {
		start = skipBlanks(b, i)
	}
	if w.cut(start) {
		return finding{verdict: undecided, start: i}
	}
	class, isQuoted := lex.NonSpace&^(lex.Quote|lex.Angle), false
	if start < len(b) && lex.Quote.Has(b[start]) {
		inQuotes = true
		start++
	}
	if inQuotes {
		class, isQuoted = lex.Everything&^(lex.Quote|lex.Newline), true
	}
	end := class.Run(b, start, longestSecret)
	switch {
	case w.marker(start) > 0:
		return finding{}
	case w.cut(end) && end-start < longestSecret:
		return finding{verdict: undecided, start: start}
	case end-start == longestSecret:
		return finding{}
	}
	secret := start
	switch {
	case s.isUser:
		size := bytes.Index(b[start:end], []byte(s.lead))
		if size < 0 || size == 0 && s.namesUser() {
			return finding{}
		}
		secret = start + size + len(s.lead)
	case !bytes.HasPrefix(b[start:end], []byte(s.lead)):
		return finding{}
	default:
		secret = start + len(s.lead)
	}
	if secret == end && !isQuoted && end < len(b) && lex.Quote.Has(b[end]) && s.lead != "" { // svc:"x y"
		secret, isQuoted = end+1, true
		end = (lex.Everything &^ (lex.Quote | lex.Newline)).Run(b, secret, longestSecret)
		if w.cut(end + 1) {
			return finding{verdict: undecided, start: start}
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
	if len(v) < shortest || w.marker(secret) > 0 || !s.accepts(v, isQuoted) {
		return finding{}
	}
	return finding{verdict: match, start: secret, end: end}
}

// withUser returns the match text[start:to] of a user and a secret, which is text[secret:end].
func (s *synopsis) withUser(b []byte, start, secret, end, to int) finding {
	if !isUserAndSecret(b[start:start+bytes.Index(b[start:end], []byte(s.lead))], b[secret:end]) {
		return finding{}
	}
	return finding{verdict: match, start: start, end: to}
}

// accepts reports whether v is a secret and stands for none: -p$PASS, -p[password], a port, -port=1, -pPASSWORD.
func (s *synopsis) accepts(v []byte, isQuoted bool) bool {
	if candidate.IsPlaceholder(v, isQuoted) || v[0] == '$' || v[0] == '[' || candidate.IsMetavariable(v) &&
		(lex.Upper|lex.HexUpper|lex.Underscore).Within(v) {
		return false
	}
	isPort := lex.EqualFold([]byte(s.flag), "-p") && (lex.Digits | lex.Colon).Within(v)
	isOption := s.isGlued && !isQuoted && s.lead == "" && bytes.IndexByte(v, '=') > 0
	isFlag := !s.isGlued && s.lead == "" && v[0] == '-'
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

// operandValue is the form of a secret that is an operand of a program that synopses name, behind other ones.
type operandValue struct{}

func (operandValue) find(w window, at, to int) finding {
	b := w.text
	if at > 0 && !(lex.Whitespace | lex.Quote | lex.Slash | lex.Paren).Has(b[at-1]) && !afterEscape(b, at) {
		return finding{}
	}
	for _, s := range commands.operands[string(b[at:to-1])] {
		if x := s.operand(w, to); x.verdict != noMatch {
			return x
		}
	}
	return finding{}
}

// operand finds the secret behind the operands that begin at i.
func (s *synopsis) operand(w window, i int) finding {
	const most = lex.MaxLook / 2
	b, from := w.text, i
	var p *phrase
	for n := 0; ; {
		i = skipBlanks(b, i)
		end, isDecided := wordEnd(w, i, from+most)
		switch {
		case !isDecided:
			return finding{verdict: undecided, start: from}
		case end == i:
			return finding{}
		case b[i] == '-' || b[i] == '/' && (s.program == "net" || s.program == "setx"):
			i = end // a flag
			continue
		case n == len(s.operands):
			return s.found(w, p, i)
		}
		operand := bytes.Trim(b[i:end], `"'`)
		switch pattern := s.operands[n]; {
		case pattern == "NAME":
			if p = w.phraseOf(operand); p == nil {
				return finding{}
			}
		case !isOperandOf(pattern, operand):
			return finding{}
		}
		n++
		i = end
	}
}

// phraseOf returns what makes the name sensitive that an operand ends in, or nil.
func (w window) phraseOf(operand []byte) *phrase {
	name := operand[lex.NameOfKey.RunBack(operand, len(operand), len(operand)):]
	if w.names == nil || len(name) == 0 || len(name) > maxName {
		return nil
	}
	p, _ := w.names.of(bytes.Trim(name, "-."))
	return p
}

// found returns the secret that begins at i, of a name if the synopsis has one.
func (s *synopsis) found(w window, p *phrase, i int) finding {
	x := s.value(w, i, false)
	if x.verdict != match || p == nil || p.isIn(w.text[x.start:x.end], true, w.around) {
		return x
	}
	return finding{}
}

// isOperandOf reports whether an operand has the letters that a pattern has around its word in capitals.
func isOperandOf(pattern string, operand []byte) bool {
	at := placeholderIn(pattern)
	before := pattern[:at]
	after := strings.TrimLeft(pattern[at:], "ABCDEFGHIJKLMNOPQRSTUVWXYZ")
	return bytes.HasPrefix(operand, []byte(before)) && bytes.HasSuffix(operand, []byte(after))
}

// skipBlanks returns where the next word of a command line begins.
func skipBlanks(b []byte, i int) int {
	for i < len(b) && (lex.Blank.Has(b[i]) || b[i] == '\\' && i+1 < len(b) && lex.Newline.Has(b[i+1]) ||
		lex.Newline.Has(b[i]) &&
			i > 0 && b[i-1] == '\\') {
		i++
	}
	return i
}

// wordEnd returns where the word of a shell ends that begins at i, behind the quotes around it; it ends at a
// sign that separates commands, too. It is i if there is none before limit.
func wordEnd(w window, i, limit int) (end int, isDecided bool) {
	b := w.text
	for end = i; end < len(b) && end < limit; {
		switch c := b[end]; {
		case lex.Quote.Has(c):
			size := bytes.IndexByte(b[end+1:min(len(b), limit)], c)
			if size < 0 {
				return len(b[:min(len(b), limit)]), !w.cut(min(len(b), limit))
			}
			end += size + 2
		case lex.Whitespace.Has(c), c == ';' || c == '|' || c == '&':
			return end, true
		default:
			end++
		}
	}
	return end, !w.cut(end)
}
