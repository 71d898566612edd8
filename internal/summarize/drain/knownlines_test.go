package drain

import (
	"testing"

	"github.com/kfw-dev/kfw/internal/summarize/mask"
)

// Words that read alike may be a number in one line and none in the other, which is another line then.
func TestLinesDifferByWhatIsANumber(t *testing.T) {
	one, other := mask.NewLine(), mask.NewLine()
	one.Set([]byte("read deadbeef1"))
	other.Set([]byte("read 0xab"))
	if string(one.Word(1)) != string(other.Word(1)) || one.Words[1].Number.IsNone() == other.Words[1].Number.IsNone() {
		t.Fatalf("%s %+v and %s %+v", one.Word(1), one.Words[1], other.Word(1), other.Words[1])
	}
	if one.Hash == other.Hash {
		t.Error("they are the same line")
	}
}
