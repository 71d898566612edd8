package summarize_test

import (
	"fmt"

	"github.com/kfw-dev/kfw/internal/summarize/facts"
	"github.com/kfw-dev/kfw/internal/summarize/structure"
	"github.com/kfw-dev/kfw/summarize"
)

func Example() {
	s := summarize.NewSummary()
	for i := 1; i <= 300; i++ {
		value := fmt.Appendf(nil, `{"id":%d,"state":"open"}`, i)
		s.Add(structure.Record{Seq: i, Value: value})
	}
	const room = 200 // bytes
	tree := s.Facts(func(tree *facts.Tree) bool { return tree.Len() <= room })
	fmt.Printf("%s\n", tree.JSON())
	// Output: {"records":300,"fields":{"id":{"min":1,"max":300,"distinct":300},"state":{"const":"open"}}}
}
