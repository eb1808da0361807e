package linnet

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"
)

// Kind is the kind of an error. Each face maps it to its codes.
type Kind uint8

const (
	Internal        Kind = iota // a server error
	Invalid                     // invalid input
	Unauthenticated             // no login, or wrong credentials
	Forbidden                   // known, but not allowed
	NotFound                    // doesn't exist, or isn't visible
	Conflict                    // a concurrent change was first
	TooMany                     // a rate limit or a maximum is reached
	Unavailable                 // the store doesn't respond; retry
	Full                        // the store is full
	Gone                        // existed and is used up
)

// Field describes the error of one input, in Mastodon's terms (Code is one of ERR_BLANK, ERR_TAKEN,
// ERR_INVALID, ERR_TOO_LONG, ERR_TOO_SHORT, ERR_RESERVED, ERR_ACCEPTED, ERR_INCLUSION).
type Field struct {
	Name    string
	Code    string
	Msg     string
	Wording Wording // wording of Msg, for other languages
}

// Label returns the name as the beginning of a message, such as "Display name" for display_name.
// The names of nested parameters, such as poll.options, stay as they are.
func (f Field) Label() string {
	name := strings.ReplaceAll(f.Name, "_", " ")
	if name == "" || strings.ContainsAny(name, ".[") {
		return f.Name
	}
	return strings.ToUpper(name[:1]) + name[1:]
}

// Wording is the English format of a message and its values, so that faces can translate it. It is
// empty for messages that aren't made by Errorf or FieldError.
type Wording struct {
	Format string
	Args   []any
}

// Say is fmt.Sprintf with formats that are translated from English. Nil means English.
type Say func(format string, args ...any) string

// validation is the prefix of Mastodon's messages about invalid input. Catalogues don't contain it.
const validation = "Validation failed: "

// in returns the message in the language of say, without validation. msg is the English text.
func (w Wording) in(say Say, msg string) string {
	if say == nil || w.Format == "" {
		return strings.TrimPrefix(msg, validation)
	}
	return say(strings.TrimPrefix(w.Format, validation), w.Args...)
}

// In returns the error of the input in a language.
func (f Field) In(say Say) string { return f.Wording.in(say, f.Msg) }

// In returns Msg in a language.
func (e *Error) In(say Say) string {
	switch {
	case say == nil:
		return e.Msg
	case strings.HasPrefix(e.Msg, validation):
		return say(validation+"%s", e.Plain(say))
	}
	return e.Plain(say)
}

// Plain is like In, without the prefix for invalid input, for readers who see the form.
func (e *Error) Plain(say Say) string {
	if say == nil || e.Wording.Format != "" || len(e.Fields) == 0 {
		return e.Wording.in(say, e.Msg)
	}
	parts := make([]string, len(e.Fields))
	for i, f := range e.Fields {
		parts[i] = say("%s %s", f.Label(), f.In(say))
	}
	return strings.Join(parts, ", ")
}

// Error reports a violated rule. It is created in the code of the rule. Msg is for people: it has
// the value and the solution, and no secrets.
type Error struct {
	Kind       Kind
	Msg        string
	Wording    Wording       // wording of Msg; translations of Fields replace it
	Fields     []Field       // for Invalid and Conflict; can be empty
	RetryAfter time.Duration // for TooMany and Unavailable; 0 if unknown
	Limit      int64         // for TooMany: requests allowed per window; 0 if unknown
	Public     bool          // Msg reveals nothing private, so that apps can show it
}

func (e *Error) Error() string { return e.Msg }

// Errorf returns an Error of a kind.
func Errorf(kind Kind, format string, args ...any) *Error {
	return &Error{Kind: kind, Msg: fmt.Sprintf(format, args...), Wording: Wording{format, args}}
}

// FieldError returns an Invalid error about one input.
func FieldError(name, code, format string, args ...any) *Error {
	msg := fmt.Sprintf(format, args...)
	field := Field{Name: name, Code: code, Msg: msg, Wording: Wording{format, args}}
	return &Error{Kind: Invalid, Msg: validation + field.Label() + " " + msg, Fields: []Field{field}}
}

// Faults collects the errors of the inputs of a form, so that they are reported all at once.
type Faults struct {
	fields []Field
	other  error // the first error that names no input
}

// Add adds the inputs of an error by FieldError. Nil adds nothing. Any other error is returned by
// Err.
func (f *Faults) Add(err error) {
	var e *Error
	switch {
	case err == nil:
	case errors.As(err, &e) && e == nil: // a nil pointer in an interface
	case e != nil && len(e.Fields) > 0:
		f.fields = append(f.fields, e.Fields...)
	default:
		f.other = cmp.Or(f.other, err)
	}
}

// Has reports whether an error of an input was added.
func (f *Faults) Has(name string) bool {
	return slices.ContainsFunc(f.fields, func(field Field) bool { return field.Name == name })
}

// Err returns the first error that names no input. Otherwise it returns one Invalid error about all
// the inputs, or nil without any.
func (f *Faults) Err() error {
	if f.other != nil || len(f.fields) == 0 {
		return f.other
	}
	msgs := make([]string, len(f.fields))
	for i, field := range f.fields {
		msgs[i] = field.Label() + " " + field.Msg
	}
	return &Error{Kind: Invalid, Msg: validation + strings.Join(msgs, ", "), Fields: f.fields}
}

// KindOf returns the kind of the first Error in err's chain, and Internal if
// there is none.
func KindOf(err error) Kind {
	var e *Error
	if errors.As(err, &e) {
		return e.Kind
	}
	return Internal
}

// RoundWait rounds a wait up to whole seconds, minutes or hours. It returns their number and the
// largest unit of which there is more than one and a half.
func RoundWait(d time.Duration) (n int64, unit time.Duration) {
	unit = time.Second
	for _, larger := range []time.Duration{time.Minute, time.Hour} {
		if d > larger*3/2 {
			unit = larger
		}
	}
	return max(1, int64((d+unit-1)/unit)), unit
}
