package request

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"linnet/internal/linnet"
	"linnet/internal/uploads"
)

// Day returns a date. It ignores the time of day.
func (in *Input) Day(name string) time.Time {
	s := in.String(name)
	if len(s) > len(time.DateOnly) {
		s = s[:len(time.DateOnly)]
	}
	t, err := time.Parse(time.DateOnly, s)
	if err != nil {
		in.Fault(name, "must be a date such as 2026-03-31")
	}
	return t
}

// Required returns a string, and adds an error if it is blank.
func (in *Input) Required(name string) string {
	s := in.String(name)
	if s == "" {
		in.Fault(name, "can't be blank")
	}
	return s
}

// Period returns the start and the end of a report, by default the last 30 days.
func (in *Input) Period() (from, to time.Time) {
	today := time.Now().UTC().Truncate(24 * time.Hour)
	from, to = today.AddDate(0, 0, -29), today
	if in.Has("start_at") {
		from = in.Day("start_at")
	}
	if in.Has("end_at") {
		to = in.Day("end_at")
	}
	return from, to
}

// Input contains the parameters of a request, or of an object within them. Its methods return the
// zero value for an absent or null parameter, and add an error for a wrong type. The zero value
// has no parameters. It is not safe for concurrent use.
type Input struct {
	Fields map[string]*Value
	prefix string
	faults *[]linnet.Field // shared with nested objects
	own    []linnet.Field  // the target of faults, unless this is a nested object
}

func newInput(fields map[string]*Value) *Input {
	in := &Input{Fields: fields}
	in.faults = &in.own
	return in
}

// Err returns all errors as one Invalid error, or nil.
func (in *Input) Err() error {
	if len(*in.faults) == 0 {
		return nil
	}
	first := (*in.faults)[0]
	return &linnet.Error{Kind: linnet.Invalid, Fields: *in.faults,
		Msg: "Validation failed: " + first.Label() + " " + first.Msg}
}

// Fault adds an error about a parameter. The format is translated.
func (in *Input) Fault(name, format string, args ...any) {
	*in.faults = append(*in.faults, linnet.Field{Name: in.prefix + name, Code: "ERR_INVALID", Msg: fmt.Sprintf(format, args...), Wording: linnet.Wording{Format: format, Args: args}})
}

// Get returns a parameter, or nil if it is absent or null.
func (in *Input) Get(name string) *Value {
	v := in.Fields[name]
	if v == nil || v.Kind == KindNull {
		return nil
	}
	return v
}

// Has reports whether a parameter is present and not null.
func (in *Input) Has(name string) bool { return in.Get(name) != nil }

// OptString returns a string, or nil if it is absent.
func (in *Input) OptString(name string) *string {
	v := in.Get(name)
	switch {
	case v == nil:
		return nil
	case v.Kind != KindText:
		in.Fault(name, "must be a string")
		return nil
	case !utf8.ValidString(v.Text):
		in.Fault(name, "is not valid UTF-8")
		return nil
	}
	return &v.Text
}

// String returns a string, or "" if it is absent.
func (in *Input) String(name string) string {
	if s := in.OptString(name); s != nil {
		return *s
	}
	return ""
}

// OptFlag returns a boolean, or nil if it is absent or empty. Forms use many spellings, for
// example toot sends Python's True.
func (in *Input) OptFlag(name string) *bool {
	v := in.Get(name)
	if v == nil || v.Text == "" && v.Kind == KindText {
		return nil
	}
	if v.Kind == KindFile || v.Kind == KindList || v.Kind == KindObject {
		in.Fault(name, "must be true or false")
		return nil
	}
	b := Truth(v.Text)
	return &b
}

// Truth parses a boolean like Rails: all strings are true except for a few words.
func Truth(s string) bool {
	switch strings.ToLower(s) {
	case "false", "0", "off", "f":
		return false
	}
	return true
}

// Flag returns a boolean, or false if it is absent.
func (in *Input) Flag(name string) bool {
	b := in.OptFlag(name)
	return b != nil && *b
}

// Number returns a non-negative integer, or 0 if it is absent.
func (in *Input) Number(name string) int {
	v := in.Get(name)
	if v == nil || v.Text == "" && v.Kind == KindText {
		return 0
	}
	n, err := strconv.ParseInt(v.Text, 10, 32)
	if err != nil || v.Kind != KindText && v.Kind != KindNumber {
		in.Fault(name, "must be an integer")
		return 0
	}
	if n < 0 {
		in.Fault(name, "can't be negative")
		return 0
	}
	return int(n)
}

// ID returns an id, or 0 if it is absent. It returns false for an id that no record can have,
// which is not an error: such an object does not exist.
func (in *Input) ID(name string) (id linnet.ID, ok bool) {
	v := in.Get(name)
	if v == nil || v.Text == "" && v.Kind == KindText {
		return 0, true
	}
	if v.Kind != KindText && v.Kind != KindNumber {
		in.Fault(name, "must be an id")
		return 0, true
	}
	return linnet.ParseID(v.Text)
}

// IDs returns a list of ids without duplicates and without invalid ids. A list with more than most
// ids is an error.
func (in *Input) IDs(name string, most int) []linnet.ID {
	var items []*Value
	for _, v := range in.Items(name) {
		if v.Kind == KindList { // Mastodon.py sends some lists as id[][]
			items = append(items, v.list...)
		} else {
			items = append(items, v)
		}
	}
	if len(items) > most {
		in.Fault(name, "can have at most %d entries", most)
		return nil
	}
	ids := make([]linnet.ID, 0, len(items))
	for _, v := range items {
		if v.Kind != KindText && v.Kind != KindNumber {
			in.Fault(name, "must be a list of ids")
			return nil
		}
		if id, ok := linnet.ParseID(v.Text); ok && !slices.Contains(ids, id) {
			ids = append(ids, id)
		}
	}
	return ids
}

// Strings returns a list of strings.
func (in *Input) Strings(name string) []string {
	items := in.Items(name)
	texts := make([]string, 0, len(items))
	for _, v := range items {
		if v.Kind != KindText || !utf8.ValidString(v.Text) {
			in.Fault(name, "must be a list of strings")
			return nil
		}
		texts = append(texts, v.Text)
	}
	return texts
}

// Items returns the elements of a list. A single value counts as a list of one element. An object
// whose keys are numbers counts as a list in that order.
func (in *Input) Items(name string) []*Value {
	v := in.Get(name)
	switch {
	case v == nil:
		return nil
	case v.Kind == KindList:
		return v.list
	case v.Kind != KindObject:
		return []*Value{v}
	}
	type item struct {
		n int
		v *Value
	}
	var numbered []item
	for key, v := range v.fields {
		n, err := strconv.Atoi(key)
		if err != nil {
			in.Fault(name, "must be a list")
			return nil
		}
		numbered = append(numbered, item{n, v})
	}
	slices.SortFunc(numbered, func(a, b item) int { return a.n - b.n })
	items := make([]*Value, len(numbered))
	for i, it := range numbered {
		items[i] = it.v
	}
	return items
}

// Object returns the parameters within an object, or none if it is absent.
func (in *Input) Object(name string) *Input {
	v := in.Get(name)
	if v == nil {
		return &Input{faults: in.faults}
	}
	return in.Within(name, v)
}

// Within returns the parameters within v, an object of a parameter.
func (in *Input) Within(name string, v *Value) *Input {
	if v.Kind != KindObject {
		in.Fault(name, "must be an object")
	}
	return &Input{Fields: v.fields, prefix: in.prefix + name + ".", faults: in.faults}
}

// Decimal returns a number, or nil if it is absent or empty.
func (in *Input) Decimal(name string) *float64 {
	v := in.Get(name)
	if v == nil || v.Text == "" && v.Kind == KindText {
		return nil
	}
	x, err := strconv.ParseFloat(v.Text, 64)
	if err != nil || math.IsNaN(x) || math.IsInf(x, 0) || v.Kind != KindText && v.Kind != KindNumber {
		in.Fault(name, "must be a number")
		return nil
	}
	return &x
}

// Seconds returns a whole number of seconds, or nil if it is absent or empty.
func (in *Input) Seconds(name string) *time.Duration {
	v := in.Get(name)
	if v == nil || v.Text == "" && v.Kind == KindText {
		return nil
	}
	d := time.Duration(in.Number(name)) * time.Second
	return &d
}

// WholeNumbers returns a list of integers.
func (in *Input) WholeNumbers(name string) []int {
	items := in.Items(name)
	out := make([]int, 0, len(items))
	for _, v := range items {
		n, err := strconv.ParseInt(v.Text, 10, 32)
		if err != nil || v.Kind != KindText && v.Kind != KindNumber {
			in.Fault(name, "must be a list of integers")
			return nil
		}
		out = append(out, int(n))
	}
	return out
}

// File returns an uploaded file, or nil if it is absent.
func (in *Input) File(name string) *uploads.File {
	v := in.Get(name)
	switch {
	case v == nil || v.Kind == KindText && v.Text == "":
		return nil
	case v.Kind != KindFile || v.File == nil:
		in.Fault(name, "must be a file")
		return nil
	}
	return v.File
}
