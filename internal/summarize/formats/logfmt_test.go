package formats

import "testing"

func TestPairs(t *testing.T) {
	for line, want := range map[string]string{
		`a=1 b=x c="y z"`:               `a:1 b:x c:"y z" `,
		`a= b="" c="\"=\\"  d=?x=1&y=2`: `a: b:"" c:"\"=\\" d:?x=1&y=2 `,
		`a.b-c/d@e=1 _b=2 c9=3`:         `a.b-c/d@e:1 _b:2 c9:3 `,
		`a=1 b=2`:                       "",
		`a=1 b=2 c`:                     "",
		`a=1 b=2 =3`:                    "",
		`a=1 b=2 3=c`:                   "",
		`a=1 b=2 c="x`:                  "",
		`a=1 b=2 c="x\"`:                "",
		`a=1 b=2 c="x"y`:                "",
		`a=1 b=2 c=x"y"`:                "",
		`x a=1 b=2 c=3`:                 "",
		"":                              "",
	} {
		pairs, ok := CutPairs(nil, []byte(line))
		got := ""
		for _, p := range pairs {
			got += string(p.Name) + ":" + string(p.Value.Of([]byte(line))) + " "
		}
		if ok != (want != "") || ok && got != want {
			t.Errorf("%s: %v %q", line, ok, got)
		}
	}
}
