package web

import (
	"net/http"
	"slices"
	"strings"
	"time"

	"linnet/internal/linnet"
	"linnet/internal/web/page"
	"linnet/internal/web/post"
)

// formPage is a page of forms and tables, of which the sections of settings and
// administration are made: a column of parts.
type formPage struct {
	Back   *navLink // the page that this one belongs to, if it is no section itself
	Done   string   // confirmation of the last action
	Care   []care   // what should be looked at
	Lead   string
	Filter *filterBar
	Parts  []formSection
}

type navLink struct {
	Path, Text string
	Here       bool
}

// filterBar narrows a list: by a word, and by links.
type filterBar struct {
	Action, Name, Label, Value string // of the search, Name "" for none
	Links                      []navLink
}

// formSection is a section of a page. Set fields are shown in this order.
type formSection struct {
	ID, Title, Text string
	Code            string // a line to be copied
	Facts           []fact
	Tiles           []tile
	Table           *table
	Posts           []*post.Row
	Links           []navLink
	Form            *form
	Older           string // path of the page with older entries
}

// fact is a line of a list of properties.
type fact struct {
	Name string
	Is   cell
}

// table is a table with its caption, which is read out where it cannot be seen.
type table struct {
	Caption string
	Head    []string
	Rows    [][]cell
	Empty   string // shown if there are no rows
}

// care is something that staff should look at, and the way to what helps.
type care struct{ Text, Path, Button string }

// cell is a table cell or the value of a property.
type cell struct {
	Text   string
	Path   string    // of the page about it, "" for none
	Time   time.Time // shown instead of Text, unless zero
	Count  *int64    // shown instead of Text, unless nil
	Number bool
	Below  []cell  // smaller lines below it
	Forms  []*form // buttons
	Emoji  *linnet.Emoji
	Ours   bool // Text is in the reader's language
}

func textCell(s string) cell { return cell{Text: s} }

func saidCell(s string) cell { return cell{Text: s, Ours: true} }

func timeCell(t time.Time) cell { return cell{Time: t} }

func countCell(n int64) cell { return cell{Count: &n, Number: true} }

func linkCell(s, to string) cell { return cell{Text: s, Path: to} }

// longWord is the length of a word in characters that fits into a column.
const longWord = 24

// long reports whether the text has a word longer than a column, such as an address, which is then
// broken.
func (d cell) long() bool {
	return slices.ContainsFunc(strings.Fields(d.Text), func(word string) bool { return len([]rune(word)) > longWord })
}

// void reports whether the cell is empty. Cards leave it out.
func (d cell) void() bool {
	return d.Text == "" && d.Count == nil && d.Time.IsZero() && d.Emoji == nil && len(d.Below)+len(d.Forms) == 0
}

// with puts smaller lines below what a cell says.
func (d cell) with(below ...cell) cell {
	d.Below = append(d.Below, below...)
	return d
}

// older returns the address of the list below a position; "" at its end.
func older(c *page.Context, last linnet.Cursor) string {
	if last == "" {
		return ""
	}
	return c.WithCursor("max_id", last)
}

// code returns the status of a page with the form: 422 if it has an error.
func (f *form) code() int {
	if f != nil && len(f.Errors) > 0 {
		return http.StatusUnprocessableEntity
	}
	return http.StatusOK
}
