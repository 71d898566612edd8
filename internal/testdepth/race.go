//go:build race

package testdepth

// Race tells that the race detector is on, whose time and memory are not those of kfw.
const Race = true

const share = 20
