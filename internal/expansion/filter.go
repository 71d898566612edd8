package expansion

import (
	"strconv"

	"github.com/kfw-dev/kfw/internal/fault"
	"github.com/kfw-dev/kfw/pipeline/query"
	"github.com/kfw-dev/kfw/redact"
)

// Filtering is what chooses from the chunks of a handle, as the flags of kfw expand and the arguments of the tool
// have it.
type Filtering struct {
	At     string   // the elements at this path in place of the records that have them; empty for the records
	Fields []string // paths to keep of each record; empty keeps all
	Where  []string // conditions that hold for each record
	Grep   []string // texts that are in each chunk
}

// Repeated returns the options that the next page is asked for with.
func (o *Filtering) Repeated(limit int) (words []string) {
	if o.At != "" {
		words = append(words, "--at", o.At)
	}
	for _, flag := range []struct {
		name   string
		values []string
	}{{"--fields", o.Fields}, {"--where", o.Where}, {"--grep", o.Grep}} {
		for _, value := range flag.values {
			words = append(words, flag.name, value)
		}
	}
	if limit > 0 {
		words = append(words, "--limit", strconv.Itoa(limit))
	}
	return words
}

// Place returns the place that at names; nil if that is empty.
func (o *Filtering) Place(rules *redact.Rules) (*query.Place, error) {
	if o.At == "" {
		return nil, nil
	}
	at, err := query.ParsePlace(o.At, rules)
	if err != nil {
		return nil, fault.Usage("--at: "+err.Error(), "for example --at items")
	}
	return at, nil
}

// Filter returns what fields, where and grep choose.
func (o *Filtering) Filter(rules *redact.Rules) (*query.Filter, error) {
	fields, err := query.ParseFields(o.Fields, rules)
	if err != nil {
		return nil, fault.Usage("--fields: "+err.Error(), "for example --fields metadata.name,status.message")
	}
	filter := &query.Filter{Fields: fields}
	for _, text := range o.Where {
		condition, err := query.ParseCondition(text)
		if err != nil {
			return nil, fault.Usage("--where: "+err.Error(),
				"for example --where status.phase=Failed, or --where 'name ~ ^web-[0-9]+$'")
		}
		filter.Conditions = append(filter.Conditions, condition)
	}
	for _, text := range o.Grep {
		filter.Texts = append(filter.Texts, []byte(text))
	}
	return filter, nil
}
