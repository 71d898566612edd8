package gain

import (
	_ "embed"
	"html/template"
	"io"

	"github.com/dustin/go-humanize"
)

//go:embed page.html
var pageText string

// row is a line of a table of the page.
type row struct {
	Name                      string
	Calls, Read, Given, Saved string
	Share                     int
	IsOver                    bool // it cost more than it saved
	Width                     int  // of its bar, in percent
}

// Page writes the sums as one HTML file. It loads nothing and runs no script.
func (s *Sums) Page(w io.Writer) error {
	type table struct {
		Title string
		Rows  []row
	}
	page, err := template.New("page").Parse(pageText)
	if err != nil {
		return err
	}
	return page.Execute(w, struct {
		Sentence string
		Tables   []table
	}{s.Sentence(), []table{
		{"command", rows(s.ByCommand[:min(len(s.ByCommand), mostRows)])}, {"host", rows(s.ByHost)},
		{"day", rows(s.ByDay)},
	}})
}

func rows(sums []Sum) (all []row) {
	most := 1
	for _, s := range sums {
		most = max(most, s.Saved, -s.Saved)
	}
	for _, s := range sums {
		all = append(all, row{Name: s.Name, Calls: humanize.Comma(int64(s.Calls)), Read: humanize.Comma(int64(s.Read)),
			Given: humanize.Comma(int64(s.Given)), Saved: humanize.Comma(int64(s.Saved)), IsOver: s.Saved < 0,
			Share: s.Share(), Width: max(s.Saved, -s.Saved) * 100 / most})
	}
	return all
}
