package names

import (
	"bytes"
	"hash/maphash"
	"strings"
	"unicode/utf8"

	"github.com/kfw-dev/kfw/internal/lex"
	"github.com/kfw-dev/kfw/redact/internal/candidate"
)

// Phrase is one or more words that make a name sensitive.
type Phrase struct {
	Words  string // the words, separated by spaces
	Rule   int    // index into the catalogue
	Whole  bool   // as a JSON key: whatever its value is, it is replaced
	Want   ValueKind
	Digits [2]int // for want == number: how many, from and to
	Min    int    // for want == LikelySecret: bytes, at least
	// Qualified: only with a word before it that tells whose it is.
	Qualified bool
	// MayBeID: what it names is often only an identifier, so a UUID or a hash is
	// not taken for a secret.
	MayBeID  bool
	AnyWord  bool // a plain word may be the value, in text too
	Typed    bool // people think the value out, and it may end in a number
	Proper   bool // the value has a capital, unless a program gives it
	NotPath  bool // in text, the path of a file is not the value
	IsListed bool // the value is the next of a list, and may be a name as well
	isGiven  bool // the value is the next argument, and may be a variable
	freeWord bool // any word may be the value up to a semicolon: it stands in a connection string
	IsLabel  bool // people give what it names a name, which may end in a number
	IsPlural bool // it names a collection: only texts in it that look made are secrets
	IsStatus bool // with a capital and a colon it is a result
	IsSecret bool // it names a secret, and not a person or what is theirs
	// IsArgument: the value is what follows a flag in an array, so another flag is none.
	IsArgument bool
	Formats    []*IDFormat // for want == FormedID
	Of         lex.Class   // all that the value has; 0: anything
	isForeign  bool        // the words have letters outside ASCII
}

// Names tells which names are sensitive: keys of JSON objects, and what stands
// before '=' or ':' in text. Case, '_', '-', '.' and spaces are ignored, so
// dbPassword, DB_PASSWORD and "db password" are the same three words.
type Names struct {
	phrases map[string]*Phrase   // by their words without separators
	lengths [256]uint64          // of the phrases that begin with a byte: a bit for each
	tails   [1 << 15 / 64]uint64 // of phrases: a bit for each that tailOf has
	last    map[string]bool      // a name that ends so is about a secret, not a secret
	first   map[string]bool      // or begins so
	after   map[string]bool      // words that may follow a phrase
	units   map[string]bool      // words that may follow one of last: what the number counts

	plainKeys   map[string]bool // words before a qualified phrase that make it harmless
	plainTokens map[string]bool // the same before the word token
	plainPins   map[string]bool // the same before the word pin
	plainSeeds  map[string]bool // the same before the word seed
	users       map[string]bool // words before a name that do not tell whose it is

	Chosen map[string]*Phrase // whole names, folded, that the caller chose: nil for harmless ones
}

// shortestGlued is the length of the shortest phrase that is found within a word.
const shortestGlued = 6

// MaxName is the length of the longest name; of a longer one, the end counts.
const MaxName = 64

// NewNames returns Names without phrases, with the words that may stand beside one.
func NewNames() *Names {
	return &Names{
		phrases: make(map[string]*Phrase),
		last: set(`name names url urls uri uris link href count counts type types policy policies id ids length len size
			expiry expires expire expiration expired exp at in on date time mtime timestamp created updated modified ttl age
			limit limits max min enabled disabled required optional allowed valid validity verified present exists set
			field fields label hint prompt path paths file files filename dir directory format version status state
			strength regex pattern rule rules validator schema usage used budget ref refs arn provider method scheme
			header headers manager service server endpoint host domain class error errors message placeholder title
			text description help input form page scope scopes normalize screen dialog component button view model table column store
			issuer audience index kind mode source plugin generator interval period days hours minutes seconds
			algorithm alg digest checksum sha fingerprint prefix suffix rotation env var example map list props
			handler callback func function test tests spec mock mgr realm variable encryption
	protocol protocols preference
			shape documentation doc docs override overrides encoding cipher returned added deprecated cursor
			order sort param params parameter parameters broker within timeout access encoder decoder filter factory
			builder reader writer parser resolver converter repository controller configurer strategy attribute attributes
			authority lifetime lifespan samesite map maps stdin location authentication check changed attempt attempts
			retry retries mgmt management hasher hashers`),
		first: set(`has is no max min num total count use uses with without allow disable enable require requires
			forgot update show hide test validate check verify get fetch load prompt completion public`),
		after: set(`value string plain raw old new current confirm confirmation confirmed repeat again encoded
			encrypted hash hashed prod production dev development live staging backup primary secondary data a b`),
		units: set(`ms sec secs utc gmt`),
		plainKeys: set(`cache public primary foreign sort partition object idempotency routing map dict hash row column
			unique index lookup group order message event metric label tag config setting settings option field
			shift arrow hot enter escape tab composite natural surrogate dedup deduplication range bucket storage
			job task queue project issue ticket epic parent item feature flag host known ssh gpg pgp rsa the a
			this that s3 redis registry protobuf answer translation i18n locale resource state content file the etag data last remote rest`),
		plainTokens: set(`page next prev previous continuation sync cancellation cancel pad eos bos unknown start end nesting
			first`),
		plainPins: set(`gpio led board analog digital input output button relay data clock cs sda scl rx tx reset irq interrupt power dc busy trigger
			echo buzzer motor servo sensor switch pwm spi i2c uart`),
		plainSeeds: set(`random rand rng prng hash shuffle test tests proptest quickcheck fuzz fuzzer sampling sample
			sampler split noise world map level torch numpy np cuda python tf jax global base initial init default
			dataset model train training generator generation simulation sim experiment env build run batch murmur
			siphash xxhash bloom`),
		users: set(`using use used uses by per each any all some every no one two same other another via under into over`),
	}
}

// IsPlain says whether w, before the word key, token or the like, makes it the
// name of something that is no secret.
func (n *Names) IsPlain(w []byte) bool {
	var b [MaxName]byte
	l := candidate.AppendLower(b[:0], w)
	return n.plainKeys[string(l)] || n.plainTokens[string(l)]
}

// Owns says whether w, before such a word, tells whose it is.
func (n *Names) Owns(w []byte) bool {
	var b [MaxName]byte
	return len(w) > 2 && lex.Letters.Has(w[0]) && !candidate.IsStopWord(w) &&
		!n.users[string(candidate.AppendLower(b[:0], w))]
}

func set(words string) map[string]bool {
	m := make(map[string]bool)
	for w := range strings.FieldsSeq(words) {
		m[w] = true
	}
	return m
}

// Of returns the phrase that makes name sensitive, or nil.
func (n *Names) Of(name []byte) *Phrase {
	const maxWords = MaxName/2 + 1
	if len(name) > MaxName {
		name = name[len(name)-MaxName:]
	}
	if p, ok := n.chosenAs(name); ok {
		return p
	}
	var text [MaxName]byte
	var ends [maxWords + 1]int // the words are text[ends[i]:ends[i+1]]
	words, size, isForeign := 0, 0, false
	numbered := uint64(0) // the words that a number stands before
	split := func() {
		if size > ends[words] && words < maxWords {
			words++
			ends[words] = size
		}
	}
	for i, c := range name {
		switch {
		case lex.Letters.Has(c):
			isUpper := (lex.HexUpper | lex.Upper).Has(c)
			if i > 0 && isUpper && (!(lex.HexUpper | lex.Upper).Has(name[i-1]) ||
				i+1 < len(name) && (lex.HexLower|lex.Lower).Has(name[i+1])) {
				split()
			}
			text[size] = lex.LowerByte(c)
			size++
		case (lex.High | lex.Wide).Has(c):
			isForeign = true
			text[size] = c
			size++
		default:
			if split(); lex.Digits.Has(c) {
				numbered |= 1 << words
			}
		}
	}
	split()
	at := func(i, j int) []byte { return text[ends[i]:ends[j]] }
	if words > 1 && n.first[string(at(0, 1))] {
		return nil
	}
	for j := words; j > 0; j-- {
		for i := max(0, j-6); i < j; i++ {
			p := n.phrase(at(i, j))
			if p != nil && numbered>>(i+1)&(1<<(j-i-1)-1) != 0 && strings.Count(p.Words, " ") < j-i-1 {
				p = nil // a number is in one of its words: passw0d
			}
			if p == nil && j == i+1 {
				p = n.glued(at(i, j))
			}
			if p == nil {
				continue
			}
			if isForeign && !p.isForeign { // in a sentence of another language
				return nil
			}
			if p.Qualified && (i == 0 || n.plainKeys[string(at(i-1, i))]) {
				continue
			}
			if i > 0 && p.Proper && !p.Whole && n.last[string(at(i-1, i))] { // of a service, a class
				continue
			}
			isOfProtocol := i > 1 && p.Words == "token" && protocolTokens[string(at(i-2, i))]
			if i > 0 && (isOfProtocol || n.isHarmless(p, at(i-1, i))) {
				continue
			}
			if j < words && (n.last[string(at(words-1, words))] ||
				j < words-1 && n.units[string(at(words-1, words))] && n.last[string(at(words-2, words-1))]) {
				return nil
			}
			if p.Want == LikelySecret || p.Want == Number || p.Want == FormedID {
				for k := j; k < words; k++ {
					if !n.after[string(at(k, k+1))] {
						return nil
					}
				}
			}
			return p
		}
	}
	return nil
}

// protocolTokens are the words before token that make it the name of a request (Language Server Protocol 3.17).
var protocolTokens = set(`workdone partialresult`)

// isHarmless reports whether the word before, in small letters, makes phrase p the name of
// something that is no secret.
func (n *Names) isHarmless(p *Phrase, before []byte) bool {
	switch p.Words {
	case "token":
		return n.plainTokens[string(before)]
	case "pin":
		return n.plainPins[string(before)]
	case "seed":
		return n.plainSeeds[string(before)]
	}
	return false
}

// phrase returns the phrase whose words are w, without separators, or nil. Most
// that it is asked for begin in a way, or have a length, that none has.
func (n *Names) phrase(w []byte) *Phrase {
	if n.lengths[w[0]]>>len(w)&1 == 0 {
		return nil
	}
	return n.phrases[string(w)]
}

// Add makes words one of the phrases.
func (n *Names) Add(p *Phrase) {
	w := strings.ReplaceAll(p.Words, " ", "")
	p.isForeign = strings.ContainsFunc(w, func(r rune) bool { return r >= utf8.RuneSelf })
	if same := n.phrases[w]; same != nil && len(same.Words) < len(p.Words) { // password, pass word
		p.Words = same.Words
	}
	n.phrases[w] = p
	n.lengths[w[0]] |= 1 << len(w)
	if len(w) >= 3 {
		tail := tailOf(w)
		n.tails[tail/64] |= 1 << (tail % 64)
	}
}

// tailOf folds the last three letters of w into 15 bits.
func tailOf[T string | []byte](w T) int {
	w = w[len(w)-3:]
	return int(w[0]&31)<<10 | int(w[1]&31)<<5 | int(w[2]&31)
}

// mayEnd says whether name may end with the last word of a phrase, if that has three
// letters or more: most that are no names do not.
func (n *Names) mayEnd(name []byte) bool {
	if len(n.Chosen) > 0 || len(name) < 3 {
		return len(n.Chosen) > 0
	}
	tail := tailOf(name)
	return n.tails[tail/64]>>(tail%64)&1 != 0
}

// glued finds a phrase of its own at the start or the end of a word in which
// words are not distinguished, such as dbpassword.
func (n *Names) glued(w []byte) *Phrase {
	if bytes.HasPrefix(w, []byte("no")) { // NOPASSWD
		return nil
	}
	for size := len(w) - 1; size >= shortestGlued; size-- {
		for _, part := range [2][]byte{w[len(w)-size:], w[:size]} {
			if p := n.phrase(part); p != nil && p.Want == AnySecret {
				return p
			}
		}
	}
	return nil
}

// AnchorsOf returns what the automaton looks for to find words, in every way to
// spell them. Of a spelling without a blank the beginning is enough: the rest of
// the name is read from there.
func AnchorsOf(words string) []string {
	const enough = 9
	if !strings.Contains(words, " ") {
		return []string{words}
	}
	a := append(make([]string, 0, 5), words)
	for _, sep := range [...]string{"", "_", "-", "."} {
		spelled := strings.ReplaceAll(words, " ", sep)
		a = append(a, spelled[:min(len(spelled), enough)])
	}
	return a
}

// NameCache remembers what names were looked up last: those of a stream's fields
// come again and again.
type NameCache struct {
	names   *Names
	seed    maphash.Seed
	entries [64]struct {
		hash   uint64
		phrase *Phrase
	}
}

// NewNameCache returns an empty cache of what n says. n must not change any more.
func NewNameCache(n *Names) NameCache { return NameCache{names: n, seed: maphash.MakeSeed()} }

// Of returns what names.of does, and a hash of name that can't be foreseen.
func (c *NameCache) Of(name []byte) (*Phrase, uint64) {
	hash := c.Hash(name)
	e := &c.entries[hash>>1%uint64(len(c.entries))]
	if e.hash != hash {
		e.hash, e.phrase = hash, c.names.Of(name)
	}
	return e.phrase, hash
}

// Hash returns the hash that Of returns for name. It is never 0, and another one in each cache.
func (c *NameCache) Hash(name []byte) uint64 { return maphash.Bytes(c.seed, name) | 1 } // 0 is an entry that is empty

// PairPart is what a field is of a pair such as {"name":"DB_PASSWORD","value":"..."}.
type PairPart uint8

const (
	NoPart     PairPart = iota // any other field
	PairName                   // what it holds is the name of the value
	PairValue                  // what it holds is the value
	KindKey                    // of an object of Kubernetes
	VersionKey                 // the same
	DataKey                    // the same
	SecretFlag                 // if it is true, the value beside it is a secret
	TypeKey                    // what it holds may say that the value beside it is a secret
	KeyName                    // what it holds is the name of a key, which is the value beside it
	KeyType                    // what it holds may say the same of the numbers of a key (RFC 7517)
	KeyNumber                  // a private number of a key, if its type stands beside it (RFC 7518)
)

// MayNameValue reports whether a part of a line may have a key of PairValue, by what all of these end with.
func MayNameValue(b []byte) bool {
	return bytes.Contains(b, []byte(`alue"`)) || bytes.Contains(b, []byte(`val"`))
}

// PartOf returns what a field with this name is of a pair, or of an object of Kubernetes. Case
// counts.
func PartOf(name []byte) PairPart {
	switch string(name) {
	case "name", "Name", "key", "Key", "variable", "variableName", "variable_name", "ParameterKey", "parameterKey",
		"parameter", "param", "setting", "property", "attribute", "field", "header":
		return PairName
	case "value", "Value", "val", "ParameterValue", "parameterValue":
		return PairValue
	case "sensitive", "Sensitive", "isSensitive", "is_sensitive", "isSecret", "is_secret", "IsSecret", "secret", "masked",
		"hidden", "secure", "isSecure", "is_secure":
		return SecretFlag
	case "type", "Type":
		return TypeKey
	case "keyName", "KeyName":
		return KeyName
	case "kty":
		return KeyType
	case "d", "p", "q", "dp", "dq", "qi", "k", "priv":
		return KeyNumber
	case "kind":
		return KindKey
	case "apiVersion":
		return VersionKey
	case "data", "stringData":
		return DataKey
	}
	return NoPart
}

// IsSecretType reports whether a member with such a type has a secret for its value: a parameter of AWS, a variable of
// Postman, a field of 1Password.
func IsSecretType(value []byte) bool {
	switch string(value) {
	case "SecureString", "secret", "Secret", "SECRET", "password", "Password", "PASSWORD", "CONCEALED", "sensitive":
		return true
	}
	return false
}

// MayBeKeyNumber reports whether value may be a private number of a key whose type is not known yet: at least 128 bits in
// base64.
func MayBeKeyNumber(value []byte) bool {
	const shortest = 22
	return len(value) >= shortest && lex.Base64URL.Within(value)
}

// AccountKey is a name of keys of accounts, whose value has to look like one.
const AccountKey = "primary key"

// IsKeyType reports whether value is a type of keys in JSON (RFC 7518 6.1, RFC 8037, RFC 9964).
func IsKeyType(value []byte) bool {
	switch string(value) {
	case "RSA", "EC", "oct", "OKP", "AKP":
		return true
	}
	return false
}

// PairNameIn returns what all of a line of YAML, HCL or a property list says of the value on the
// line after it, if that is sensitive: the name in - name: DB_PASSWORD and <key>password</key>,
// all of password: |.
func PairNameIn(line []byte, names *NameCache) []byte {
	const longest = 128
	if len(line) > longest {
		return nil
	}
	line = bytes.TrimSpace(bytes.TrimPrefix(line, []byte{'-'}))
	name, said := line, line
	if item := lex.Digits.Run(line, 0, longest); item > 0 && bytes.HasPrefix(line[item:], []byte(`) "`)) { // of Redis
		name = bytes.TrimSuffix(line[item+len(`) "`):], []byte{'"'})
		said = name
		// of PHP
	} else if key, isKey := bytes.CutSuffix(line, []byte(`"]=>`)); isKey && bytes.HasPrefix(key, []byte(`["`)) {
		name = key[len(`["`):]
		said = name
	} else if tag := bytes.IndexByte(line, '<'); tag >= 0 && lex.Blank.Run(line, lex.AnyPrefixEnd(line), longest) == tag {
		name, _, _ = bytes.Cut(line[tag+1:], []byte{'>'})
		if said = line[tag:]; len(said) > len(name)+2 { // <key>password</key>
			name, _, _ = bytes.Cut(said[len(name)+2:], []byte{'<'})
			said = name
		}
	} else {
		key := lex.NameOfKey.Run(line, 0, MaxName)
		sign := lex.Blank.Run(line, key, longest)
		if sign == len(line) || !(lex.Colon | lex.Equals).Has(line[sign]) {
			return nil
		}
		value := bytes.TrimSpace(line[sign+1:])
		switch {
		case PartOf(line[:key]) == PairName:
			if last := len(value) - 1; last > 0 && lex.Quote.Has(value[0]) && value[last] == value[0] {
				value = value[1:last]
			}
			name, said = value, value
		case len(value) > 0 && BlockHeader(value, 0) == len(value) && line[sign] == ':':
			name = line[:key]
		default:
			return nil
		}
	}
	if len(name) == 0 || len(name) > MaxName || !lex.NameOfKey.Within(name) {
		return nil
	}
	if p, _ := names.Of(bytes.Trim(name, "-.")); p == nil {
		return nil
	}
	return said
}

// NamePart is what the name of a chosen field is made of.
const NamePart = lex.Word | lex.Dash | lex.Dot | lex.Blank

// chosenAs returns what the caller chose name to be, if that is so: the name or
// what follows its last dot.
func (n *Names) chosenAs(name []byte) (*Phrase, bool) {
	if len(n.Chosen) == 0 {
		return nil, false
	}
	name = bytes.TrimRight(name, ".")
	if p, ok := n.chosenWhole(name); ok {
		return p, true
	}
	return n.chosenWhole(name[bytes.LastIndexByte(name, '.')+1:])
}

func (n *Names) chosenWhole(name []byte) (*Phrase, bool) {
	var b [MaxName]byte
	size := 0
	for _, c := range name[max(0, len(name)-MaxName):] {
		if lex.Alnum.Has(c) {
			b[size] = lex.LowerByte(c)
			size++
		} else if !NamePart.Has(c) {
			return nil, false
		}
	}
	p, ok := n.Chosen[string(b[:size])]
	return p, ok
}

// IsDescription reports whether key, in the value of p, describes that value: the type of a password,
// the name of a secret. Of personal data only a schema says such things: the name and the state in an
// address are part of it. A field that the caller chose has no such key, nor have the data of a Secret.
func (n *Names) IsDescription(key []byte, p *Phrase, g Group) bool {
	if p.Want == AnyValue || p.Want == PackedSecret {
		return false
	}
	if len(key) > len("public") && lex.EqualFold(key[:len("public")], "public") {
		return true
	}
	var b [MaxName]byte
	word := LastWord(b[:0], key)
	for _, w := range [][]byte{word, bytes.TrimSuffix(word, []byte{'s'})} {
		if schemaWords[string(w)] || g == Secrets && (n.last[string(w)] || referenceWords[string(w)]) {
			return true
		}
	}
	return false
}

// LastWord appends to b, in lower case, the last word of a key: name of secretName, ref of $ref.
func LastWord(b, key []byte) []byte {
	const capitals = lex.Upper | lex.HexUpper
	end := len(key)
	for end > 0 && !lex.Letters.Has(key[end-1]) {
		end--
	}
	start := end
	for start > 0 && lex.Letters.Has(key[start-1]) && end-start < cap(b) {
		start--
		if capitals.Has(key[start]) && start+1 < end && !capitals.Has(key[start+1]) {
			break
		}
	}
	return candidate.AppendLower(b, key[start:end])
}

// schemaWords are the words with which a schema describes a value (JSON Schema, OpenAPI 3.1).
var schemaWords = set(`type format description title required pattern length ref schema nullable deprecated example
	minimum maximum properties dependencies`)

// referenceWords are those that say where a secret is, which part of it, or who may use it
// (Kubernetes API, policies of access).
var referenceWords = set(`from namespace optional readonly mount volume operation action verb resource effect reason role
	permission group user subject owner principal decision annotation api uid kid`)

// FoldDigits returns s with each digit of ASCII written 0, as anchors have them.
func FoldDigits(s string) string {
	return strings.Map(func(r rune) rune {
		if r >= '0' && r <= '9' {
			return '0'
		}
		return r
	}, s)
}

// IsPath reports whether a key is a path from a root or an address, which names nothing of its value:
// @types/set-cookie-parser, /orgs/{org}/token. The path of an entry in a store is a name: db/password.
func IsPath(key []byte) bool {
	i := bytes.LastIndexByte(key, '/')
	return i >= 0 && bytes.IndexByte(key[i:], ':') < 0 &&
		(bytes.IndexByte([]byte("/@.~"), key[0]) >= 0 || bytes.IndexByte(key, '{') >= 0 ||
			bytes.Contains(key, []byte("://")))
}

// IsOfID reports whether the name around b[at] is that of an id: token_id, secretId.
func IsOfID(b []byte, at int) bool {
	name := b[at:lex.NameOfKey.Run(b, at, MaxName)]
	n := len(name) - len("id")
	return n > 0 && lex.EqualFold(name[n:], "id") && (!lex.Letters.Has(name[n-1]) || name[n] == 'I')
}
