package redact

import (
	"bytes"
	"hash/maphash"
	"strings"
	"unicode/utf8"

	"github.com/kfw-dev/kfw/redact/candidate"
	"github.com/kfw-dev/kfw/redact/lex"
)

// phrase is one or more words that make a name sensitive.
type phrase struct {
	words  string // the words, separated by spaces
	rule   int    // index into the catalogue
	whole  bool   // as a JSON key: whatever its value is, it is replaced
	want   valueKind
	digits [2]int // for want == number: how many, from and to
	min    int    // for want == likelySecret: bytes, at least
	// qualified: only with a word before it that tells whose it is.
	qualified bool
	// mayBeID: what it names is often only an identifier, so a UUID or a hash is
	// not taken for a secret.
	mayBeID  bool
	anyWord  bool // a plain word may be the value, in text too
	typed    bool // people think the value out, and it may end in a number
	proper   bool // the value has a capital, unless a program gives it
	notPath  bool // in text, the path of a file is not the value
	isListed bool // the value is the next of a list, and may be a name as well
	isGiven  bool // the value is the next argument, and may be a variable
	freeWord bool // any word may be the value up to a semicolon: it stands in a connection string
	isLabel  bool // people give what it names a name, which may end in a number
	isStatus bool // with a capital and a colon it is a result
	// isArgument: the value is what follows a flag in an array, so another flag is none.
	isArgument bool
	forms      []*idForm // for want == formedID
	of         lex.Class // all that the value has; 0: anything
	isForeign  bool      // the words have letters outside ASCII
}

// names tells which names are sensitive: keys of JSON objects, and what stands
// before '=' or ':' in text. Case, '_', '-', '.' and spaces are ignored, so
// dbPassword, DB_PASSWORD and "db password" are the same three words.
type names struct {
	phrases map[string]*phrase   // by their words without separators
	lengths [256]uint64          // of the phrases that begin with a byte: a bit for each
	tails   [1 << 15 / 64]uint64 // of phrases: a bit for each that tailOf has
	last    map[string]bool      // a name that ends so is about a secret, not a secret
	first   map[string]bool      // or begins so
	after   map[string]bool      // words that may follow a phrase

	plainKeys   map[string]bool // words before a qualified phrase that make it harmless
	plainTokens map[string]bool // the same before the word token
	plainPins   map[string]bool // the same before the word pin
	plainSeeds  map[string]bool // the same before the word seed
	users       map[string]bool // words before a name that do not tell whose it is

	chosen map[string]*phrase // whole names, folded, that the caller chose: nil for harmless ones
}

// shortestGlued is the length of the shortest phrase that is found within a word.
const shortestGlued = 6

// maxName is the length of the longest name; of a longer one, the end counts.
const maxName = 64

func newNames() *names {
	return &names{
		phrases: make(map[string]*phrase),
		last: set(`name names url urls uri uris link href count counts type types policy policies id ids length len size
			expiry expires expire expiration expired exp at in on date time timestamp created updated modified ttl age
			limit limits max min enabled disabled required optional allowed valid validity verified present exists set
			field fields label hint prompt path paths file files filename dir directory format version status state
			strength regex pattern rule rules validator schema usage used budget ref refs arn provider method scheme
			header headers manager service server endpoint host domain class error errors message placeholder title
			text description help input form page scope scopes normalize screen dialog component button view model table column store
			issuer audience index kind mode source plugin generator interval period days hours minutes seconds
			algorithm alg digest checksum sha fingerprint prefix suffix rotation env var example map list props
			handler callback func function test tests spec mock mgr realm variable encryption protocol protocols preference`),
		first: set(`has is no max min num total count use uses with without allow disable enable require requires
			forgot show hide test validate check verify get fetch load prompt completion public`),
		after: set(`value string plain raw old new current confirm confirmation confirmed repeat again encoded
			encrypted hash hashed prod production dev development live staging backup primary secondary data a b`),
		plainKeys: set(`cache public primary foreign sort partition object idempotency routing map dict hash row column
			unique index lookup group order message event metric label tag config setting settings option field
			shift arrow hot enter escape tab composite natural surrogate dedup deduplication range bucket storage
			job task queue project issue ticket epic parent item feature flag host known ssh gpg pgp rsa the a
			this that s3 redis registry protobuf answer translation i18n locale resource state content file the etag data last remote rest`),
		plainTokens: set(`page next prev previous continuation sync cancellation cancel pad eos bos unknown start end nesting first`),
		plainPins: set(`gpio led board analog digital input output button relay data clock cs sda scl rx tx reset irq interrupt power dc busy trigger
			echo buzzer motor servo sensor switch pwm spi i2c uart`),
		plainSeeds: set(`random rand rng prng hash shuffle test tests proptest quickcheck fuzz fuzzer sampling sample
			sampler split noise world map level torch numpy np cuda python tf jax global base initial init default
			dataset model train training generator generation simulation sim experiment env build run batch murmur
			siphash xxhash bloom`),
		users: set(`using use used uses by per each any all some every no one two same other another via under into over`),
	}
}

// isPlain says whether w, before the word key, token or the like, makes it the
// name of something that is no secret.
func (n *names) isPlain(w []byte) bool {
	var b [maxName]byte
	l := candidate.AppendLower(b[:0], w)
	return n.plainKeys[string(l)] || n.plainTokens[string(l)]
}

// owns says whether w, before such a word, tells whose it is.
func (n *names) owns(w []byte) bool {
	var b [maxName]byte
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

// of returns the phrase that makes name sensitive, or nil.
func (n *names) of(name []byte) *phrase {
	const maxWords = maxName/2 + 1
	if len(name) > maxName {
		name = name[len(name)-maxName:]
	}
	if p, ok := n.chosenAs(name); ok {
		return p
	}
	var text [maxName]byte
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
			if p != nil && numbered>>(i+1)&(1<<(j-i-1)-1) != 0 && strings.Count(p.words, " ") < j-i-1 {
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
			if p.qualified && (i == 0 || n.plainKeys[string(at(i-1, i))]) {
				continue
			}
			if i > 0 && p.proper && !p.whole && n.last[string(at(i-1, i))] { // of a service, a class
				continue
			}
			if i > 0 && n.isHarmless(p, at(i-1, i)) {
				continue
			}
			if j < words && n.last[string(at(words-1, words))] {
				return nil
			}
			if p.want == likelySecret || p.want == number || p.want == formedID {
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

// isHarmless reports whether the word before, in small letters, makes phrase p the name of
// something that is no secret.
func (n *names) isHarmless(p *phrase, before []byte) bool {
	switch p.words {
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
func (n *names) phrase(w []byte) *phrase {
	if n.lengths[w[0]]>>len(w)&1 == 0 {
		return nil
	}
	return n.phrases[string(w)]
}

// add makes words one of the phrases.
func (n *names) add(p *phrase) {
	w := strings.ReplaceAll(p.words, " ", "")
	p.isForeign = strings.ContainsFunc(w, func(r rune) bool { return r >= utf8.RuneSelf })
	if same := n.phrases[w]; same != nil && len(same.words) < len(p.words) { // password, pass word
		p.words = same.words
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
func (n *names) mayEnd(name []byte) bool {
	if len(n.chosen) > 0 || len(name) < 3 {
		return len(n.chosen) > 0
	}
	tail := tailOf(name)
	return n.tails[tail/64]>>(tail%64)&1 != 0
}

// glued finds a phrase of its own at the start or the end of a word in which
// words are not told apart, such as dbpassword.
func (n *names) glued(w []byte) *phrase {
	for size := len(w) - 1; size >= shortestGlued; size-- {
		for _, part := range [2][]byte{w[len(w)-size:], w[:size]} {
			if p := n.phrase(part); p != nil && p.want == anySecret {
				return p
			}
		}
	}
	return nil
}

// anchorsOf returns what the automaton looks for to find words, in every way to
// spell them. Of a spelling without a blank the beginning is enough: the rest of
// the name is read from there.
func anchorsOf(words string) []string {
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

// nameCache remembers what names were looked up last: those of a stream's fields
// come again and again.
type nameCache struct {
	names   *names
	seed    maphash.Seed
	entries [64]struct {
		hash   uint64
		phrase *phrase
	}
}

func newNameCache(n *names) nameCache { return nameCache{names: n, seed: maphash.MakeSeed()} }

// of returns what names.of does, and a hash of name that nobody can foresee.
func (c *nameCache) of(name []byte) (*phrase, uint64) {
	hash := c.hash(name)
	e := &c.entries[hash>>1%uint64(len(c.entries))]
	if e.hash != hash {
		e.hash, e.phrase = hash, c.names.of(name)
	}
	return e.phrase, hash
}

func (c *nameCache) hash(name []byte) uint64 { return maphash.Bytes(c.seed, name) | 1 } // 0 is an entry that is empty

// pairPart is what a field is of a pair such as {"name":"DB_PASSWORD","value":"..."}.
type pairPart uint8

const (
	noPart pairPart = iota
	pairName
	pairValue
	kindKey    // of an object of Kubernetes
	versionKey // the same
	dataKey    // the same
)

func partOf(name []byte) pairPart {
	switch string(name) {
	case "name", "Name", "key", "Key", "variable", "ParameterKey", "parameterKey":
		return pairName
	case "value", "Value", "ParameterValue", "parameterValue":
		return pairValue
	case "kind":
		return kindKey
	case "apiVersion":
		return versionKey
	case "data", "stringData":
		return dataKey
	}
	return noPart
}

// pairNameIn returns what all of a line of YAML, HCL or a property list says of the value on the
// line after it, if that is sensitive: the name in - name: DB_PASSWORD and <key>password</key>,
// all of password: |.
func pairNameIn(line []byte, names *nameCache) []byte {
	const longest = 128
	if len(line) > longest {
		return nil
	}
	line = bytes.TrimSpace(bytes.TrimPrefix(line, []byte{'-'}))
	name, said := line, line
	if property, isKey := bytes.CutPrefix(line, []byte("<key>")); isKey {
		name, _ = bytes.CutSuffix(property, []byte("</key>"))
		said = name
	} else {
		key := lex.NameOfKey.Run(line, 0, maxName)
		sign := lex.Blank.Run(line, key, longest)
		if sign == len(line) || !(lex.Colon | lex.Equals).Has(line[sign]) {
			return nil
		}
		value := bytes.TrimSpace(line[sign+1:])
		switch {
		case partOf(line[:key]) == pairName:
			if last := len(value) - 1; last > 0 && lex.Quote.Has(value[0]) && value[last] == value[0] {
				value = value[1:last]
			}
			name, said = value, value
		case len(value) > 0 && blockHeader(value, 0) == len(value) && line[sign] == ':':
			name = line[:key]
		default:
			return nil
		}
	}
	if len(name) == 0 || len(name) > maxName || !lex.NameOfKey.Within(name) {
		return nil
	}
	if p, _ := names.of(bytes.Trim(name, "-.")); p == nil {
		return nil
	}
	return said
}
