package query

import (
	"iter"
	"slices"

	"github.com/tidwall/gjson"

	"github.com/kfw-dev/kfw/pipeline/split"
)

// Known looks for the paths of the filter in chunks, from the first on, until each has been seen
// once as it is written: mostly that is in the first. One that is seen elsewhere alone is taken to
// lead from there from then on. In whole, which are all chunks of the response, column names are looked
// for. For paths that are nowhere the error has an *UnknownPath each.
func (f *Filter) Known(chunks, whole iter.Seq2[split.Chunk, error]) error {
	var sought []*path
	for i := range f.Fields {
		sought = append(sought, &f.Fields[i].path)
	}
	for i := range f.Conditions {
		sought = append(sought, &f.Conditions[i].path)
	}
	if f.Order != nil {
		sought = append(sought, &f.Order.path)
	}
	if len(sought) == 0 {
		return nil
	}
	f.readsLines = false
	joined, placed := map[*path]bool{}, map[*path]source{}
	var there pathSet
	for l, err := range linesOf(chunks) {
		switch {
		case err != nil:
			return err
		case l.Seq == 0:
			continue
		}
		c := &l.Chunk
		sought = slices.DeleteFunc(sought, func(p *path) bool {
			switch {
			case l.fields != nil && memberOf(gjson.Parse(lentString(l.fields)), p.text).Exists():
				p.source, f.readsLines = fromRecord, true
				return true
			case c.Kind == split.JSON && p.isIn(c.Content(), false):
				p.source = fromExactly
				return true
			}
			joined[p] = joined[p] || c.Kind == split.JSON && p.isIn(c.Content(), true)
			if placed[p] == fromRecord {
				placed[p] = p.sourceIn(c)
			}
			return false
		})
		if len(sought) == 0 {
			return nil
		}
		if c.Kind == split.JSON {
			there.addChunk(c)
		} else if l.fields != nil {
			there.addLine(l.fields)
		}
	}
	sought = slices.DeleteFunc(sought, func(p *path) bool {
		p.source = fromRecord
		if !joined[p] {
			p.source = placed[p]
		}
		return joined[p] || p.source != fromRecord
	})
	if len(sought) > 0 {
		var err error
		if sought, err = called(sought, chunks, whole); err != nil {
			return err
		}
	}
	return there.unknown(sought)
}

// sourceIn returns where the path leads from to a value of the chunk, if not from the record; else
// fromRecord.
func (p *path) sourceIn(c *split.Chunk) source {
	switch {
	case itself(p.text, c).Exists():
		return fromItself
	case c.Kind == split.JSON && p.names.fromResponse(c).Exists():
		return fromResponse
	}
	return fromRecord
}

// fromResponse returns what the names lead to in a chunk if its path is the beginning of theirs.
func (n names) fromResponse(c *split.Chunk) (value gjson.Result) {
	if len(c.Path) == 0 || len(n) == 0 {
		return value
	}
	ways, _ := n.below(c.Path)
	record := gjson.Parse(lentString(c.Content()))
	for _, rest := range ways {
		if len(rest) == 0 {
			return record
		}
		if found := rest.in(record, true); found.Exists() {
			return found
		}
	}
	return value
}
