package bench

import (
	"os/exec"
	"path/filepath"
	"testing"
)

// BenchmarkStart is of whole processes, from their start to the end of their first count.
func BenchmarkStart(b *testing.B) {
	for _, name := range []string{"none", "kfw", "tiktoken", "tokenizer"} {
		program := filepath.Join(b.TempDir(), name)
		if out, err := exec.Command("go", "build", "-o", program, "./start/"+name).CombinedOutput(); err != nil {
			b.Fatalf("%v: %s", err, out)
		}
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				if out, err := exec.Command(program).Output(); err != nil || string(out) != "3\n" {
					b.Fatalf("%q, %v", out, err)
				}
			}
		})
	}
}
