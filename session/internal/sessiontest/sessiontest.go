// Package sessiontest has the tests that every kind of session passes: what one of them does, all do.
package sessiontest

import (
	"errors"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/kfw-dev/kfw/session"
)

// Place is where one session is, which may not be there yet.
type Place interface {
	// Open returns the session as a process of its own has it.
	Open(s session.Settings) session.Session

	// IsMade reports whether the session is there.
	IsMade() bool

	// Age puts the last use of handles so long into the past: of those with these names, or of all.
	Age(by time.Duration, ids ...string)

	// Expire ends the time of a held grant.
	Expire(id string)

	// Stored returns how many bytes all blocks take.
	Stored() int64
}

// Run runs all tests, or those of these names. newPlace returns a place of its own each time.
func Run(t *testing.T, newPlace func(t *testing.T) Place, names ...string) {
	for _, c := range []struct {
		name string
		run  func(t *testing.T, next func() Place)
	}{
		{"Grant", testGrant},
		{"TotalIsThatOfCreation", testTotalIsThatOfCreation},
		{"SetTotalAndReset", testSetTotalAndReset},
		{"Saved", testSaved},
		{"ExhaustedLeavesNoTrace", testExhaustedLeavesNoTrace},
		{"ExhaustedByReservations", testExhaustedByReservations},
		{"Record", testRecord},
		{"Ledger", testLedger},
		{"NotHeld", testNotHeld},
		{"HeldGrantsAreListed", testHeldGrantsAreListed},
		{"SpendNeverOverflows", testSpendNeverOverflows},
		{"AllowanceSetAside", testAllowanceSetAside},
		{"RoundTrip", testRoundTrip},
		{"LeadOfAnySize", testLeadOfAnySize},
		{"NamedAgain", testNamedAgain},
		{"Gone", testGone},
		{"HandlesAtOnce", testHandlesAtOnce},
		{"StoreMax", testStoreMax},
		{"StoreTooSmall", testStoreTooSmall},
		{"EvictionThatCannotHelp", testEvictionThatCannotHelp},
		{"TTL", testTTL},
		{"Remove", testRemove},
		{"RemoveWhileWriting", testRemoveWhileWriting},
		{"NamedByContent", testNamedByContent},
		{"Again", testAgain},
		{"AgainExpired", testAgainExpired},
		{"AgainNoFile", testAgainNoFile},
		{"ShownAtOnce", testShownAtOnce},
		{"Lines", testLines},
		{"LinesExpired", testLinesExpired},
	} {
		if len(names) > 0 && !slices.Contains(names, c.name) {
			continue
		}
		t.Run(c.name, func(t *testing.T) {
			c.run(t, func() Place { return &closing{newPlace(t), t} })
		})
	}
}

// closing closes the sessions of a place with the test.
type closing struct {
	Place
	t *testing.T
}

func open(p Place, s session.Settings) session.Session {
	f := p.Open(s)
	if c, ok := p.(*closing); ok {
		c.t.Cleanup(func() {
			if err := f.Close(); err != nil {
				c.t.Error(err)
			}
		})
	}
	return f
}

func must[T any](t *testing.T) func(T, error) T {
	return func(v T, err error) T {
		t.Helper()
		check(t, err)
		return v
	}
}

func check(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// As package session has them: how many bytes a block holds, and how much of a lead stays with its chunk.
const blockSize, maxLead = 64 << 10, 16 << 10

// Fill keeps about n bytes of random chunks.
func Fill(t testing.TB, h *session.Handle, n int) *session.Handle {
	t.Helper()
	r := rand.NewChaCha8([32]byte{1})
	chunk := make([]byte, 1000)
	for ; n > 0; n -= len(chunk) {
		if _, err := r.Read(chunk); err != nil {
			t.Fatal(err)
		}
		if err := h.Keep([]byte{'\n'}, chunk, nil, 1); err != nil {
			t.Fatal(err)
		}
	}
	return h
}

func isGone(err error, id, reason string) bool {
	gone, ok := errors.AsType[*session.Gone](err)
	return ok && gone.ID == id && gone.Reason == reason
}
