package query

import (
	"cmp"
	"errors"
	"fmt"
	"regexp"
	"strings"
	"time"

	"github.com/tidwall/gjson"

	"github.com/kfw-dev/kfw/internal/lazy"
	"github.com/kfw-dev/kfw/pipeline/split"
)

// Condition is one that a record is tested for: path OP value.
//
// Numbers compare as numbers when both are, strings byte by byte; by < and > a time counts as ISO 8601 has it, and a
// number with a unit for what it is. Without quotes a value is equal to the string, the number, or the true, false or
// null that is written so; in double quotes it is a JSON string, in single quotes a text as it stands; no value at all
// is the empty string, by = and !=. A path that the record lacks is null, so != holds there. Of an array any element
// that satisfies is enough; one that lacks the path is null to =null alone. An object satisfies nothing but !=.
type Condition struct {
	path
	operator string // = != < <= > >= ~
	value    string
	quoted   bool
	number   float64
	isNumber bool
	pattern  *regexp.Regexp
	now      time.Time // without a year a time is before it
}

var operators = []string{"==", "=~", "=", "!=", "!~", "<=", "<", ">=", ">", "~"} // a longer one before its beginning

// ParseCondition takes a condition apart. The error says what is wrong with it.
func ParseCondition(text string) (c Condition, err error) {
	at := 0
	if end := strings.IndexByte(text, '>'); strings.HasPrefix(text, "<") && end > 0 {
		at = end + 1 // a name as <ip>
	}
	at += indexOutside(text[at:], "=<>~!")
	for _, operator := range operators {
		if strings.HasPrefix(text[at:], operator) {
			c.operator = operator
			break
		}
	}
	switch c.operator {
	case "":
		return c, fmt.Errorf("%q has no operator: = != < <= > >= or ~", text)
	case "=~":
		return c, fmt.Errorf("%q is no operator: write %s~%s, ~ alone matches a regular expression", c.operator,
			strings.TrimSpace(text[:at]), strings.TrimSpace(text[at+len(c.operator):]))
	case "!~":
		return c, fmt.Errorf("%q is no operator: ~ alone matches a regular expression", c.operator)
	}
	if c.path, err = parsePath(strings.TrimSpace(text[:at])); err != nil {
		return c, err
	}
	c.value, c.now = strings.TrimSpace(text[at+len(c.operator):]), time.Now()
	if c.operator == "==" {
		c.operator = "="
	}
	if c.value == "" && c.operator != "=" && c.operator != "!=" {
		return c, fmt.Errorf("%q has no value", text)
	}
	quote := ""
	if c.value != "" && strings.Contains(`"'`, c.value[:1]) {
		quote = c.value[:1]
	}
	c.quoted = quote != ""
	if c.quoted && (len(c.value) < 2 || !strings.HasSuffix(c.value, quote)) {
		if word := joining().FindStringSubmatch(c.value); word != nil {
			return c, &Joined{strings.TrimSpace(word[1])}
		}
		return c, errors.New("a value begins with a quotation mark and does not end with it; in double quotes it may be any text")
	}
	if !c.quoted {
		if word := joining().FindStringSubmatch(c.value); word != nil {
			return c, &Joined{strings.TrimSpace(word[1])}
		}
	}
	if c.operator == "~" {
		return c, c.compile()
	}
	if quote == "'" {
		c.value = c.value[1 : len(c.value)-1]
	} else if c.quoted {
		if !gjson.Valid(c.value) {
			return c, fmt.Errorf("%s is not a JSON string", c.value)
		}
		c.value = gjson.Parse(c.value).String()
	} else if number := gjson.Parse(c.value); number.Type == gjson.Number && gjson.Valid(c.value) {
		c.isNumber, c.number = true, number.Num
	}
	return c, nil
}

// joining finds what would be a second condition after the word that joins it to the first.
var joining = lazy.Regexp(`(?i)(\s(?:and|or)\s|\s*(?:&&|\|\|))\s*[^\s=<>!~&|]+\s*[=<>!~]`)

// Joined says that a condition is two.
type Joined struct{ By string }

// Error implements error.
func (e *Joined) Error() string { return fmt.Sprintf("%q: one --where is one condition", e.By) }

// Hint says how both are asked for.
func (e *Joined) Hint() string {
	if strings.EqualFold(e.By, "or") || e.By == "||" {
		return "for values of one path: --where 'PATH ~ ^(A|B)$'; put a value that holds the word itself in quotes"
	}
	return "repeat --where: all must hold; put a value that holds the word itself in quotes"
}

// compile takes the value as a regular expression; backslashes in quotes are its own.
func (c *Condition) compile() (err error) {
	if c.quoted {
		c.value = c.value[1 : len(c.value)-1]
	}
	c.pattern, err = regexp.Compile(c.value)
	return err
}

// isMet reports whether what a record has at the path satisfies the condition.
func (c *Condition) isMet(value gjson.Result) bool {
	if c.many && !value.Exists() {
		return false // there is no element
	}
	return anyElement(value, 0, c.satisfied)
}

// isMetByLack reports whether the condition asks for null, and an element that the path goes through has nothing there.
func (c *Condition) isMetByLack(of *split.Chunk) bool {
	return c.many && of.Kind == split.JSON && c.operator == "=" && c.equal(gjson.Result{}) && c.isLackedIn(of)
}

func (c *Condition) satisfied(value gjson.Result) bool {
	switch c.operator {
	case "=":
		return c.equal(value)
	case "!=":
		return !c.equal(value)
	case "~":
		return value.Type == gjson.String && c.pattern.MatchString(value.Str) ||
			value.Type == gjson.Number && c.pattern.MatchString(value.Raw)
	}
	order, ok := c.compare(value)
	if value.Type == gjson.String {
		order = c.compareText(value.Str)
	}
	switch c.operator {
	case "<":
		return ok && order < 0
	case "<=":
		return ok && order <= 0
	case ">":
		return ok && order > 0
	}
	return ok && order >= 0
}

func (c *Condition) equal(value gjson.Result) bool {
	switch value.Type {
	case gjson.Null:
		return !c.quoted && c.value == "null"
	case gjson.True, gjson.False:
		return !c.quoted && c.value == value.Raw
	}
	order, ok := c.compare(value)
	return ok && order == 0
}

// compare returns the order of value and what it is compared with, if there is one.
func (c *Condition) compare(value gjson.Result) (order int, ok bool) {
	switch {
	case value.Type == gjson.String:
		return strings.Compare(value.Str, c.value), true
	case value.Type == gjson.Number && c.isNumber:
		if order = cmp.Compare(value.Num, c.number); order == 0 {
			order = compareIntegers(value.Raw, c.value)
		}
		return order, true
	}
	return 0, false
}

// compareText returns the order of a string and the value: that of their amounts or times if both are such.
func (c *Condition) compareText(text string) int {
	if !c.quoted {
		a, isAmount := amountOf(text)
		b, areBoth := amountOf(c.value)
		if order, ok := a.order(b); ok && isAmount && areBoth {
			return order
		}
	}
	return strings.Compare(sortable(text, c.now), sortable(c.value, c.now))
}

// compareIntegers compares numbers that are too large for floating point to tell apart: ids of 64 bits and more.
func compareIntegers(a, b string) int {
	if !isInteger(a) || !isInteger(b) || a[0] == '-' && b[0] != '-' || a[0] != '-' && b[0] == '-' {
		return 0
	}
	order := cmp.Or(cmp.Compare(len(a), len(b)), strings.Compare(a, b))
	if a[0] == '-' {
		return -order
	}
	return order
}

func isInteger(number string) bool {
	digits := strings.TrimPrefix(number, "-")
	for i := range len(digits) {
		if digits[i] < '0' || digits[i] > '9' {
			return false
		}
	}
	return digits != ""
}
