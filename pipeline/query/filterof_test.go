package query

import (
	"errors"

	"github.com/kfw-dev/kfw/redact"
)

func filterOf(fields, conditions, texts []string, rules *redact.Rules) (*Filter, error) {
	all, err := ParseFields(fields, rules)
	f := &Filter{Fields: all}
	for _, text := range conditions {
		c, failed := ParseCondition(text)
		err = errors.Join(err, failed)
		f.Conditions = append(f.Conditions, c)
	}
	for _, text := range texts {
		p, failed := ParsePattern(text, true, false)
		err = errors.Join(err, failed)
		f.Patterns = append(f.Patterns, p)
	}
	return f, err
}
