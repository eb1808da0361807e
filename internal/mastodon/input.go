package mastodon

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"linnet/internal/linnet"
	"linnet/internal/uploads"
)

// kind is the type of a parameter's value.
type kind uint8

const (
	kindNull kind = iota
	kindText
	kindNumber
	kindBoolean
	kindFile
	kindList
	kindObject
)

// value is a parameter as sent, whatever the encoding of the body.
type value struct {
	kind   kind
	text   string // of text, as sent; of numbers and booleans, their literal
	list   []*value
	fields map[string]*value
	file   *uploads.File // of a file, on a route that takes them
}

// input is the parameters of a request, or those of an object within them. Its
// readers return the zero value for what is absent or null and note a fault for
// what has the wrong type. The zero value has no parameters. One request uses
// it from one goroutine.
type input struct {
	fields map[string]*value
	prefix string
	faults *[]linnet.Field // shared with the objects within
	own    []linnet.Field  // what faults points to, unless this is an object within
}

func newInput(fields map[string]*value) *input {
	in := &input{fields: fields}
	in.faults = &in.own
	return in
}

// err returns the faults noted until now as one Invalid error, or nil.
func (in *input) err() error {
	if len(*in.faults) == 0 {
		return nil
	}
	first := (*in.faults)[0]
	return &linnet.Error{Kind: linnet.Invalid, Fields: *in.faults,
		Msg: "Validation failed: " + first.Name + " " + first.Msg}
}

// fault notes what is wrong with a parameter, in a wording that catalogues have.
func (in *input) fault(name, format string, args ...any) {
	*in.faults = append(*in.faults, linnet.Field{Name: in.prefix + name, Code: "ERR_INVALID", Msg: fmt.Sprintf(format, args...), Wording: linnet.Wording{Format: format, Args: args}})
}

// get returns a parameter, nil if it is absent or null.
func (in *input) get(name string) *value {
	v := in.fields[name]
	if v == nil || v.kind == kindNull {
		return nil
	}
	return v
}

func (in *input) has(name string) bool { return in.get(name) != nil }

// optText returns a text, nil if it is absent.
func (in *input) optText(name string) *string {
	v := in.get(name)
	switch {
	case v == nil:
		return nil
	case v.kind != kindText:
		in.fault(name, "must be a string")
		return nil
	case !utf8.ValidString(v.text):
		in.fault(name, "is not valid UTF-8")
		return nil
	}
	return &v.text
}

func (in *input) text(name string) string {
	if s := in.optText(name); s != nil {
		return *s
	}
	return ""
}

// optFlag returns a boolean, nil if it is absent or empty. Forms send it in
// many spellings, toot as Python's True.
func (in *input) optFlag(name string) *bool {
	v := in.get(name)
	if v == nil || v.text == "" && v.kind == kindText {
		return nil
	}
	if v.kind == kindFile || v.kind == kindList || v.kind == kindObject {
		in.fault(name, "must be true or false")
		return nil
	}
	b := truth(v.text)
	return &b
}

// truth reads a boolean as Rails does: all but a few words are true.
func truth(s string) bool {
	switch strings.ToLower(s) {
	case "false", "0", "off", "f":
		return false
	}
	return true
}

func (in *input) flag(name string) bool {
	b := in.optFlag(name)
	return b != nil && *b
}

// number returns a whole number that is not negative, 0 if it is absent.
func (in *input) number(name string) int {
	v := in.get(name)
	if v == nil || v.text == "" && v.kind == kindText {
		return 0
	}
	n, err := strconv.ParseInt(v.text, 10, 32)
	if err != nil || v.kind != kindText && v.kind != kindNumber {
		in.fault(name, "must be an integer")
		return 0
	}
	if n < 0 {
		in.fault(name, "can't be negative")
		return 0
	}
	return int(n)
}

// id returns an id, 0 if it is absent. ok is false if there is one that no
// record can have: nothing of that name exists, which is not a fault.
func (in *input) id(name string) (id linnet.ID, ok bool) {
	v := in.get(name)
	if v == nil || v.text == "" && v.kind == kindText {
		return 0, true
	}
	if v.kind != kindText && v.kind != kindNumber {
		in.fault(name, "must be an id")
		return 0, true
	}
	return linnet.ParseID(v.text)
}

// ids returns a list of ids, leaving out what can be no id and repeats. More
// than most are a fault.
func (in *input) ids(name string, most int) []linnet.ID {
	items := in.items(name)
	if len(items) > most {
		in.fault(name, "can have at most %d ids", most)
		return nil
	}
	ids := make([]linnet.ID, 0, len(items))
	for _, v := range items {
		if v.kind != kindText && v.kind != kindNumber {
			in.fault(name, "must be a list of ids")
			return nil
		}
		if id, ok := linnet.ParseID(v.text); ok && !slices.Contains(ids, id) {
			ids = append(ids, id)
		}
	}
	return ids
}

// texts returns a list of texts.
func (in *input) texts(name string) []string {
	items := in.items(name)
	texts := make([]string, 0, len(items))
	for _, v := range items {
		if v.kind != kindText || !utf8.ValidString(v.text) {
			in.fault(name, "must be a list of strings")
			return nil
		}
		texts = append(texts, v.text)
	}
	return texts
}

// items returns the elements of a list. A single value counts as a list of one,
// and an object whose keys are numbers as a list in their order.
func (in *input) items(name string) []*value {
	v := in.get(name)
	switch {
	case v == nil:
		return nil
	case v.kind == kindList:
		return v.list
	case v.kind != kindObject:
		return []*value{v}
	}
	type item struct {
		n int
		v *value
	}
	var numbered []item
	for key, v := range v.fields {
		n, err := strconv.Atoi(key)
		if err != nil {
			in.fault(name, "must be a list")
			return nil
		}
		numbered = append(numbered, item{n, v})
	}
	slices.SortFunc(numbered, func(a, b item) int { return a.n - b.n })
	items := make([]*value, len(numbered))
	for i, it := range numbered {
		items[i] = it.v
	}
	return items
}

// object returns the parameters within one, none if it is absent.
func (in *input) object(name string) *input {
	v := in.get(name)
	if v == nil {
		return &input{faults: in.faults}
	}
	return in.within(name, v)
}

func (in *input) within(name string, v *value) *input {
	if v.kind != kindObject {
		in.fault(name, "must be an object")
	}
	return &input{fields: v.fields, prefix: in.prefix + name + ".", faults: in.faults}
}
