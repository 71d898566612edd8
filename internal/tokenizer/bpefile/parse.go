package bpefile

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"
	"unsafe"

	"github.com/tidwall/gjson"
)

// MostBytes is how large a file may be.
const MostBytes = 64 << 20

// olderPattern is by what a ByteLevel pre-tokenizer splits.
const olderPattern = `'s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+`

// Parse understands what a tokenizer file holds. The error names what is missing or not supported,
// by names of the library's own, and quotes nothing else. A File of 128,000 tokens and 280,000
// merges takes some 12 MB, and does not hold data.
func Parse(data []byte) (*File, error) {
	text := unsafe.String(unsafe.SliceData(data), len(data)) // a copy of a large file would be the peak of a run
	if !gjson.Valid(text) {
		return nil, errors.New("not JSON")
	}
	all := gjson.Parse(text)
	model := all.Get("model")
	if !model.IsObject() {
		return nil, errors.New("it has no model")
	}
	f := &File{}
	if err := f.readNormalizer(all.Get("normalizer")); err != nil {
		return nil, err
	}
	if err := f.readModel(model); err != nil {
		return nil, err
	}
	if err := f.readPreTokenizer(all.Get("pre_tokenizer")); err != nil {
		return nil, err
	}
	return f, nil
}

// kinds are the names of the library for models, normalizers and pre-tokenizers. Any other text of
// a file is not shown.
var kinds = strings.Fields(`BPE WordPiece WordLevel Unigram
	BertNormalizer Lowercase Nmt NFC NFD NFKC NFKD Precompiled Prepend Replace Strip StripAccents
	BertPreTokenizer ByteLevel CharDelimiterSplit Delimiter Digits FixedLength Metaspace Punctuation
	Sequence Split UnicodeScripts Whitespace WhitespaceSplit`)

// unsupported is the error for one of these.
func unsupported(what string, kind gjson.Result) error {
	name := kind.String()
	if !slices.Contains(kinds, name) {
		return fmt.Errorf("the kind of its %s is not known", what)
	}
	return fmt.Errorf("its %s, %s, is not supported", what, name)
}

// isSet reports whether an option has a value that means something.
func isSet(option gjson.Result) bool {
	switch option.Type {
	case gjson.Null, gjson.False:
		return false
	case gjson.String:
		return option.Str != ""
	case gjson.Number:
		return option.Num != 0
	}
	return true
}

// inSequence calls each with what stands in a Sequence, or with the one that is none.
func inSequence(one gjson.Result, list string, each func(gjson.Result) error) (err error) {
	switch {
	case !isSet(one):
		return nil
	case one.Get("type").String() != "Sequence":
		return each(one)
	}
	one.Get(list).ForEach(func(_, inner gjson.Result) bool {
		err = inSequence(inner, list, each)
		return err == nil
	})
	return err
}

func (f *File) readNormalizer(normalizer gjson.Result) error {
	return inSequence(normalizer, "normalizers", func(one gjson.Result) error {
		if kind := one.Get("type"); kind.String() != "NFC" {
			return unsupported("normalizer", kind)
		}
		f.composes = true
		return nil
	})
}

// readPreTokenizer makes stages of a pre-tokenizer that ends with ByteLevel. Before that, a piece
// is text; after it, each character would stand for a byte.
func (f *File) readPreTokenizer(preTokenizer gjson.Result) error {
	const what = "pre-tokenizer"
	inBytes := false
	err := inSequence(preTokenizer, "pretokenizers", func(one gjson.Result) error {
		kind := one.Get("type")
		if inBytes {
			return fmt.Errorf("its %s goes on after ByteLevel, which is not supported", what)
		}
		switch kind.String() {
		case "ByteLevel":
			inBytes = true
			if isSet(one.Get("add_prefix_space")) {
				return errors.New("add_prefix_space of its ByteLevel is not supported")
			}
			if split := one.Get("use_regex"); split.Exists() && !isSet(split) {
				return nil
			}
			return f.addStage(olderPattern, true, true)
		case "Digits":
			pattern := `\p{N}+`
			if isSet(one.Get("individual_digits")) {
				pattern = `\p{N}`
			}
			return f.addStage(pattern, true, true)
		case "Split":
			return f.readSplit(one)
		}
		return unsupported(what, kind)
	})
	if err == nil && !inBytes {
		return fmt.Errorf("its %s has no ByteLevel: only a byte-level BPE is supported", what)
	}
	return err
}

func (f *File) readSplit(split gjson.Result) error {
	pattern := split.Get("pattern.Regex").String()
	if literal := split.Get("pattern.String"); literal.Exists() {
		pattern = regexp.QuoteMeta(literal.String())
	}
	switch isInverted := isSet(split.Get("invert")); split.Get("behavior").String() {
	case "Isolated":
		return f.addStage(pattern, true, true)
	case "Removed":
		return f.addStage(pattern, isInverted, !isInverted)
	}
	return errors.New("the behavior of its Split is not supported: only Isolated and Removed are")
}

func (f *File) addStage(pattern string, matches, between bool) error {
	compiled, err := compile(pattern)
	if err != nil {
		return err
	}
	f.stages = append(f.stages, stage{compiled, matches, between})
	return nil
}

func (f *File) readModel(model gjson.Result) error {
	vocabulary, merges := model.Get("vocab"), model.Get("merges")
	kind := model.Get("type") // older files have none
	if kind.Exists() && kind.String() != "BPE" || !kind.Exists() && !merges.Exists() {
		return unsupported("model", kind)
	}
	for _, option := range []string{"dropout", "continuing_subword_prefix", "end_of_word_suffix", "byte_fallback"} {
		if isSet(model.Get(option)) {
			return fmt.Errorf("%s of its model is not supported", option)
		}
	}
	if !vocabulary.IsObject() {
		return errors.New("its model has no vocabulary")
	}
	if !merges.IsArray() {
		return errors.New("its model has no merges")
	}
	f.ignoreMerges = isSet(model.Get("ignore_merges"))
	return f.readTokens(vocabulary, merges)
}

func (f *File) readTokens(tokens, merges gjson.Result) error {
	count := func(list gjson.Result) (n int) {
		list.ForEach(func(_, _ gjson.Result) bool { n++; return true })
		return n
	}
	v := newVocabulary(count(tokens), count(merges))
	f.merger.vocabulary = v
	var token, left, right []byte
	tokens.ForEach(func(name, _ gjson.Result) bool {
		if bytes, ok := appendBytes(token[:0], name.String()); ok { // or it is no text: a special token
			token = bytes
			v.add(token)
		}
		return true
	})
	if !v.hasBytes() {
		return errors.New("its vocabulary lacks some of the 256 bytes: only a byte-level BPE is supported")
	}
	rank := uint32(0)
	var err error
	merges.ForEach(func(_, merge gjson.Result) bool {
		first, second, ok := halves(merge)
		if ok {
			left, ok = appendBytes(left[:0], first)
		}
		if ok {
			right, ok = appendBytes(right[:0], second)
		}
		if !ok {
			err = fmt.Errorf("merge %d of its model is not two tokens", rank+1)
			return false
		}
		token = append(append(token[:0], left...), right...)
		a, b, both := v.find(left), v.find(right), v.find(token)
		if a == none || b == none || both == none {
			err = fmt.Errorf("merge %d of its model is of tokens that its vocabulary lacks", rank+1)
			return false
		}
		*v.pair(a, b) = pair{a, b, rank, both}
		rank++
		return true
	})
	return err
}

// halves returns the two tokens of a merge, which is ["a","b"] or "a b".
func halves(merge gjson.Result) (left, right string, ok bool) {
	if !merge.IsArray() {
		left, right, ok = strings.Cut(merge.String(), " ")
		return left, right, ok && !strings.Contains(right, " ")
	}
	both := merge.Array()
	if len(both) != 2 {
		return "", "", false
	}
	return both[0].String(), both[1].String(), true
}

// appendBytes appends the bytes of a token, each of which a character stands for: itself if it can
// be printed, else one from U+0100 on (GPT-2, bytes_to_unicode). It reports whether all of them do.
func appendBytes(dst []byte, token string) (_ []byte, ok bool) {
	for _, r := range token {
		switch {
		case '!' <= r && r <= '~', '¡' <= r && r <= '¬', '®' <= r && r <= 'ÿ':
			dst = append(dst, byte(r))
		case 0x100 <= r && r <= 0x120:
			dst = append(dst, byte(r-0x100)) // controls and the space
		case 0x121 <= r && r <= 0x142:
			dst = append(dst, byte(r-0x121+0x7F))
		case r == 0x143:
			dst = append(dst, 0xAD)
		default:
			return dst, false
		}
	}
	return dst, utf8.ValidString(token)
}
