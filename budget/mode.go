package budget

import (
	"errors"
	"fmt"
	"slices"
)

// Mode is how much a frame says. A greater Mode is a stricter one.
type Mode uint8

// The modes, least to most strict.
const (
	Raw        Mode = iota // the chunk itself
	Table                  // rows and columns
	Summary                // facts: key and value
	HandleOnly             // the name under which the rest can be read
)

func modeNames() [HandleOnly + 1]string {
	return [...]string{Raw: "raw", Table: "table", Summary: "summary", HandleOnly: "handle_only"}
}

// Modes returns the names of all modes, least to most strict.
func Modes() []string {
	names := modeNames()
	return names[:]
}

// String returns the name of the mode as frames and flags spell it.
func (m Mode) String() string {
	if m > HandleOnly {
		return fmt.Sprintf("Mode(%d)", uint8(m))
	}
	return modeNames()[m]
}

// ParseMode returns the mode with this name. The error lists the names there are, and does not repeat the one given.
func ParseMode(name string) (Mode, error) {
	names := modeNames()
	i := slices.Index(names[:], name)
	if i < 0 {
		return 0, errors.New("unknown mode: choose raw, table, summary or handle_only")
	}
	return Mode(i), nil
}

// MarshalText is String for a valid mode and an error for any other.
func (m Mode) MarshalText() ([]byte, error) {
	if m > HandleOnly {
		return nil, fmt.Errorf("unknown mode: %d is out of range", uint8(m))
	}
	return []byte(m.String()), nil
}

// UnmarshalText is ParseMode.
func (m *Mode) UnmarshalText(name []byte) error {
	parsed, err := ParseMode(string(name))
	if err != nil {
		return err
	}
	*m = parsed
	return nil
}

// Strictest returns the strictest of the modes, Raw if there are none.
func Strictest(modes ...Mode) Mode {
	strictest := Raw
	for _, m := range modes {
		strictest = max(strictest, m)
	}
	return strictest
}
