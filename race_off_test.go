//go:build !race

package main

// raceEnabled tells that the race detector is on, whose memory is not that of kfw.
const raceEnabled = false
