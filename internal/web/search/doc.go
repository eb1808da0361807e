// Package search has the search page.
package search
