package cmd

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"strings"

	"golang.org/x/term"

	"github.com/kfw-dev/kfw/budget"
	"github.com/kfw-dev/kfw/internal/fault"
	"github.com/kfw-dev/kfw/internal/safefile"
	"github.com/kfw-dev/kfw/pipeline"
)

// mostParams is how many bytes the parameters of a request may have.
const mostParams = 1 << 20

// request is what a driver is asked: one line of JSON on its standard input, and then the end of it.
type request struct {
	Operation   string          `json:"operation"`
	Params      json.RawMessage `json:"params"`
	Constraints constraints     `json:"constraints"`
}

// constraints are what applies to the run, for a driver that can save itself what would be left out anyhow.
type constraints struct {
	Budget        int         `json:"budget"`
	Mode          budget.Mode `json:"mode"`
	AllowedFields []string    `json:"allowed_fields,omitempty"` // absent: all
	Sensitivity   []string    `json:"sensitivity"`
}

func newConstraints(granted pipeline.Budget, r redaction) constraints {
	return constraints{granted.Tokens, granted.Allowed(granted.Tokens), r.allowFields, r.groups.Names()}
}

// line is the request as the driver reads it. It has the parameters as they were given, without white space.
func (r *request) line() ([]byte, error) {
	var b bytes.Buffer
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false)
	err := encoder.Encode(r)
	return b.Bytes(), err
}

// params reads what --params names: JSON, @ and a file, or - for standard input.
func params(given string, stdin *os.File) (json.RawMessage, error) {
	data, from := []byte(given), "--params: "
	var err error
	switch {
	case given == "-" && term.IsTerminal(int(stdin.Fd())):
		return nil, fault.Usage("--params: standard input is a terminal",
			"pipe the parameters in, or name a file: --params @FILE")
	case given == "-":
		data, err = safefile.ReadAll(stdin, safefile.Limit{Bytes: mostParams, Syntax: safefile.JSON})
	case strings.HasPrefix(given, "@"):
		from += given[1:] + ": "
		data, err = safefile.Read(given[1:], safefile.Limit{Bytes: mostParams, Syntax: safefile.JSON})
	case len(given) > mostParams:
		err = fmt.Errorf("larger than %d bytes", mostParams)
	}
	if err != nil {
		return nil, fault.Usage(from+err.Error(), "")
	}
	var value json.RawMessage
	if err := json.Unmarshal(data, &value); err != nil {
		return nil, fault.Usage(from+placed(data, err)+"not valid JSON", "")
	}
	return value, nil
}

// placed tells where in data an error of encoding/json is. Its text may quote the data.
func placed(data []byte, err error) string {
	syntax, ok := errors.AsType[*json.SyntaxError](err)
	if !ok {
		return ""
	}
	before := data[:min(max(int(syntax.Offset)-1, 0), len(data))]
	return fmt.Sprintf("line %d, column %d: ", bytes.Count(before, []byte{'\n'})+1,
		len(before)-bytes.LastIndexByte(before, '\n'))
}
