package lineset

import (
	"bytes"

	"github.com/kfw-dev/kfw/internal/ascii"
	"github.com/kfw-dev/kfw/summarize/lineclass"
	"github.com/kfw-dev/kfw/summarize/outlier"
	"github.com/kfw-dev/kfw/summarize/sketch"
)

// What a loop prints before the output of each round owns the lines up to the next one: "==
// https://a/health", "==> x.log <==", "### web1", "[web1]", "web1:".

// SeeSection takes in a line if it is a heading, and reports whether it is one that ends the record
// before it.
func (s *Lines) SeeSection(line []byte) bool {
	o := &s.Out.OutputSections
	sign := outlier.SignOfSection(line)
	if sign == 0 {
		if len(line) == 0 || outlier.IsBlankLine(line) {
			o.IsBlank = true
		}
		return false
	}
	if sign != ':' { // a name without a value may be a part of a record
		s.Out.Identity.Key = 0
		s.Out.Head.After, s.Out.Head.Number = 0, 0
	}
	if start, end := lineclass.NextErrorWord(line, 0); start < end || lineclass.HasFailureSign(line) ||
		lineclass.HasVerdictOfSuccess(bytes.TrimLeft(line, "-= ")) {
		o.Sign = -1 // a result, which says nothing of what follows
		return true
	}
	i := 0
	for i < outlier.MaxSectionSigns && o.Signs[i].Sign != sign && o.Signs[i].Sign != 0 {
		i++
	}
	if i == outlier.MaxSectionSigns {
		return false
	}
	of := &o.Signs[i]
	number := s.Count + 1
	if of.Count > 0 {
		of.Longest = max(of.Longest, number-of.Last-1)
	}
	of.Sign, of.Last = sign, number
	of.Count++
	isNew := s.Out.Words.Add(sketch.Hash(line)^sketch.PlaceFactor, 1) == 1
	if isNew {
		of.Fresh++
	}
	if isNew || o.Sign < 0 || o.Sign == i { // else a heading that recurs in the section
		o.Sign, o.Number, o.Text = i, number, append(o.Text[:0], line...)
	}
	o.IsBlank = false
	return sign != ':'
}

// KeepSection keeps the heading that the current line is under with the line, if that may stand out
// and nothing nearer says which record it is of.
func (s *Lines) KeepSection(line []byte) {
	r, o := s.Out.Row, &s.Out.OutputSections
	if len(r.Reasons) == 0 || r.Identity.To > 0 || o.Sign < 0 || o.Number == s.Count {
		return
	}
	if o.Signs[o.Sign].Sign == ':' && outlier.IsIndented(line) { // a tree, as of YAML, whose names are no rounds of a loop
		return
	}
	if from := len(r.Bytes); from+len(o.Text) <= outlier.RowCap {
		r.Bytes = append(r.Bytes, o.Text...)
		r.Identity = ascii.Span{From: from, To: len(r.Bytes)}
		r.Owner = outlier.OwnerOfLine{Sign: o.Sign, Number: o.Number, Distance: s.Count - o.Number, IsAfterBlank: o.IsBlank}
	}
}

// owns reports whether a heading owns a line after all: its sign has come again, mostly with
// another text, and the line is not what follows the last section, as totals do: after a blank
// line, or further from the heading than any line of the sections before.
func (s *Lines) owns(of outlier.OwnerOfLine) bool {
	sign := &s.Out.OutputSections.Signs[of.Sign]
	if s.Blocks.Hunks > 0 && sign.Sign == outlier.SignOfFile { // what follows a hunk is of no file
		return false
	}
	isRecurring := sign.Count > 1 && 2*sign.Fresh > sign.Count
	if sign.Sign == ':' {
		isRecurring = outlier.AreDifferent(sign.Count, sign.Fresh)
	}
	mayFollow := of.IsAfterBlank || of.Distance > max(1, sign.Longest)
	return isRecurring && !(mayFollow && of.Number == sign.Last)
}
