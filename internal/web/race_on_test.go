//go:build race

package web_test

// raceDetector says that everything is several times slower than it is.
const raceDetector = true
