package pipeline

import (
	"errors"

	"github.com/kfw-dev/kfw/pipeline/query"
	"github.com/kfw-dev/kfw/redact"
)

func filterOf(fields, conditions, texts []string, rules *redact.Rules) (*query.Filter, error) {
	all, err := query.ParseFields(fields, rules)
	f := &query.Filter{Fields: all}
	for _, text := range conditions {
		c, failed := query.ParseCondition(text)
		err = errors.Join(err, failed)
		f.Conditions = append(f.Conditions, c)
	}
	for _, text := range texts {
		p, failed := query.ParsePattern(text, true, false)
		err = errors.Join(err, failed)
		f.Patterns = append(f.Patterns, p)
	}
	return f, err
}
