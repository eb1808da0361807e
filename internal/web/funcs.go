package web

import (
	"github.com/a-h/templ"
)

// here marks the entry of the navigation that the page belongs to.
func here(p page, path string) templ.OrderedAttributes {
	if p.Here != path {
		return nil
	}
	return templ.OrderedAttributes{{Key: "aria-current", Value: "page"}}
}
