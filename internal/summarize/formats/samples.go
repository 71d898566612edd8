package formats

import (
	"bytes"

	"github.com/kfw-dev/kfw/internal/ascii"
)

// Metrics in the text format of Prometheus, which OpenMetrics has extended, are records: the name of a metric is the
// value of one field and the name of another, which has the value of the sample; its labels are the others.
// https://prometheus.io/docs/instrumenting/exposition_formats/
//
//	# TYPE http_requests_total counter
//	http_requests_total{method="post",code="200"} 1027 1395066363000

// sampleNames are those of the fields of a sample that have no other, and of a benchmark.
var sampleNames = struct{ metric, timestamp, benchmark, iterations []byte }{
	[]byte("metric"), []byte("timestamp"), []byte("benchmark"), []byte("iterations"),
}

// IsComment says whether a line describes a metric, or ends such lines, and whether samples follow. The first one is
// that of a type: a line that begins like the others may be anything.
func IsComment(line []byte, hasSamples bool) (ok, samplesFollow bool) {
	if len(line) < len("# EOF") || line[0] != '#' || line[1] != ' ' {
		return false, hasSamples // as nearly all
	}
	if string(line) == "# EOF" {
		return hasSamples, false
	}
	keyword, rest, _ := bytes.Cut(line[len("# "):], []byte{' '})
	n := metricNameLen(rest)
	if n == 0 || n == len(rest) || rest[n] != ' ' {
		return false, hasSamples
	}
	switch string(keyword) {
	case "HELP", "UNIT":
		return hasSamples, hasSamples
	case "TYPE":
		ok = isMetricType(bytes.TrimSpace(rest[n:]))
		return ok, ok || hasSamples
	}
	return false, hasSamples
}

// isMetricType says whether a word is one of the types of Prometheus or OpenMetrics.
func isMetricType(word []byte) bool {
	switch string(word) {
	case "counter", "gauge", "histogram", "summary", "untyped", "unknown", "info", "stateset", "gaugehistogram":
		return true
	}
	return false
}

// CutSample cuts a sample into pairs. One without labels may be anything else, so that isOne has to say that it is
// among samples.
func CutSample(dst []Pair, line []byte, isOne bool) (pairs []Pair, ok bool) {
	at := metricNameLen(line)
	name := line[:at]
	hasLabels := at > 0 && at < len(line) && line[at] == '{'
	if at == 0 || !hasLabels && !isOne {
		return dst, false
	}
	dst = append(dst, Pair{Name: sampleNames.metric, Value: ascii.Span{From: 0, To: at}}, Pair{Name: name})
	sample := len(dst) - 1
	if hasLabels {
		if dst, at, ok = cutLabels(dst, line, at+1, name); !ok {
			return dst, false
		}
	}
	value, at := wordAt(line, at)
	if !isSampleValue(value.Of(line)) {
		return dst, false
	}
	dst[sample].Value, dst[sample].As = value, sampleKind(value.Of(line))
	time, end := wordAt(line, at)
	if IsJSONNumber(time.Of(line)) {
		if len(dst) == maxPairs {
			return dst, false
		}
		dst = append(dst, Pair{Name: sampleNames.timestamp, Value: time, As: AsNumber})
		_, end = wordAt(line, end)
		time, _ = wordAt(line, time.To)
	}
	return dst, end == len(line) && time.From == time.To || line[time.From] == '#' // what follows is an exemplar
}

// isTaken says whether a label of a metric is called as another field of the sample is.
func isTaken(label, metric []byte) bool {
	return bytes.Equal(label, metric) || bytes.Equal(label, sampleNames.metric) ||
		bytes.Equal(label, sampleNames.timestamp)
}

// cutLabels cuts the labels of a sample of a metric from a place on, and returns where they end.
func cutLabels(dst []Pair, line []byte, at int, metric []byte) (pairs []Pair, end int, ok bool) {
	for {
		at = ascii.PastBlanks(line, at)
		if at < len(line) && line[at] == '}' {
			return dst, at + 1, true
		}
		name := ascii.Span{From: at, To: at + metricNameLen(line[at:])}
		if at = name.To; at == name.From || at+1 >= len(line) || line[at] != '=' || line[at+1] != '"' ||
			len(dst) == maxPairs {
			return dst, at, false
		}
		value := ascii.Span{From: at + 1, To: at + 1 + valueLen(line[at+1:])}
		if at = ascii.PastBlanks(line, value.To); value.From == value.To || at == len(line) {
			return dst, at, false
		}
		if isTaken(name.Of(line), metric) {
			return dst, at, false
		}
		dst = append(dst, Pair{Name: name.Of(line), Value: value})
		switch line[at] {
		case ',':
			at++
		case '}':
		default:
			return dst, at, false
		}
	}
}

// CutBenchmark cuts the result of a benchmark into pairs: its name, how often it ran, and values with the names of
// their units. https://go.dev/design/14313-benchmark-format
//
//	BenchmarkDecode/text-8   	     100	  19369 ns/op	  46.17 MB/s	  24 allocs/op
func CutBenchmark(dst []Pair, line []byte) (pairs []Pair, ok bool) {
	const begin = "Benchmark"
	name, at := wordAt(line, 0)
	rest := name.Of(line)
	if !bytes.HasPrefix(rest, []byte(begin)) || len(rest) > len(begin) && 'a' <= rest[len(begin)] &&
		rest[len(begin)] <= 'z' {
		return dst, false
	}
	iterations, at := wordAt(line, at)
	if word := iterations.Of(line); !IsPlainNumber(word) || ascii.LeadingDigits(word) < len(word) {
		return dst, false
	}
	dst = append(dst, Pair{Name: sampleNames.benchmark, Value: name},
		Pair{Name: sampleNames.iterations, Value: iterations, As: AsNumber})
	for at < len(line) {
		var value, unit ascii.Span
		value, at = wordAt(line, at)
		unit, at = wordAt(line, at)
		name := unit.Of(line)
		if len(name) == 0 || nameLen(name) < len(name) || len(dst) == maxPairs || !isSampleValue(value.Of(line)) {
			return dst, false
		}
		dst = append(dst, Pair{Name: name, Value: value, As: sampleKind(value.Of(line))})
	}
	return dst, len(dst) > 2
}

// metricNameLen is how long the name of a metric is, or of a label, at the start of text.
func metricNameLen(text []byte) (n int) {
	for n < len(text) && (ascii.IsAlphanumeric(text[n]) || text[n] == '_' || text[n] == ':') {
		n++
	}
	if n > 0 && ascii.IsDigit(text[0]) {
		return 0
	}
	return n
}

// wordAt returns the word after the blanks at a place, and where what follows it begins.
func wordAt(line []byte, at int) (word ascii.Span, end int) {
	word.From = ascii.PastBlanks(line, at)
	word.To = word.From
	for word.To < len(line) && !ascii.IsBlank(line[word.To]) {
		word.To++
	}
	return word, ascii.PastBlanks(line, word.To)
}

// isSampleValue says whether a word is a number, or one of the values that are none.
func isSampleValue(word []byte) bool {
	switch string(word) {
	case "NaN", "+Inf", "-Inf":
		return true
	}
	return IsJSONNumber(word)
}

func sampleKind(value []byte) PairKind {
	if IsJSONNumber(value) {
		return AsNumber
	}
	return AsText
}

// IsJSONNumber says whether a word is a number of JSON.
func IsJSONNumber(word []byte) bool {
	n := bytes.IndexAny(word, "eE")
	if n < 0 {
		return IsPlainNumber(word)
	}
	exponent := word[n+1:]
	if len(exponent) > 0 && (exponent[0] == '+' || exponent[0] == '-') {
		exponent = exponent[1:]
	}
	return IsPlainNumber(word[:n]) && len(exponent) > 0 && ascii.LeadingDigits(exponent) == len(exponent)
}
