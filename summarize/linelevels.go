package summarize

import (
	"bytes"

	"github.com/kfw-dev/kfw/internal/ascii"
	"github.com/kfw-dev/kfw/summarize/lineclass"
)

// lineLevels writes how many lines are of each level.
func (o *object) lineLevels(levels []lineclass.Level) {
	if len(levels) == 0 {
		return
	}
	o.open("levels")
	for _, l := range levels {
		o.count(ascii.LentString(bytes.TrimRight(l.Name[:], "\x00")), l.Lines)
	}
	o.close()
}
