package session

import (
	"strconv"
	"strings"
)

// HandleID returns the name of the handle with this number: h1, h2, ...
func HandleID(number int64) string { return named('h', number) }

// HandleNumber is the inverse of HandleID. There is one spelling for each number.
func HandleNumber(id string) (int64, bool) { return numberOf('h', id) }

// GrantID returns the name of the held grant with this number: g1, g2, ...
func GrantID(number int64) string { return named('g', number) }

// GrantNumber is the inverse of GrantID.
func GrantNumber(id string) (int64, bool) { return numberOf('g', id) }

// named returns the ID of the thing with this number: a letter, then the number.
func named(letter byte, number int64) string { return string(letter) + strconv.FormatInt(number, 10) }

// numberOf is the inverse of named.
func numberOf(letter byte, id string) (int64, bool) {
	if len(id) < 2 || id[0] != letter {
		return 0, false
	}
	number, err := strconv.ParseInt(id[1:], 10, 64)
	return number, err == nil && number > 0 && named(letter, number) == id
}

// IsURL reports whether the name of a session is the URL of one on a server, and not the path of a file.
func IsURL(where string) bool {
	scheme, _, has := strings.Cut(where, "://")
	return has && scheme != "" && !strings.ContainsAny(scheme, `/\.`)
}
