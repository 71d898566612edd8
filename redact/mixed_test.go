package redact

import (
	"strings"
	"testing"
)

// programs are ends of files of source, as they stand before what another command wrote.
var programs = map[string]string{
	"Go": "package main\n\nfunc main() {\n\tx := load()\n\tif x != nil {\n" +
		"\t\tfmt.Println(x.Name)\n\t\treturn\n\t}\n}\n",
	"Python": "import os\n\ndef sow(bed):\n    water = bed.water()\n" +
		"    return os.path.join(water, 'x')\n\nclass Bed:\n" +
		"    def dig(self):\n        self.depth += 1\n",
	"JavaScript": "const bed = require('bed');\n\nmodule.exports = function (b) {\n  return b.map((c) => c.d);\n};\n",
	"PHP":        "<?php\n$bed = new Bed($x);\n$bed->water();\nforeach ($beds as $b) {\n  echo $b->name;\n}\n",
	"C": "#include <stdio.h>\n\nint main(void) {\n  struct bed *b = dig(3);\n" +
		"  printf(\"%d\\n\", b->depth);\n  return 0;\n}\n",
}

// data are texts of which the secret is Walnut93xyz, as a value that no quotes stand around.
var data = []string{
	"DB_PASSWORD=Walnut93xyz\n", "export API_KEY=Walnut93xyz\n", "spring.datasource.password=Walnut93xyz\n",
	"db:\n  host: a\n  password: Walnut93xyz\n", "password: Walnut93xyz\nuser: mara\n",
	"2026-01-02T03:04:05Z INFO login user=mara password=Walnut93xyz\n", "login failed: password=Walnut93xyz\n",
	"[db]\npassword=Walnut93xyz\n",
}

// TestDataAfterProgram: a program that another command wrote before does not make a value of data one of a program.
func TestDataAfterProgram(t *testing.T) {
	rules := compile(t, Options{Groups: All})
	for language, program := range programs {
		for _, text := range append(data, overLines...) {
			got := string(redacted(t, rules, Auto, []byte(program+text)))
			if strings.Contains(got, "Walnut93xyz") || strings.Contains(got, "V2FsbnV0OTN4eXo") {
				t.Errorf("after %s:\n%s", language, got)
			}
		}
	}
}
