package main

import (
	_ "embed"
	"errors"
	"fmt"
	"strconv"
	"strings"
)

//go:embed categories.txt
var categories string

// The classes of budget/classes.go, by the category that a line of categories.txt names.
var classOf = map[string]byte{"N": 3, "Lu": 4, "Lt": 4, "Ll": 5, "Lm": 6, "Lo": 6, "M": 7}

const (
	space   = 1
	newline = 2

	codePoints = 0x110000
	blockSize  = 256
)

// classTable returns the class of every code point, in two stages: for each block of 256 code points the number of the
// block that has its classes, and then those blocks, a byte for each code point. That of ASCII is the first.
func classTable() ([]byte, error) {
	classes := make([]byte, codePoints)
	for _, line := range strings.Split(strings.TrimSpace(categories), "\n") {
		if strings.HasPrefix(line, "#") {
			continue
		}
		if err := classify(classes, strings.Fields(line)); err != nil {
			return nil, err
		}
	}
	// The property White_Space (PropList.txt), which \s is.
	for _, run := range [][2]rune{{'\t', '\r'}, {' ', ' '}, {0x85, 0x85}, {0xA0, 0xA0}, {0x1680, 0x1680},
		{0x2000, 0x200A},
		{0x2028, 0x2029}, {0x202F, 0x202F}, {0x205F, 0x205F}, {0x3000, 0x3000}} {
		for r := run[0]; r <= run[1]; r++ {
			classes[r] = space
		}
	}
	classes['\r'], classes['\n'] = newline, newline

	table := make([]byte, codePoints/blockSize)
	numbers := make(map[string]int)
	for i := range table {
		block := string(classes[i*blockSize : (i+1)*blockSize])
		number, known := numbers[block]
		if !known {
			number = len(numbers)
			numbers[block] = number
			table = append(table, block...)
		}
		if number > 0xFF {
			return nil, errors.New("more blocks than a byte can number")
		}
		table[i] = byte(number)
	}
	return table, nil
}

// classify takes in one line of categories.txt.
func classify(classes []byte, fields []string) error {
	if len(fields) < 2 {
		return errors.New("categories.txt: a line without a category")
	}
	from, to, isRun := strings.Cut(fields[0], "..")
	first, err := strconv.ParseUint(from, 16, 32)
	if err != nil {
		return err
	}
	last := first
	if isRun {
		if last, err = strconv.ParseUint(to, 16, 32); err != nil {
			return err
		}
	}
	for r := first; r <= last; r++ {
		class, known := classOf[fields[1+int(r-first)%(len(fields)-1)]]
		if !known || r >= codePoints || classes[r] != 0 {
			return fmt.Errorf("categories.txt: %s", fields[0])
		}
		classes[r] = class
	}
	return nil
}
