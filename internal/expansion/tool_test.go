package expansion

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"

	"github.com/kfw-dev/kfw/budget"
)

// TestToolCost: the tool that kfw mcp adds costs a model at most 150 tokens, by every counter.
func TestToolCost(t *testing.T) {
	definition := (&Tool{name: "kfw_expand"}).Define()
	if !json.Valid(definition) {
		t.Fatalf("no JSON: %s", definition)
	}
	for _, name := range budget.Encodings() {
		counter, err := budget.NewCounter(name)
		if err != nil {
			t.Fatal(err)
		}
		if n := counter.Count(definition); n > 150 {
			t.Errorf("%s: %d tokens", name, n)
		}
	}
}

// TestCall: what the arguments of a call mean, and that an error names the argument and quotes nothing.
func TestCall(t *testing.T) {
	for _, c := range []struct{ arguments, members, err string }{
		{`{"handle":"h1"}`, "", ""},
		{`{"handle":"h1","offset":3,"limit":"20","where":"a=1","grep":["x","y\n"],"fields":"a,b","at":null}`,
			`,"where":"a=1","grep":["x","y\n"],"fields":"a,b","limit":20`, ""},
		{`{"handle":"h1","grep":"` + strings.Repeat("x", 300) + `"}`, "", ""},
		{``, "", "no object"},
		{`[]`, "", "no object"},
		{`{"lines":7,"F":true,"ignore_case":"true","C":2,"tail":3,"sort":"-n","count":false,"grep":"x"}`,
			`,"lines":"7","sort":"-n","grep":"x","F":true,"i":true,"C":2,"tail":3`, ""},
		{`{"v":1}`, "", "v: not true or false"},
		{`{"handle":7}`, "", "handle: not a text"},
		{`{"handle":"h1","offset":-1}`, "", "offset: not a number"},
		{`{"handle":"h1","limit":1.5}`, "", "limit: not a number"},
		{`{"handle":"h1","where":{"secret":1}}`, "", "where: not a text"},
		{`{"handle":"h1","secret":1}`, "", "unknown argument"},
	} {
		x, err := parseCall([]byte(c.arguments))
		switch {
		case c.err != "":
			if err == nil || !strings.Contains(err.Error(), c.err) {
				t.Errorf("%s: %v", c.arguments, err)
			}
		case err != nil || x.members() != c.members:
			t.Errorf("%s: %v, %s", c.arguments, err, x.members())
		case c.members != "": // the next page is asked for with the same
			again, err := parseCall([]byte(`{"offset":3` + x.members() + `}`))
			x.handle, x.offset = "", 3
			if err != nil || !reflect.DeepEqual(again, x) {
				t.Errorf("%v, %+v, not %+v", err, again, x)
			}
		}
	}
}
