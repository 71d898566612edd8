package summarize

import (
	"bytes"

	"github.com/kfw-dev/kfw/summarize/lineclass"
	"github.com/kfw-dev/kfw/summarize/outlier"
	"github.com/kfw-dev/kfw/summarize/sketch"
	"github.com/kfw-dev/kfw/summarize/structure"
	"github.com/kfw-dev/kfw/summarize/surprise"
)

// addBlockLine takes in a line of a block.
func (s *Summary) addBlockLine(r structure.Record, kind outlier.BlockKind) {
	if kind != outlier.Hunk && s.text.blocks.Frame == 1 && s.text.out != nil {
		s.noteTrace(r)
	}
	s.beginLine(r.Seq)
	if kind == outlier.Hunk {
		s.text.line.Set(r.Value)
	}
	if s.text.out != nil {
		s.text.out.Row.KeepLine(r.Value)
		if kind == outlier.Hunk {
			s.noteWords(nil, 1)
			s.noteLongNumber(r.Value)
		}
	}
	s.end()
}

// noteTrace makes one record of the line before a trace and its first frame, r. It stands out if that frame is rare.
func (s *Summary) noteTrace(r structure.Record) {
	o := s.text.out
	s.text.line.Set(r.Value)
	hash := uint64(len(s.text.line.Words))
	for i := range s.text.line.Words {
		hash = (hash ^ uint64(s.text.line.Words[i].Hash)) * sketch.PlaceFactor
	}
	times := o.Words.Add(hash, 1)
	if times == 1 {
		s.text.blocks.FreshTraces++
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
	s.note(outlier.Reason{By: outlier.ByTrace, Hash: hash})
	s.offer()
}

// tellUnderFailure tells a line with the failure that it is indented under, if that stands out, and
// reports whether it did. What succeeded there, as another test of the same file, explains nothing.
func (s *textLines) tellUnderFailure(r structure.Record) bool {
	o, f := s.out, &s.failure
	if o == nil || r.Seq != f.Next || f.Told == outlier.MaxUnderFailure || outlier.IndentOf(r.Value) <= f.Indent ||
		o.Used == 0 || o.Candidates[o.Used-1].Seq != f.Head {
		return false
	}
	if lineclass.HasVerdictOfSuccess(bytes.TrimSpace(r.Value)) {
		f.Next = 0
		return false
	}
	f.Next++
	f.Told++
	o.Candidates[o.Used-1].AddLine(r.Value)
	for _, failure := range o.Failures {
		if failure.Seq == f.Head {
			failure.AddLine(r.Value)
		}
	}
	return true
}
