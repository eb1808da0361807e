//go:build race

package web

// raceDetector says that everything is several times slower than it is.
const raceDetector = true
