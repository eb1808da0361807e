package ui

import (
	"html"
)

func Escape(s string) string { return html.EscapeString(s) }
