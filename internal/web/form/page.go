package form

import (
	"net/http"
	"slices"
	"strings"
	"time"

	"linnet/internal/linnet"
	"linnet/internal/web/page"
	"linnet/internal/web/post"
)

// Page is a page of forms and tables, of which the sections of settings and
// administration are made: a column of parts.
type Page struct {
	Back   *Link   // the page that this one belongs to, if it is no section itself
	Done   string  // confirmation of the last action
	Care   []Alert // what should be looked at
	Lead   string
	Filter *FilterBar
	Parts  []Section
}

type Link struct {
	Path, Text string
	Here       bool
}

// FilterBar narrows a list: by a word, and by links.
type FilterBar struct {
	Action, Name, Label, Value string // of the search, Name "" for none
	Links                      []Link
}

// Section is a section of a page. Set fields are shown in this order.
type Section struct {
	ID, Title, Text string
	Code            string // a line to be copied
	Facts           []Fact
	Tiles           []Tile
	Table           *Table
	Posts           []*post.Row
	Links           []Link
	Form            *Form
	Older           string // path of the page with older entries
}

// Fact is a line of a list of properties.
type Fact struct {
	Name string
	Is   Cell
}

// Table is a table with its caption, which is read out where it cannot be seen.
type Table struct {
	Caption string
	Head    []string
	Rows    [][]Cell
	Empty   string // shown if there are no rows
}

// Alert is something that staff should look at, and the way to what helps.
type Alert struct{ Text, Path, Button string }

// Cell is a table cell or the value of a property.
type Cell struct {
	Text   string
	Path   string    // of the page about it, "" for none
	Time   time.Time // shown instead of Text, unless zero
	Count  *int64    // shown instead of Text, unless nil
	Number bool
	Below  []Cell  // smaller lines below it
	Forms  []*Form // buttons
	Emoji  *linnet.Emoji
	Ours   bool // Text is in the reader's language
}

func TextCell(s string) Cell { return Cell{Text: s} }

func MessageCell(s string) Cell { return Cell{Text: s, Ours: true} }

func TimeCell(t time.Time) Cell { return Cell{Time: t} }

func CountCell(n int64) Cell { return Cell{Count: &n, Number: true} }

func LinkCell(s, to string) Cell { return Cell{Text: s, Path: to} }

// longWord is the length of a word in characters that fits into a column.
const longWord = 24

// long reports whether the text has a word longer than a column, such as an address, which is then
// broken.
func (d Cell) long() bool {
	return slices.ContainsFunc(strings.Fields(d.Text), func(word string) bool { return len([]rune(word)) > longWord })
}

// void reports whether the cell is empty. Cards leave it out.
func (d Cell) void() bool {
	return d.Text == "" && d.Count == nil && d.Time.IsZero() && d.Emoji == nil && len(d.Below)+len(d.Forms) == 0
}

// With puts smaller lines below what a cell says.
func (d Cell) With(below ...Cell) Cell {
	d.Below = append(d.Below, below...)
	return d
}

// OlderPath returns the address of the list below a position; "" at its end.
func OlderPath(c *page.Context, last linnet.Cursor) string {
	if last == "" {
		return ""
	}
	return c.WithCursor("max_id", last)
}

// StatusCode returns the status of a page with the form: 422 if it has an error.
func (f *Form) StatusCode() int {
	if f != nil && len(f.Errors) > 0 {
		return http.StatusUnprocessableEntity
	}
	return http.StatusOK
}

// Tile is a number of today, a sentence that compares it, and a chart.
type Tile struct {
	Title, Figure, Says string
	Care                bool // the number is one that should not be
	Chart               chart
}

// listPage is the page of a list that the address asks for.
func ListPage(c *page.Context) linnet.Page {
	return linnet.Page{Max: linnet.Cursor(c.Request.URL.Query().Get("max_id")), Limit: linnet.MaxPage}
}

// Step is something that an administrator does once; Done if the store says
// that it was.
type Step struct {
	Title, Text, Path, Button string
	Done, Known               bool // Known: the store can say
}
