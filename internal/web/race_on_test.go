//go:build race

package web_test

// raceDetector reports whether the race detector is on, which slows everything down.
const raceDetector = true
