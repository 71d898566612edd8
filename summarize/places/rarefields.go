package places

import (
	"math"

	"github.com/kfw-dev/kfw/summarize/fields"
	"github.com/kfw-dev/kfw/summarize/outlier"
	"github.com/kfw-dev/kfw/summarize/structure"
	"github.com/kfw-dev/kfw/summarize/surprise"
)

// WeighField says how much it tells that a record has a field that few have: little of a map most of whose keys are
// rare.
func (s *Places) WeighField(f *fields.Field, place int) float64 {
	if n := s.RowsOf(place); n < fields.LeastRecords || f.Records > max(1, n/outlier.RareFieldShare) ||
		s.IsInKeyOfMap(place) {
		return 0
	}
	around, rare := s.RareSiblings(place, f.Records)
	score := surprise.OfNew(around, rare) - math.Log(float64(f.Records))
	if isKeyOfMap := s.MayBeKey(place) && 2*rare >= s.Paths.Nodes[s.Paths.Nodes[place].Parent].Members; !isKeyOfMap {
		score += surprise.NewField
	}
	return score
}

// WeighKey says how much it tells that a line begins with a name that hardly any does: nothing where several are as
// rare.
func (s *Places) WeighKey(f *fields.Field) float64 {
	if f.Records > surprise.MostOfRare || f.Named.IsPair {
		return 0
	}
	usual, rare := s.usualKey()
	if usual < outlier.RareKeyShare || rare > outlier.MostRareKeys {
		return 0
	}
	return surprise.NewField + surprise.OfNew(usual, rare) - float64(f.Records-1)
}

// usualKey is how many lines begin with the name that most begin with, and how many names hardly any line begins with.
func (s *Places) usualKey() (usual, rare int) {
	for i := range s.Fields {
		if key := &s.Fields[i]; key.Named.IsKey && !key.Named.IsPair {
			usual = max(usual, key.Records)
			if key.Records <= surprise.MostOfRare {
				rare++
			}
		}
	}
	return usual, rare
}

// RareSiblings counts how often the object around a field came, and how many of its fields are as rare.
func (s *Places) RareSiblings(place, records int) (around, rare int) {
	parent := s.Paths.Nodes[place].Parent
	for id := range s.Fields {
		if s.Paths.Nodes[id].Parent == parent && id != structure.RootNode && !s.Paths.IsKeys(id) &&
			s.Fields[id].Records <= records {
			rare++
		}
	}
	return max(s.Fields[parent].Seen.Values, rare), rare
}

// HasSomeKeys says whether some name has begun a few lines, but none enough for another to be rare.
func (s *Places) HasSomeKeys() bool {
	usual, _ := s.usualKey()
	return fields.LeastRecords <= usual && usual < outlier.RareKeyShare
}
