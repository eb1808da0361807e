package ui

import (
	"net/url"
)

// WithDone ends the address to which a form leads that has done something.
func WithDone(path, what string) string { return path + "?done=" + url.QueryEscape(what) }
