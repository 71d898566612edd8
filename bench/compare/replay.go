package main

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"sync"
)

// charsPerToken is how many characters count as a token, for all tools alike.
const charsPerToken = 4

// budgets are the sizes that are measured, in tokens.
var budgets = []int{500, 1000, 2000, 4000}

// Replay is how much a tool left of the text that agents used next.
type Replay struct {
	Cases    map[string]int `json:"cases"` // by budget and group: "1000 Bash", "1000 all"
	Kept     []Kept         `json:"kept"`
	OwnSizes []OwnSize      `json:"own_sizes"`
}

// Kept is what one tool kept, in percent, as a mean of cases, by budget and group.
type Kept struct {
	Tool  string             `json:"tool"`
	Share map[string]float64 `json:"share"`
}

// OwnSize compares a tool without a budget with others at the same size, over the results that it can see. All are means
// of cases, in percent.
type OwnSize struct {
	Tool     string  `json:"tool"`
	Cases    int     `json:"cases"`
	Shown    float64 `json:"shown"` // of the characters
	Kept     float64 `json:"kept"`
	HeadTail float64 `json:"head_tail"`
	Queried  float64 `json:"queried"`
}

// each calls do for each number below n, two at a time, and returns the first error.
func each(n int, do func(i int) error) (err error) {
	var all sync.WaitGroup
	var once sync.Once
	next := make(chan int)
	for range 2 {
		all.Go(func() {
			for i := range next {
				if e := do(i); e != nil {
					once.Do(func() { err = e })
				}
			}
		})
	}
	for i := range n {
		next <- i
	}
	close(next)
	all.Wait()
	return err
}

func inputOf(c *Case) input { return input{text: c.Text, about: c.About, command: c.command()} }

// replay measures all tools on all cases that do not fit.
func replay(ctx context.Context, tools []*tool, cases []Case) (r Replay, err error) {
	r.Cases = make(map[string]int)
	for _, budget := range budgets {
		for _, c := range cases {
			if length(c.Text) > charsPerToken*budget {
				r.Cases[key(budget, c.Group)]++
				r.Cases[key(budget, all)]++
			}
		}
	}
	for _, t := range tools {
		outs := make(map[string]string) // of a tool without a budget, by case
		if t.hasNoBudget {
			own, err := ownSize(ctx, t, cases, outs)
			if err != nil {
				return r, err
			}
			r.OwnSizes = append(r.OwnSizes, own)
		}
		kept := Kept{Tool: t.Name, Share: make(map[string]float64)}
		for _, budget := range budgets {
			if err := t.replay(ctx, cases, budget, outs, kept.Share); err != nil {
				return r, err
			}
		}
		for where, n := range r.Cases {
			kept.Share[where] = 100 * kept.Share[where] / float64(n)
		}
		r.Kept = append(r.Kept, kept)
	}
	return r, nil
}

// all stands for all groups.
const all = "all"

func key(budget int, group string) string { return fmt.Sprint(budget, " ", group) }

// replay adds the shares that a tool keeps of each case.
func (t *tool) replay(ctx context.Context, cases []Case, budget int, outs map[string]string,
	share map[string]float64) error {
	var mu sync.Mutex
	return each(len(cases), func(i int) error {
		c := &cases[i]
		if length(c.Text) <= charsPerToken*budget {
			return nil
		}
		mu.Lock()
		shown, isThere := outs[c.ID]
		mu.Unlock()
		if isThere {
			shown = headTail(shown, charsPerToken*budget)
		} else {
			var err error
			if shown, err = t.shorten(ctx, inputOf(c), budget); err != nil {
				return fmt.Errorf("%s: %w", t.Name, err)
			}
			if length(shown) > charsPerToken*budget {
				return fmt.Errorf("%s: %d characters at %d tokens", t.Name, length(shown), budget)
			}
		}
		part := float64(c.Next.kept(shown)) / float64(c.Next.size())
		mu.Lock()
		defer mu.Unlock()
		share[key(budget, c.Group)] += part
		share[key(budget, all)] += part
		return nil
	})
}

// ownSize measures a tool without a budget at the size that it chooses. outs gets what it shows of each case.
func ownSize(ctx context.Context, t *tool, cases []Case, outs map[string]string) (own OwnSize, err error) {
	own.Tool = t.Name
	var mu sync.Mutex
	shownChars, chars := 0, 0
	err = each(len(cases), func(i int) error {
		c := &cases[i]
		shown, err := t.shorten(ctx, inputOf(c), 0)
		if err != nil {
			return fmt.Errorf("%s: %w", t.Name, err)
		}
		mu.Lock()
		defer mu.Unlock()
		outs[c.ID] = shown
		if !t.sees(inputOf(c)) {
			return nil
		}
		n := length(shown)
		own.Cases++
		shownChars, chars = shownChars+n, chars+length(c.Text)
		size := float64(c.Next.size())
		own.Kept += float64(c.Next.kept(shown)) / size
		own.HeadTail += float64(c.Next.kept(headTail(c.Text, n))) / size
		own.Queried += float64(c.Next.kept(queried(c.Text, c.About, n))) / size
		return nil
	})
	if own.Cases > 0 {
		own.Shown = 100 * float64(shownChars) / float64(chars)
		for _, sum := range []*float64{&own.Kept, &own.HeadTail, &own.Queried} {
			*sum *= 100 / float64(own.Cases)
		}
	}
	return own, err
}

// Edits is how many edits no longer match, since redaction changed what was read before them.
type Edits struct {
	All      int `json:"all"`
	Broken   int `json:"broken"`
	Sessions int `json:"sessions"`
	Touched  int `json:"touched"` // sessions with a broken edit
}

// brokenEdits measures how many edits kfw redact breaks.
func brokenEdits(ctx context.Context, kfw *tool, edits []Edit) (e Edits, err error) {
	var mu sync.Mutex
	sessions, touched := make(map[string]bool), make(map[string]bool)
	err = each(len(edits), func(i int) error {
		one := &edits[i]
		out, err := kfw.redact(ctx, one.Read)
		if err != nil {
			return err
		}
		mu.Lock()
		defer mu.Unlock()
		sessions[one.Session] = true
		if contains(one.Read, one.Old) && !contains(out, one.Old) {
			e.Broken++
			touched[one.Session] = true
		}
		return nil
	})
	e.All, e.Sessions, e.Touched = len(edits), len(sessions), len(slices.Collect(maps.Keys(touched)))
	return e, err
}
