package linnet

import (
	"errors"
	"fmt"
	"strings"
	"time"
)

// Kind says what is wrong, so that each face can choose its code for it.
type Kind uint8

const (
	Internal        Kind = iota // a fault of ours
	Invalid                     // the input breaks a rule
	Unauthenticated             // nobody is logged in, or the proof is wrong
	Forbidden                   // known, but not allowed
	NotFound                    // does not exist, or may not be seen
	Conflict                    // somebody else was first
	TooMany                     // a limit of rate or number is reached
	Unavailable                 // the store does not answer; try again
	Full                        // the store takes no more
	Gone                        // existed and is used up
)

// Field tells what is wrong with one input, in Mastodon's terms (Code is one of
// ERR_BLANK, ERR_TAKEN, ERR_INVALID, ERR_TOO_LONG, ERR_TOO_SHORT, ERR_RESERVED,
// ERR_ACCEPTED, ERR_INCLUSION).
type Field struct {
	Name    string
	Code    string
	Msg     string
	Wording Wording // of Msg, for other languages
}

// Wording is a message before its values stand in it, in English, so that faces can say it in
// the language of who reads it. It is empty where a message is not made by Errorf or FieldError.
type Wording struct {
	Format string
	Args   []any
}

// In is the message in the language of say, or as it was said first.
func (w Wording) In(say func(string, ...any) string, first string) string {
	if w.Format == "" {
		return first
	}
	return say(w.Format, w.Args...)
}

// In is what is wrong with the input in the language of say, which is given formats in English.
func (f Field) In(say func(string, ...any) string) string { return f.Wording.In(say, f.Msg) }

// In is Msg in the language of say, which is given formats in English.
func (e *Error) In(say func(string, ...any) string) string {
	if e.Wording.Format != "" || len(e.Fields) == 0 {
		return e.Wording.In(say, e.Msg)
	}
	parts := make([]string, len(e.Fields))
	for i, f := range e.Fields {
		parts[i] = say("%s %s", f.Name, f.In(say))
	}
	return say("Validation failed: %s", strings.Join(parts, ", "))
}

// Error is a rule that was broken, made where the rule is. Msg is meant for
// people: it names the value and the remedy and holds no secrets.
type Error struct {
	Kind       Kind
	Msg        string
	Wording    Wording       // of Msg, for other languages; those of Fields stand in for it
	Fields     []Field       // of Invalid and Conflict, may be empty
	RetryAfter time.Duration // of TooMany and Unavailable, 0 if not known
	Public     bool          // Msg tells nothing that anybody may not know, where apps are told less by default
}

func (e *Error) Error() string { return e.Msg }

// Errorf makes an Error of a kind.
func Errorf(kind Kind, format string, args ...any) *Error {
	return &Error{Kind: kind, Msg: fmt.Sprintf(format, args...), Wording: Wording{format, args}}
}

// FieldError makes an Invalid error about one input.
func FieldError(name, code, format string, args ...any) *Error {
	msg := fmt.Sprintf(format, args...)
	return &Error{Kind: Invalid, Msg: "Validation failed: " + name + " " + msg,
		Fields: []Field{{Name: name, Code: code, Msg: msg, Wording: Wording{format, args}}}}
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
