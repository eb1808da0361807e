package form

import (
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/a-h/templ"

	"linnet/internal/linnet"
	"linnet/internal/web/page"
)

// Page is a page of the settings or the administration. Its content is a column of parts.
type Page struct {
	Title  string
	Path   string          // of its item in the menu
	Form   *Form           // saved by a POST to the page; nil for none. It is the only part by default
	Body   templ.Component // replaces the content; nil for most pages
	Back   *Link           // link to the page that this one belongs to; nil for pages in the menu
	Done   string          // confirmation of the last action
	Link   string          // a new link, to copy or to scan; "" for none
	Care   []Alert         // problems for the staff
	Lead   string
	Filter *FilterBar
	Parts  []Section
}

// Link is a link, to a page or to another view of a list. Here marks the open one.
type Link struct {
	Path, Text string
	Here       bool
}

// FilterBar filters a list by a search word and by links.
type FilterBar struct {
	Action, Name, Label, Value string // of the search; Name is "" for none
	Links                      []Link
}

// Section is a part of a page. Its fields are shown in this order if they are set.
type Section struct {
	ID, Title, Text string
	Code            string // a line to copy
	Facts           []Fact
	Tiles           []Tile
	Table           *Table
	Posts           []templ.Component
	Links           []Link
	Form            *Form
	Older           string // path of the page with older entries; "" for none
}

// Fact is a property and its value.
type Fact struct {
	Name string
	Is   Cell
}

// Table is a table. Its caption is only for screen readers.
type Table struct {
	Caption string
	Head    []string
	Rows    [][]Cell
	Empty   string // shown if there are no rows
}

// Drop removes a column.
func (t *Table) Drop(column int) {
	t.Head = slices.Delete(t.Head, column, column+1)
	for i := range t.Rows {
		t.Rows[i] = slices.Delete(t.Rows[i], column, column+1)
	}
}

// Alert is a problem that needs the attention of the staff, and a link to the page that helps.
type Alert struct{ Text, Path, Button string }

// Cell is a table cell or the value of a property.
type Cell struct {
	Text   string
	Path   string    // of the link; "" for none
	Time   time.Time // replaces Text unless zero
	Count  *int64    // replaces Text unless nil
	Number bool
	Below  []Cell  // smaller lines below it
	Forms  []*Form // buttons
	Emoji  *linnet.Emoji
	Ours   bool // Text is in the reader's language
	Copied bool // Text is a link to copy
}

// TextCell returns a cell with a text.
func TextCell(s string) Cell { return Cell{Text: s} }

// MessageCell returns a cell with a text in the reader's language.
func MessageCell(s string) Cell { return Cell{Text: s, Ours: true} }

// TimeCell returns a cell with a time.
func TimeCell(t time.Time) Cell { return Cell{Time: t} }

// CountCell returns a cell with a number.
func CountCell(n int64) Cell { return Cell{Count: &n, Number: true} }

// CopyCell returns a cell with a link to copy.
func CopyCell(link string) Cell { return Cell{Text: link, Copied: true} }

// LinkCell returns a cell with a link.
func LinkCell(s, to string) Cell { return Cell{Text: s, Path: to} }

// longWord is the maximum length in characters of a word that fits into a column.
const longWord = 24

// hasLongWord reports whether the text has a word that is longer than a column, such as an address.
// The style sheet breaks such words.
func (d Cell) hasLongWord() bool {
	return slices.ContainsFunc(strings.Fields(d.Text), func(word string) bool { return len([]rune(word)) > longWord })
}

// isEmpty reports whether the cell is empty. Cards leave it out.
func (d Cell) isEmpty() bool {
	return d.Text == "" && d.Count == nil && d.Time.IsZero() && d.Emoji == nil && len(d.Below)+len(d.Forms) == 0
}

// With adds smaller lines below the content of the cell.
func (d Cell) With(below ...Cell) Cell {
	d.Below = append(d.Below, below...)
	return d
}

// OlderPath returns the address of the page with entries below a cursor; "" at the end of the list.
func OlderPath(c *page.Context, last linnet.Cursor) string {
	if last == "" {
		return ""
	}
	return c.WithCursor("max_id", last)
}

// StatusCode returns the status code of a page with the form: 422 if it has an error.
func (f *Form) StatusCode() int {
	if len(f.Errors) > 0 {
		return http.StatusUnprocessableEntity
	}
	return http.StatusOK
}

// Tile is a number of today, a sentence that compares it with earlier ones, and a chart.
type Tile struct {
	Title, Figure, Comparison string
	Care                      bool // the number is a problem
	Chart                     chart
}

// ListPage returns the part of a list that the query of the address selects.
func ListPage(c *page.Context) linnet.Page {
	return linnet.Page{Max: linnet.Cursor(c.Request.URL.Query().Get("max_id")), Limit: linnet.MaxPage}
}

// Step is a task of a new administrator.
type Step struct {
	Title, Text, Path, Button string
	Done, Known               bool // Known is false if the store can't tell whether it is done
}
