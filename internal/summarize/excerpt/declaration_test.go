package excerpt

import (
	"slices"
	"strings"
	"testing"
)

// TestLanguages: in a file of each language the declarations have a length, and nothing else has.
func TestLanguages(t *testing.T) {
	body := func(indent, statement string) string { return strings.Repeat(indent+statement+"\n", 6) }
	for language, test := range map[string]struct {
		source string
		want   []string
	}{
		"Python": {"class Bed(Base):\n    def water(self, n):\n" + body("        ", "if n > 2: n -= 1") +
			"\nasync def plant():\n" + body("    ", "await grow()"), []string{"class Bed", "def water", "async def plant"}},
		"JavaScript": {"export default class Bed {\n  async water(n) {\n" + body("    ", "grow(n);") + "  }\n}\n" +
			"const plant = async (n) => {\n" + body("  ", "grow(n, () => {});") + "}\n" +
			"app.get('/x', (req, res) => {\n" + body("  ", "res.end();") + "});\n",
			[]string{"export default class", "async water", "const plant"}},
		"TypeScript": {"interface Bed {\n" + body("  ", "rows: number;") + "}\nexport function water(n: number): void {\n" +
			"  if (n > 2) {\n" + body("    ", "grow(n);") + "  }\n}\n", []string{"interface Bed", "export function water"}},
		"Go": {"type Bed struct {\n" + body("\t", "rows int") + "}\n\nfunc (b *Bed) Water(n int) error {\n\tfor i := range n {\n" +
			body("\t\t", "b.grow(i)") + "\t}\n}\n", []string{"type Bed", "func (b *Bed)"}},
		"Java": {"public final class Bed {\n    @Override\n    public List<Row> water(int n) throws Dry {\n        while (n > 2) {\n" +
			body("            ", "grow(n);") + "        }\n    }\n}\n", []string{"public final class", "public List<Row>"}},
		"C": {"static int water(struct bed *b, int n)\n{\n\tswitch (n) {\n" + body("\t", "case 1: grow(b);") + "\t}\n}\n\nint main(void) {\n" +
			body("\t", "water(0, 1);") + "}\n", []string{"static int water", "int main"}},
		"C++": {"Bed::Bed(int n) : rows(n) {\n" + body("  ", "grow(n);") + "}\n\ntemplate <class T>\nvoid Bed::water(const T &n) const {\n" +
			body("  ", "grow(n);") + "}\n", []string{"Bed::Bed", "void Bed::water"}},
		"C#": {"internal sealed record Bed {\n    public async Task Water(int n)\n    {\n" + body("        ", "await Grow(n);") + "    }\n}\n",
			[]string{"internal sealed record", "public async Task"}},
		"Rust": {"pub trait Bed {\n    fn water(&self, n: u8) -> bool {\n        match n {\n" + body("            ", "1 => grow(),") +
			"        }\n    }\n}\n", []string{"pub trait Bed", "fn water"}},
		"Ruby": {"module Farm\n  class Bed\n    def water(n)\n" + body("      ", "grow(n)") + "    end\n  end\nend\n",
			[]string{"module Farm", "class Bed", "def water"}},
		"PHP": {"final class Bed\n{\n    public static function water(int $n): void\n    {\n" + body("        ", "grow($n);") + "    }\n}\n",
			[]string{"final class", "public static function"}},
		"Kotlin": {"data class Bed(val rows: Int) {\n    suspend fun water(n: Int) {\n        when (n) {\n" + body("            ", "1 -> grow()") +
			"        }\n    }\n}\n", []string{"data class Bed", "suspend fun water"}},
		"Swift": {"public protocol Bed {\n    func water(_ n: Int) {\n        guard n > 2 else {\n" + body("            ", "return") +
			"        }\n    }\n}\n", []string{"public protocol", "func water"}},
		"shell": {"water() {\n  if [ \"$1\" -gt 2 ]; then\n" + body("    ", "grow \"$1\"") + "  fi\n}\n\nfunction plant {\n" + body("  ", "grow 1") + "}\n",
			[]string{"water()", "function plant"}},
		"SQL": {"CREATE TABLE bed (\n" + body("  ", "rows int,") + ");\n\ncreate or replace function water(n int) returns void as $$\n" +
			body("  ", "select 1;") + "$$;\n", []string{"CREATE TABLE", "create or replace function"}},
	} {
		var s spans
		lines := strings.Split(test.source, "\n")
		for i, line := range lines {
			s.see(i+1, []byte(line))
		}
		s.see(len(lines)+1, []byte("the end"))
		var got []string
		for i, line := range lines {
			if _, isSpan := s.of[i+1]; isSpan {
				got = append(got, strings.TrimSpace(line))
			}
		}
		if !slices.EqualFunc(got, test.want, strings.HasPrefix) {
			t.Errorf("%s: %q, not %q", language, got, test.want)
		}
	}
}
