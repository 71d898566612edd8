// Package tokenizer knows the tokenizers by name: those of package budget, by the names of models, too, tokenizer files
// (bpefile) and programs that count (coprocess). Open makes any of them, with what it is given to read a file and to
// start a program.
package tokenizer

import (
	"errors"
	"maps"
	"slices"
	"strings"

	"github.com/pkoukk/tiktoken-go"

	"github.com/kfw-dev/kfw/budget"
)

// Encoding returns the name of the encoding of a model, as tiktoken-go knows it or OpenAI's tiktoken (model.py) does,
// and that of an encoding as it is. The error lists the encodings, and does not repeat the name.
func Encoding(name string) (string, error) {
	if slices.Contains(budget.Encodings(), name) {
		return name, nil
	}
	name = strings.TrimPrefix(name, "ft:") // a model that was tuned: ft:gpt-4o:...
	model, _, _ := strings.Cut(name, ":")
	encoding, known := tiktoken.MODEL_TO_ENCODING[model]
	if !known {
		longest := ""
		for prefix, of := range tiktoken.MODEL_PREFIX_TO_ENCODING {
			if strings.HasPrefix(model, prefix) && len(prefix) > len(longest) {
				longest, encoding = prefix, of
			}
		}
	}
	if encoding == "" && isNewer(model) {
		encoding = "o200k_base"
	}
	if encoding == "gpt2" {
		encoding = "r50k_base" // of the same vocabulary
	}
	if encoding == "" {
		return "", errors.New("unknown tokenizer: choose " + strings.Join(budget.Encodings(), ", ") +
			", or a model of OpenAI such as gpt-4o or gpt-5; or a tokenizer.json; or cmd:PROGRAM ARG...")
	}
	return encoding, nil
}

// newer are the families of models that tiktoken-go does not know yet.
func newer() []string { return []string{"gpt-5", "o1", "o3", "o4-mini", "chatgpt-4o", "gpt-oss"} }

// Models returns the names of models that Encoding knows, sorted. There are more: a version or a
// date may follow a name.
func Models() []string {
	names := slices.AppendSeq(newer(), maps.Keys(tiktoken.MODEL_TO_ENCODING))
	slices.Sort(names)
	return slices.Compact(names)
}

// isNewer reports whether a model is of one of these families.
func isNewer(model string) bool {
	for _, family := range newer() {
		if rest, found := strings.CutPrefix(model, family); found &&
			(rest == "" || strings.HasPrefix(rest, "-") || strings.HasPrefix(rest, ".")) {
			return true
		}
	}
	return false
}

// NewCounter returns the counter of this name, an encoding of package budget or a model.
func NewCounter(name string) (budget.Counter, error) {
	encoding, err := Encoding(name)
	if err != nil {
		return nil, err
	}
	return budget.NewCounter(encoding)
}

// NewTally returns a tally of what the counter of this name counts, were it given the text as one line.
func NewTally(name string) (budget.Tally, error) {
	encoding, err := Encoding(name)
	if err != nil {
		return nil, err
	}
	return budget.NewTally(encoding)
}
