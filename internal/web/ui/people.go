package ui

// Tab is one of several views of the same thing.
type Tab struct {
	Path, Text string
	Here       bool
}
