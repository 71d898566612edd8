package excerpt

import (
	"cmp"
	"slices"
)

// pool keeps the candidates with the most worth for each byte, as a heap with the least on top.
type pool struct {
	all       []candidate
	size      int // bytes of all
	mostBytes int
	most      int      // candidates
	spare     [][]byte // buffers of candidates that gave way
}

// add takes a candidate in, with its buffer. Others give way, or the candidate itself.
func (p *pool) add(one candidate) {
	if p.isOver(len(one.text), 1) && len(p.all) > 0 && !p.isBetter(&one, &p.all[0]) {
		p.spare = append(p.spare, one.text)
		return
	}
	p.size += len(one.text)
	p.all = append(p.all, one)
	p.up(len(p.all) - 1)
	for p.isOver(0, 0) && len(p.all) > 1 {
		p.removeLeast()
	}
}

// isFull reports whether another candidate makes one give way.
func (p *pool) isFull() bool { return p.isOver(longLine, 1) && len(p.all) > 0 }

// isOver reports whether so many bytes in n more candidates are more than there is room for.
func (p *pool) isOver(size, n int) bool { return p.size+size > p.mostBytes || len(p.all)+n > p.most }

// isBetter reports whether a tells more for a byte than b, or as much and earlier.
func (p *pool) isBetter(a, b *candidate) bool {
	x, y := density(a.worth(), len(a.text)), density(b.worth(), len(b.text))
	return x > y || x == y && a.place < b.place
}

func (p *pool) removeLeast() {
	least, last := &p.all[0], len(p.all)-1
	p.size -= len(least.text)
	p.spare = append(p.spare, least.text)
	p.all[0] = p.all[last]
	p.all = p.all[:last]
	p.down(0)
}

func (p *pool) up(i int) {
	for i > 0 {
		parent := (i - 1) / 2
		if !p.isBetter(&p.all[parent], &p.all[i]) {
			return
		}
		p.all[parent], p.all[i] = p.all[i], p.all[parent]
		i = parent
	}
}

func (p *pool) down(i int) {
	for {
		least := i
		for child := 2*i + 1; child <= 2*i+2 && child < len(p.all); child++ {
			if p.isBetter(&p.all[least], &p.all[child]) {
				least = child
			}
		}
		if least == i {
			return
		}
		p.all[least], p.all[i] = p.all[i], p.all[least]
		i = least
	}
}

// rank gives the most surprising units the most worth.
func (p *pool) rank() {
	var all []*candidate
	for i := range p.all {
		if p.all[i].rare > 0 {
			all = append(all, &p.all[i])
		}
	}
	slices.SortStableFunc(all, func(a, b *candidate) int { return cmp.Compare(b.rare, a.rare) })
	for i, one := range all {
		one.own = max(one.own, worthOfRanked-float64(i)/2)
	}
}

const worthOfRanked = 8.0
