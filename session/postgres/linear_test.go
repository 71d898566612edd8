//go:build unix

package postgres

import (
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"sync"
	"testing"
	"time"

	"github.com/anishathalye/porcupine"

	"github.com/kfw-dev/kfw/internal/testdepth"
	"github.com/kfw-dev/kfw/session"
)

// The operations of a history.
const (
	opGrant = iota
	opDraw
	opEnd
	opSpend
	opSetTotal
	opReset
	opStatus
)

// asked is what a client does. Amounts are tokens.
type asked struct {
	op, grant, tokens int // grant is the client's own number of it
}

// answered is the answer that it got.
type answered struct {
	isRefused                     bool // exhausted
	granted, drawn, left          int
	total, used, reserved, remain int
}

type openGrant struct{ granted, drawn int }

// account is what a ledger should say: left = total - used - what is granted. What a grant did not use is given back
// by the next one that looks, so one that began before may be told of less: never of more.
type account struct {
	total, used int
	open        map[int]openGrant
	back        int // what all grants that ended did not use
}

func (a account) held() (granted, drawn int) {
	for _, g := range a.open {
		granted += g.granted
		drawn += g.drawn
	}
	return granted, drawn
}

func (a account) with(id int, g *openGrant) account {
	a.open = maps.Clone(a.open)
	if g == nil {
		delete(a.open, id)
	} else {
		a.open[id] = *g
	}
	return a
}

// step says whether a ledger in this state may tell that, and the state after it.
func (a account) step(in asked, out answered) (bool, account) {
	granted, drawn := a.held()
	left := max(0, a.total-a.used-granted)
	switch in.op {
	case opGrant:
		if out.isRefused {
			return left-a.back < 1, a
		}
		g := openGrant{granted: out.granted, drawn: out.drawn}
		isRight := left-a.back <= out.left && out.left <= left && g.granted == min(in.tokens, out.left) &&
			g.drawn == min(g.granted, 1+session.Slice(g.granted, slicesOfGrant))
		return isRight, a.with(in.grant, &g)
	case opDraw:
		g := a.open[in.grant]
		g.drawn = in.tokens
		return true, a.with(in.grant, &g)
	case opEnd:
		a.used += in.tokens
		a.back += a.open[in.grant].granted - in.tokens
		return true, a.with(in.grant, nil)
	case opSpend:
		a.used += in.tokens
		return true, a
	case opSetTotal:
		a.total = in.tokens
		return true, a
	case opReset:
		a.used = 0
		return true, a
	}
	return out.total == a.total && out.used == a.used+drawn && out.reserved == granted-drawn && out.remain == left, a
}

const linearTotal = 3000

// model is that of a ledger for the checker.
func model() porcupine.Model {
	return porcupine.Model{
		Init: func() any { return account{total: linearTotal, open: map[int]openGrant{}} },
		Step: func(state, in, out any) (bool, any) { return state.(account).step(in.(asked), out.(answered)) },
		Equal: func(a, b any) bool {
			x, y := a.(account), b.(account)
			return x.total == y.total && x.used == y.used && x.back == y.back && maps.Equal(x.open, y.open)
		},
		DescribeOperation: func(in, out any) string { return fmt.Sprintf("%+v -> %+v", in, out) },
	}
}

// history records the calls of clients and their answers.
type history struct {
	mu    sync.Mutex
	begin time.Time
	all   []porcupine.Operation
}

// do records one operation. No answer is lost for good here: calls are repeated.
func (h *history) do(client int, in asked, call func() (answered, error)) (answered, error) {
	began := time.Since(h.begin)
	out, err := call()
	ended := int64(time.Since(h.begin))
	h.mu.Lock()
	defer h.mu.Unlock()
	h.all = append(h.all, porcupine.Operation{ClientId: client, Input: in, Output: out, Call: int64(began), Return: ended})
	return out, err
}

// TestLinearizable: whatever eight clients do at once, over a way that loses connections, is told as if they had done
// it one after the other.
func TestLinearizable(t *testing.T) {
	const histories, clients, steps = 50, 8, 14
	s := server(t)
	for seed := range uint64(testdepth.Cases(histories)) {
		n := overBadNetwork(t, s, seed, 25)
		h := &history{begin: time.Now()}
		p := &place{t, s, n.dir, named(t)}
		first := p.Open(session.Settings{Total: linearTotal})
		check(t, first.SetTotal(linearTotal))
		check(t, first.Close())
		var all sync.WaitGroup
		for client := range clients {
			f := p.Open(session.Settings{Total: linearTotal, Wait: 20 * time.Second})
			all.Go(func() {
				c := &actor{h: h, f: f, id: client, random: rand.New(rand.NewPCG(seed, uint64(client)))}
				for range steps {
					if err := c.step(); err != nil {
						t.Errorf("seed %d: %v", seed, err)
						break
					}
				}
				_ = f.Close() // it never fails
			})
		}
		all.Wait()
		if result := porcupine.CheckOperationsTimeout(model(), h.all, time.Minute); result != porcupine.Ok {
			t.Fatalf("seed %d: %d operations: %s", seed, len(h.all), result)
		}
	}
}

// actor is one client of a history.
type actor struct {
	h      *history
	f      session.Session
	id     int
	random *rand.Rand
	grants int
	open   map[int]*session.Grant
	spent  map[int]int
}

// step does something, as chance has it.
func (c *actor) step() error {
	if c.open == nil {
		c.open, c.spent = map[int]*session.Grant{}, map[int]int{}
	}
	for id, g := range c.open {
		if c.random.IntN(2) == 0 {
			return c.spend(id, g)
		}
		break
	}
	switch n := c.random.IntN(12); {
	case n < 6:
		return c.grant()
	case n < 8:
		tokens := c.random.IntN(60)
		_, err := c.h.do(c.id, asked{op: opSpend, tokens: tokens}, func() (answered, error) {
			_, err := c.f.Spend(tokens, "spend")
			return answered{}, err
		})
		return err
	case n == 8:
		tokens := 1000 + c.random.IntN(2*linearTotal)
		_, err := c.h.do(c.id, asked{op: opSetTotal, tokens: tokens},
			func() (answered, error) { return answered{}, c.f.SetTotal(tokens) })
		return err
	case n == 9:
		_, err := c.h.do(c.id, asked{op: opReset}, func() (answered, error) { return answered{}, c.f.Reset() })
		return err
	}
	_, err := c.h.do(c.id, asked{op: opStatus}, func() (answered, error) {
		s, err := c.f.Status()
		return answered{total: s.Total, used: s.Used, reserved: s.Reserved, remain: s.Left}, err
	})
	return err
}

func (c *actor) grant() error {
	c.grants++
	id, tokens := c.id*1000+c.grants, 100+c.random.IntN(700)
	var g *session.Grant
	_, err := c.h.do(c.id, asked{opGrant, id, tokens}, func() (out answered, err error) {
		g, err = c.f.Allocate(tokens, 1, "run")
		if _, isExhausted := errors.AsType[*session.Exhausted](err); isExhausted {
			return answered{isRefused: true}, nil
		}
		if err != nil {
			return out, err
		}
		return answered{granted: g.Tokens(), drawn: g.Drawn(), left: g.SessionLeft()}, nil
	})
	if g != nil {
		c.open[id] = g
	}
	return err
}

// spend spends some of a grant, or ends it.
func (c *actor) spend(id int, g *session.Grant) error {
	rest := g.Tokens() - c.spent[id]
	if c.random.IntN(2) == 0 || rest < 2 {
		delete(c.open, id)
		_, err := c.h.do(c.id, asked{opEnd, id, c.spent[id]}, func() (answered, error) { return answered{}, g.Close(0) })
		return err
	}
	tokens := 1 + c.random.IntN(rest-1)
	c.spent[id] += tokens
	needed, drawn := min(g.Tokens(), c.spent[id]+1), g.Drawn()
	if needed <= drawn {
		return g.Spend(tokens) // the ledger is not asked
	}
	drawn = min(g.Tokens(), max(needed, drawn+session.Slice(g.Tokens(), slicesOfGrant)))
	_, err := c.h.do(c.id, asked{opDraw, id, drawn}, func() (answered, error) { return answered{}, g.Spend(tokens) })
	return err
}
