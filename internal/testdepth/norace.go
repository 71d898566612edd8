//go:build !race

package testdepth

// Race tells that the race detector is on, whose time and memory are not those of kfw.
const Race = false

// share is what a test tries unless it tries all: one case of so many.
const share = 5
