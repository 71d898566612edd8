package summarize

import (
	"github.com/kfw-dev/kfw/summarize/outlier"
	"github.com/kfw-dev/kfw/summarize/sketch"
	"github.com/kfw-dev/kfw/summarize/structure"
	"github.com/kfw-dev/kfw/summarize/surprise"
)

// addBlockLine takes in a line of a block.
func (s *lineReader) addBlockLine(r structure.Record, kind outlier.BlockKind) {
	if kind != outlier.Hunk && s.text.Blocks.Frame == 1 && s.text.Out != nil {
		s.noteTrace(r)
	}
	s.beginLine(r.Seq)
	if kind == outlier.Hunk {
		s.text.Line.Set(r.Value)
	} else {
		s.addUncounted(r.Value)
	}
	if s.text.Out != nil {
		s.text.Out.Row.KeepLine(r.Value)
		if kind == outlier.Hunk {
			s.noteWords(nil, 1)
			s.noteLongNumber(r.Value)
		}
	}
	s.watcher.end()
}

// noteTrace makes one record of the line before a trace and its first frame, r. It stands out if that frame is rare.
func (s *lineReader) noteTrace(r structure.Record) {
	o := s.text.Out
	s.text.Line.Set(r.Value)
	hash := uint64(len(s.text.Line.Words))
	for i := range s.text.Line.Words {
		hash = (hash ^ uint64(s.text.Line.Words[i].Hash)) * sketch.PlaceFactor
	}
	times := o.Words.Add(hash, 1)
	if times == 1 {
		s.text.Blocks.FreshTraces++
	}
	head := o.Before
	if times > surprise.MostOfRare || head == nil || head.Seq != r.Seq-1 || !head.IsLine || head.Filled > 0 {
		return
	}
	if head != o.Row {
		o.Row.Keep(head)
		head = o.Row
	}
	if o.Used > 0 && o.Candidates[o.Used-1].Seq == head.Seq {
		o.Used-- // it comes back with its frame
	}
	head.AddLine(r.Value)
	s.watcher.note(outlier.Reason{By: outlier.ByTrace, Hash: hash})
	s.watcher.offer()
}
