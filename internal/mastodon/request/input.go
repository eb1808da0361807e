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

// day reads a date, whose time is ignored.
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

// required returns a text, and notes a fault if it is blank.
func (in *Input) Required(name string) string {
	s := in.String(name)
	if s == "" {
		in.Fault(name, "can't be blank")
	}
	return s
}

// period reads the days of a report, by default the last 30.
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

// input is the parameters of a request, or those of an object within them. Its
// readers return the zero value for what is absent or null and note a fault for
// what has the wrong type. The zero value has no parameters. One request uses
// it from one goroutine.
type Input struct {
	Fields map[string]*Value
	prefix string
	faults *[]linnet.Field // shared with the objects within
	own    []linnet.Field  // what faults points to, unless this is an object within
}

func newInput(fields map[string]*Value) *Input {
	in := &Input{Fields: fields}
	in.faults = &in.own
	return in
}

// err returns the faults noted until now as one Invalid error, or nil.
func (in *Input) Err() error {
	if len(*in.faults) == 0 {
		return nil
	}
	first := (*in.faults)[0]
	return &linnet.Error{Kind: linnet.Invalid, Fields: *in.faults,
		Msg: "Validation failed: " + first.Name + " " + first.Msg}
}

// fault notes what is wrong with a parameter, in a wording that catalogues have.
func (in *Input) Fault(name, format string, args ...any) {
	*in.faults = append(*in.faults, linnet.Field{Name: in.prefix + name, Code: "ERR_INVALID", Msg: fmt.Sprintf(format, args...), Wording: linnet.Wording{Format: format, Args: args}})
}

// get returns a parameter, nil if it is absent or null.
func (in *Input) Get(name string) *Value {
	v := in.Fields[name]
	if v == nil || v.Kind == KindNull {
		return nil
	}
	return v
}

func (in *Input) Has(name string) bool { return in.Get(name) != nil }

// optText returns a text, nil if it is absent.
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

func (in *Input) String(name string) string {
	if s := in.OptString(name); s != nil {
		return *s
	}
	return ""
}

// optFlag returns a boolean, nil if it is absent or empty. Forms send it in
// many spellings, toot as Python's True.
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

// truth reads a boolean as Rails does: all but a few words are true.
func Truth(s string) bool {
	switch strings.ToLower(s) {
	case "false", "0", "off", "f":
		return false
	}
	return true
}

func (in *Input) Flag(name string) bool {
	b := in.OptFlag(name)
	return b != nil && *b
}

// number returns a whole number that is not negative, 0 if it is absent.
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

// id returns an id, 0 if it is absent. ok is false if there is one that no
// record can have: nothing of that name exists, which is not a fault.
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

// ids returns a list of ids, leaving out what can be no id and repeats. More
// than most are a fault.
func (in *Input) IDs(name string, most int) []linnet.ID {
	items := in.Items(name)
	if len(items) > most {
		in.Fault(name, "can have at most %d ids", most)
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

// texts returns a list of texts.
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

// items returns the elements of a list. A single value counts as a list of one,
// and an object whose keys are numbers as a list in their order.
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

// object returns the parameters within one, none if it is absent.
func (in *Input) Object(name string) *Input {
	v := in.Get(name)
	if v == nil {
		return &Input{faults: in.faults}
	}
	return in.Within(name, v)
}

func (in *Input) Within(name string, v *Value) *Input {
	if v.Kind != KindObject {
		in.Fault(name, "must be an object")
	}
	return &Input{Fields: v.fields, prefix: in.prefix + name + ".", faults: in.faults}
}

// decimal returns a number, nil if it is absent or empty.
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

// seconds returns a whole number of them, nil if it is absent or empty.
func (in *Input) Seconds(name string) *time.Duration {
	v := in.Get(name)
	if v == nil || v.Text == "" && v.Kind == KindText {
		return nil
	}
	d := time.Duration(in.Number(name)) * time.Second
	return &d
}

// wholeNumbers returns a list of whole numbers.
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

// file returns a file that was sent, nil if there is none.
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
