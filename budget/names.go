package budget

import (
	"errors"
	"math"
	"slices"
	"strings"

	"github.com/pkoukk/tiktoken-go"
)

// Encodings returns the names of what counts tokens, the default first.
func Encodings() []string {
	return []string{"chars", "o200k_base", "cl100k_base", "p50k_base", "p50k_edit", "r50k_base"}
}

// Encoding returns the name of the encoding of a model, as tiktoken-go knows it or OpenAI's tiktoken (model.py) does, and
// that of an encoding as it is. The error lists the encodings, and does not repeat the name.
func Encoding(name string) (string, error) {
	if slices.Contains(Encodings(), name) {
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
		return "", errors.New("unknown tokenizer: choose " + strings.Join(Encodings(), ", ") + ", or a model of OpenAI such as gpt-4o or gpt-5")
	}
	return encoding, nil
}

// isNewer reports whether a model is one that tiktoken-go does not know yet.
func isNewer(model string) bool {
	for _, family := range []string{"gpt-5", "o1", "o3", "o4-mini", "chatgpt-4o", "gpt-oss"} {
		if rest, found := strings.CutPrefix(model, family); found && (rest == "" || strings.HasPrefix(rest, "-") || strings.HasPrefix(rest, ".")) {
			return true
		}
	}
	return false
}

// Scaled returns a counter of factor times what another one counts, rounded up for every line: for a model whose own
// tokenizer is not public. A factor of 1 is the counter itself.
func Scaled(counter Counter, factor float64) Counter {
	if factor == 1 {
		return counter
	}
	return scaledCounter{counter, factor}
}

type scaledCounter struct {
	counter Counter
	factor  float64
}

func (c scaledCounter) Count(line []byte) int { return Scale(c.counter.Count(line), c.factor) }

// Bounds implements Counter. Rounding up, for every line, makes at most the factor rounded up of a token.
func (c scaledCounter) Bounds(bytes int) (least, most int) {
	least, most = c.counter.Bounds(bytes)
	return Scale(least, c.factor), most * Scale(1, c.factor)
}

// Scale returns factor times this many tokens, rounded up.
func Scale(tokens int, factor float64) int { return int(math.Ceil(float64(tokens) * factor)) }
