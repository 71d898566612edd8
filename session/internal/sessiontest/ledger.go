package sessiontest

import (
	"errors"
	"fmt"
	"io/fs"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/kfw-dev/kfw/budget"
	"github.com/kfw-dev/kfw/internal/testdepth"
	"github.com/kfw-dev/kfw/session"
)

func testGrant(t *testing.T, next func() Place) {
	f := open(next(), session.Settings{Total: 10_000})
	g := must[*session.Grant](t)(f.Allocate(4000, 100, "cat a"))
	if g.Tokens() != 4000 || g.SessionLeft() != 10_000 || g.SessionTotal() != 10_000 {
		t.Fatalf("granted %d of %d of %d", g.Tokens(), g.SessionLeft(), g.SessionTotal())
	}
	other := must[*session.Grant](t)(f.Allocate(9000, 100, "cat b"))
	if other.Tokens() != 6000 || other.SessionLeft() != 6000 {
		t.Fatalf("beside it: granted %d of %d", other.Tokens(), other.SessionLeft())
	}
	check(t, g.Spend(10))
	s := must[session.Status](t)(f.Status())
	if drawn := g.Drawn() + other.Drawn(); g.Drawn() < 110 || s.Used != drawn || s.Reserved != 10_000-drawn ||
		s.Left != 0 || s.Total != 10_000 {
		t.Errorf("after the first slice: %+v", s)
	}
	check(t, g.Spend(3000))
	if err := g.Spend(991); err == nil {
		t.Error("more than the grant was spent")
	}
	if err := g.Spend(-1); err == nil {
		t.Error("less than nothing was spent")
	}
	check(t, g.Spend(990))
	check(t, other.Close(7))
	check(t, g.Close(5000))
	check(t, g.Close(5000))
	if err := g.Spend(1); err == nil {
		t.Error("a closed grant was spent")
	}
	s = must[session.Status](t)(f.Status())
	if s.Used != 4000 || s.Reserved != 0 || s.Left != 6000 || s.Share != 0.6 {
		t.Errorf("in the end: %+v", s)
	}
	if len(s.Recent) != 2 || s.Recent[0].Command != "cat b" || s.Recent[1].TokensIn != 5000 ||
		s.Recent[1].TokensOut != 4000 || s.Recent[1].Saved != 1000 {
		t.Errorf("recent: %+v", s.Recent)
	}
}

func testTotalIsThatOfCreation(t *testing.T, next func() Place) {
	p := next()
	check(t, must[*session.Grant](t)(open(p, session.Settings{}).Allocate(1, 1, "")).Close(0))
	f := open(p, session.Settings{Total: 77})
	g := must[*session.Grant](t)(f.Allocate(1, 1, ""))
	if g.SessionTotal() != session.DefaultTotal {
		t.Errorf("total is %d", g.SessionTotal())
	}
}

// A new total and a reset change the account, and what runs goes on.
func testSetTotalAndReset(t *testing.T, next func() Place) {
	p := next()
	f := open(p, session.Settings{})
	if err := f.Reset(); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("without a file: %v", err)
	}
	if err := f.SetTotal(-1); err == nil || p.IsMade() {
		t.Errorf("a negative total: %v", err)
	}
	check(t, f.SetTotal(1000))
	first := must[*session.Grant](t)(f.Allocate(600, 80, "first"))
	check(t, first.Spend(600))
	check(t, first.Close(0))
	running := must[*session.Grant](t)(f.Allocate(4000, 80, "running"))
	check(t, running.Spend(10))
	check(t, f.SetTotal(500))
	if s := must[session.Status](t)(f.Status()); s.Total != 500 || s.Left != 0 || s.Share != 0 {
		t.Errorf("a total below what was used: %+v", s)
	}
	check(t, f.SetTotal(1000))
	check(t, f.Reset())
	drawn := running.Drawn()
	if s := must[session.Status](t)(f.Status()); s.Used != drawn || s.Reserved != 400-drawn || s.Left != 600 ||
		s.Saved != 0 {
		t.Errorf("after a reset: %+v", s)
	}
	check(t, running.Spend(390))
	check(t, running.Close(0))
	if s := must[session.Status](t)(f.Status()); s.Used != 400 || s.Reserved != 0 || s.Left != 600 {
		t.Errorf("in the end: %+v", s)
	}
}

// What an expansion writes is subtracted from what was saved.
func testSaved(t *testing.T, next func() Place) {
	f := open(next(), session.Settings{})
	for _, c := range []struct{ in, out int }{{5000, 300}, {0, 200}, {10, 10}} {
		g := must[*session.Grant](t)(f.Allocate(1000, 10, ""))
		check(t, g.Spend(c.out))
		check(t, g.Close(c.in))
	}
	if s := must[session.Status](t)(f.Status()); s.Saved != 4500 || s.Recent[1].Saved != -200 {
		t.Errorf("saved: %+v", s)
	}
}

func testExhaustedLeavesNoTrace(t *testing.T, next func() Place) {
	f := open(next(), session.Settings{Total: 1000})
	g := must[*session.Grant](t)(f.Allocate(900, 100, "first"))
	check(t, g.Spend(900))
	_, err := f.Allocate(4000, 101, "second")
	exhausted, ok := errors.AsType[*session.Exhausted](err)
	if !ok || *exhausted != (session.Exhausted{Left: 100, Total: 1000}) {
		t.Fatalf("error is %v", err)
	}
	if exhausted.Error() != "session exhausted: 100 of 1000 tokens left" {
		t.Errorf("it says %q", exhausted)
	}
	if s := must[session.Status](t)(f.Status()); len(s.Recent) != 1 || s.Left != 100 {
		t.Errorf("status is %+v", s)
	}
	check(t, must[*session.Grant](t)(f.Allocate(4000, 100, "third")).Close(0))
}

// Status reports held and used tokens separately. An invocation that has drawn its whole grant holds nothing.
func testExhaustedByReservations(t *testing.T, next func() Place) {
	f := open(next(), session.Settings{Total: 1000})
	spent := must[*session.Grant](t)(f.Allocate(200, 10, "has drawn all"))
	check(t, spent.Spend(200))
	first := must[*session.Grant](t)(f.Allocate(500, 10, "first"))
	second := must[*session.Grant](t)(f.Allocate(500, 10, "second"))
	reserved := 800 - first.Drawn() - second.Drawn()
	_, err := f.Allocate(1, 1, "third")
	exhausted, ok := errors.AsType[*session.Exhausted](err)
	if !ok || *exhausted != (session.Exhausted{Left: 0, Total: 1000, Reserved: reserved, Running: 2}) ||
		exhausted.Error() != fmt.Sprintf("session exhausted: 0 of 1000 tokens left, %d reserved by "+
			"2 runs that have not ended", reserved) {
		t.Errorf("error is %v", err)
	}
	check(t, first.Close(0))
	check(t, second.Close(0))
	check(t, must[*session.Grant](t)(f.Allocate(800, 800, "again")).Close(0))
	check(t, spent.Close(0))

	// Held grants are counted apart from runs.
	says := func(want string) {
		t.Helper()
		_, _, err := f.Hold(1, time.Hour, "allocate")
		want = "session exhausted: 0 of 1000 tokens left" + want
		if _, ok := errors.AsType[*session.Exhausted](err); !ok || err.Error() != want {
			t.Errorf("error is %v", err)
		}
	}
	held, _, err := f.Hold(500, time.Hour, "allocate")
	check(t, err)
	last := must[*session.Grant](t)(f.Allocate(500, 10, "last"))
	says(fmt.Sprintf(", %d reserved by a run that has not ended and a held grant", 800-last.Drawn()))
	check(t, last.Close(0))
	check(t, third(f.Hold(300, time.Hour, "allocate")))
	says(", 800 reserved by 2 held grants")
	check(t, third(f.Settle(held.ID, 500, "spend")))
	says(", 300 reserved by a held grant")
	check(t, third(f.Settle("g7", 300, "spend")))
	says("")
}

// testRecord: what is recorded is remembered, and takes nothing from what may be written.
func testRecord(t *testing.T, next func() Place) {
	f := open(next(), session.Settings{Total: 1000})
	if err := f.Record("turn m", 12, 34); err != nil {
		t.Fatal(err)
	}
	if err := f.Record("turn m", -1, 0); err == nil {
		t.Error("a negative number of tokens was recorded")
	}
	s, err := f.Status()
	if err != nil {
		t.Fatal(err)
	}
	if s.Left != 1000 || s.Used != 0 || len(s.Recent) != 1 {
		t.Fatalf("%+v", s)
	}
	if got := s.Recent[0]; got.Command != "turn m" || got.TokensIn != 12 || got.TokensOut != 34 || got.Saved != 0 {
		t.Errorf("%+v", got)
	}
}

// modelled is what a ledger should say, kept in maps.
type modelled struct {
	total, used int
	held        map[string]int // tokens by ID
	expired     map[string]bool
	ended       []string // settled or released
}

// pick returns one of the IDs, in an order that does not depend on the map.
func pick[V any](from map[string]V, n byte) string {
	var ids []string
	for id := range from {
		ids = append(ids, id)
	}
	slices.Sort(ids)
	if len(ids) == 0 {
		return "g999999"
	}
	return ids[int(n)%len(ids)]
}

func (m *modelled) account() budget.Account {
	a := budget.Account{Total: m.total, Used: m.used}
	for _, tokens := range m.held {
		a.Reserved += tokens
	}
	return a
}

func (m *modelled) left() int {
	a := m.account()
	return max(0, a.Total-a.Used-a.Reserved)
}

// step does one thing to the ledger and to the model, and compares what both return.
func (m *modelled) step(t *testing.T, p Place, file session.Session, op byte, amount int, which byte) {
	var account budget.Account
	var err error
	switch op {
	case 0, 1, 2, 3, 4:
		var held session.Held
		left := m.left()
		held, account, err = file.Hold(amount+1, time.Hour, "allocate")
		if left == 0 {
			want := session.Exhausted{Total: m.total, Reserved: m.account().Reserved, Held: len(m.held)}
			if e, ok := errors.AsType[*session.Exhausted](err); !ok || *e != want {
				t.Fatalf("hold of nothing left: %+v, %v", held, err)
			}
			return
		}
		if held.Tokens != min(amount+1, left) {
			t.Fatalf("hold of %d with %d left: %+v", amount+1, left, held)
		}
		m.held[held.ID] = held.Tokens
	case 5, 6:
		account, err = file.Spend(amount, "spend")
		m.used += amount
	case 7, 8, 9:
		id := pick(m.held, which)
		var late bool
		late, account, err = file.Settle(id, amount, "spend")
		if len(m.held) == 0 {
			m.notHeld(t, err, "unknown")
			return
		}
		if late {
			t.Fatalf("%s is late", id)
		}
		m.used += amount
		m.end(id)
	case 10:
		id := pick(m.held, which)
		var tokens int
		tokens, account, err = file.Release(id)
		if len(m.held) == 0 {
			m.notHeld(t, err, "unknown")
			return
		}
		if tokens != m.held[id] {
			t.Fatalf("released %d of %d", tokens, m.held[id])
		}
		m.end(id)
	case 11:
		id := pick(m.held, which)
		if len(m.held) > 0 {
			p.Expire(id)
			delete(m.held, id)
			m.expired[id] = true
		}
		return
	case 12:
		id := pick(m.expired, which)
		if len(m.expired) > 0 && which%2 == 0 {
			_, _, err = file.Release(id)
			m.notHeld(t, err, "expired")
			return
		}
		var late bool
		late, account, err = file.Settle(id, amount, "spend")
		if len(m.expired) == 0 {
			m.notHeld(t, err, "unknown")
			return
		}
		if !late {
			t.Fatalf("%s is not late", id)
		}
		m.used += amount
		delete(m.expired, id)
		m.ended = append(m.ended, id)
	case 13:
		if len(m.ended) > 0 {
			id := m.ended[int(which)%len(m.ended)]
			_, _, err = file.Settle(id, amount, "spend")
			m.notHeld(t, err, "settled")
			_, _, err = file.Release(id)
			m.notHeld(t, err, "settled")
		}
		return
	case 14:
		m.run(t, file, amount, int(which))
		return
	case 15:
		if which%2 == 0 {
			check(t, file.Reset())
			m.used = 0
		} else {
			m.total = 8 * amount
			check(t, file.SetTotal(m.total))
		}
		return
	}
	check(t, err)
	if want := m.account(); account != want {
		t.Fatalf("step %d: the account is %+v, want %+v", op, account, want)
	}
}

// run is an invocation between the held grants.
func (m *modelled) run(t *testing.T, file session.Session, asked, spent int) {
	left := m.left()
	g, err := file.Allocate(asked, 1, "run")
	if left == 0 {
		if _, ok := errors.AsType[*session.Exhausted](err); !ok {
			t.Fatalf("a run with nothing left: %v", err)
		}
		return
	}
	check(t, err)
	if g.Tokens() != min(asked, left) {
		t.Fatalf("a run that asks %d is granted %d of %d", asked, g.Tokens(), left)
	}
	spent = min(spent, g.Tokens())
	check(t, g.Spend(spent))
	if s := must[session.Status](t)(file.Status()); s.Left != left-g.Tokens() || s.Used < m.used+spent {
		t.Fatalf("while it runs: %+v", s)
	}
	check(t, g.Close(0))
	m.used += spent
}

func (m *modelled) end(id string) {
	delete(m.held, id)
	m.ended = append(m.ended, id)
}

func (m *modelled) notHeld(t *testing.T, err error, reason string) {
	t.Helper()
	if e, ok := errors.AsType[*session.NotHeld](err); !ok || e.Reason != reason {
		t.Fatalf("error is %v, want one of a grant that is %s", err, reason)
	}
}

// bytesOfSteps is how many bytes the steps of a seed are.
const bytesOfSteps = 180

func testLedger(t *testing.T, next func() Place) {
	for seed := range uint64(testdepth.Cases(12)) {
		random := rand.New(rand.NewPCG(seed, 1))
		steps := make([]byte, bytesOfSteps)
		for i := range steps {
			steps[i] = byte(random.Uint32())
		}
		Ledger(t, next(), steps)
	}
}

// Ledger does what the bytes say as three processes on one session. After each step the ledger says what the model
// says: a grant is what was asked or all that is left, what is spent is recorded whole, less than nothing is never
// left.
func Ledger(t *testing.T, p Place, steps []byte) {
	files := [3]session.Session{open(p, session.Settings{}), open(p, session.Settings{}), open(p, session.Settings{})}
	m := &modelled{total: 1000, held: map[string]int{}, expired: map[string]bool{}}
	check(t, files[0].SetTotal(m.total))
	const most = 3 * bytesOfSteps
	for steps = steps[:min(len(steps), most)]; len(steps) >= 3; steps = steps[3:] {
		file := files[int(steps[0]>>4)%len(files)]
		m.step(t, p, file, steps[0]&15, int(steps[1]), steps[2])
		s := must[session.Status](t)(files[int(steps[2])%len(files)].Status())
		want := m.account()
		got := budget.Account{Total: s.Total, Used: s.Used, Reserved: s.Reserved}
		if got != want || s.Left != m.left() {
			t.Fatalf("after %v: the ledger says %+v, %d left; the model %+v, %d left",
				steps[:3], got, s.Left, want, m.left())
		}
		taken := s.Used + s.Reserved
		if s.Left < 0 || s.Share < 0 || taken <= s.Total && taken+s.Left != s.Total {
			t.Fatalf("after %v: %+v does not add up", steps[:3], s)
		}
		listed := map[string]int{}
		for _, i := range s.Recent {
			if i.Held.ID != "" {
				listed[i.Held.ID] = i.Held.Tokens
			}
		}
		if fmt.Sprint(listed) != fmt.Sprint(m.held) {
			t.Fatalf("after %v: held are %v, listed %v", steps[:3], m.held, listed)
		}
	}
}

// An invalid ID, or one of no held grant, changes nothing. The error says which of the two it is.
func testNotHeld(t *testing.T, next func() Place) {
	p := next()
	f := open(p, session.Settings{})
	if _, _, err := f.Settle("g1", 1, ""); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("settled without a file: %v", err)
	}
	if _, _, err := f.Release("g1"); !errors.Is(err, fs.ErrNotExist) || p.IsMade() {
		t.Errorf("released without a file: %v", err)
	}
	check(t, must[*session.Grant](t)(f.Allocate(100, 1, "ended")).Close(0))
	running := must[*session.Grant](t)(f.Allocate(100, 1, "running"))
	held, _, err := f.Hold(100, time.Hour, "held")
	check(t, err)
	must[budget.Account](t)(f.Spend(5, "spent"))
	before := must[session.Status](t)(f.Status())
	for id, want := range map[string]string{
		"":                      "no such grant",
		"g":                     "no such grant",
		"g0":                    "no such grant",
		"g-1":                   "no such grant",
		"g01":                   "no such grant",
		"g+3":                   "no such grant",
		"G3":                    "no such grant",
		"h3":                    "no such grant",
		"3":                     "no such grant",
		"g3\x1b[31m":            "no such grant",
		"g99999999999999999999": "no such grant",
		"g99":                   "no such grant: g99",
		"g1":                    "no such grant: g1",
		"g2":                    "grant g2 belongs to a run that has not ended",
		"g4":                    "no such grant: g4",
	} {
		_, _, settled := f.Settle(id, 7, "")
		_, _, released := f.Release(id)
		for _, err := range []error{settled, released} {
			if err == nil || err.Error() != want {
				t.Errorf("%q: error is %v, want %s", id, err, want)
			}
		}
	}
	if after := must[session.Status](t)(f.Status()); fmt.Sprint(after) != fmt.Sprint(before) {
		t.Errorf("something was recorded: %+v", after)
	}
	if _, _, err := f.Release(held.ID); err != nil || held.ID != "g3" {
		t.Errorf("%s is held: %v", held.ID, err)
	}
	check(t, running.Close(0))
	for _, bad := range []error{
		second(f.Spend(-1, "")),
		third(f.Hold(0, time.Hour, "")), third(f.Hold(1, 0, "")), third(f.Hold(-1, time.Hour, "")),
		third(f.Settle("g3", -1, "")),
	} {
		if bad == nil {
			t.Error("less than nothing was accepted")
		}
	}
}

// The list has the held grants, however old, and of each that was settled what it was settled with.
func testHeldGrantsAreListed(t *testing.T, next func() Place) {
	f := open(next(), session.Settings{})
	held, _, err := f.Hold(300, time.Hour, "allocate")
	check(t, err)
	settled, _, err := f.Hold(300, time.Hour, "allocate")
	check(t, err)
	for range session.Recent {
		must[budget.Account](t)(f.Spend(1, "spend"))
	}
	late, account, err := f.Settle(settled.ID, 200, "spend: an answer")
	if err != nil || late || account != (budget.Account{Total: session.DefaultTotal, Used: 210, Reserved: 300}) {
		t.Errorf("settled: %+v, %v", account, err)
	}
	recent := must[session.Status](t)(f.Status()).Recent
	last := recent[len(recent)-1]
	if len(recent) != session.Recent+1 || last.Command != "allocate" || last.Held.ID != held.ID ||
		last.Held.Tokens != 300 ||
		last.Held.Until.UnixMilli() != held.Until.UnixMilli() || last.TokensOut != 0 {
		t.Errorf("recent: %+v", recent)
	}
	must[budget.Account](t)(f.Spend(1, "spend"))
	if _, _, err := f.Release(held.ID); err != nil {
		t.Errorf("a grant that a thousand invocations came after: %v", err)
	}
	if s := must[session.Status](t)(f.Status()); s.Used != 211 || s.Saved != 0 || s.Reserved != 0 {
		t.Errorf("in the end: %+v", s)
	}
}

// Amounts of any size are recorded and never add up to less than there was.
func testSpendNeverOverflows(t *testing.T, next func() Place) {
	f := open(next(), session.Settings{})
	check(t, f.SetTotal(1<<40))
	held, _, err := f.Hold(1<<40, math.MaxInt64, "allocate")
	check(t, err)
	used := 0
	for range 4 {
		account := must[budget.Account](t)(f.Spend(math.MaxInt, "spend"))
		if account.Used < used || account.Used < 1<<40 || account.Left() != 0 {
			t.Fatalf("the account is %+v", account)
		}
		used = account.Used
	}
	_, account, err := f.Settle(held.ID, math.MaxInt, "spend")
	if err != nil || account.Used < used || account.Left() != 0 {
		t.Errorf("settled: %+v, %v", account, err)
	}
	if s := must[session.Status](t)(f.Status()); s.Left != 0 || s.Share != 0 || s.Reserved != 0 {
		t.Errorf("the ledger says %+v", s)
	}
	check(t, f.Reset())
	if s := must[session.Status](t)(f.Status()); s.Left != 1<<40 {
		t.Errorf("after a reset: %+v", s)
	}
}

func second[A any](_ A, err error) error        { return err }
func third[A, B any](_ A, _ B, err error) error { return err }

// testAllowanceSetAside: what is set aside for later is not left of the session, before and after
// it is spent.
func testAllowanceSetAside(t *testing.T, next func() Place) {
	f := open(next(), session.Settings{Total: 1000})
	a, err := session.Allow(f, 300, 100, "a result")
	if err != nil {
		t.Fatal(err)
	}
	aside := a.SetAside(50)
	if err := a.Spend(120); err != nil {
		t.Fatal(err)
	}
	said, _ := a.Session()
	if err := a.Last(aside); err != nil {
		t.Fatal(err)
	}
	if err := a.Close(0); err != nil {
		t.Fatal(err)
	}
	status, err := f.Status()
	if err != nil || aside != 50 || said != status.Left || said != 830 {
		t.Errorf("%d set aside, %d said to be left, %d left, %v", aside, said, status.Left, err)
	}
}
