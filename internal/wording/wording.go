// Package wording defines messages that are shown later, in a language that is unknown when they
// are created: messages in a store, findings about a machine, reasons of failures.
//
// It encodes a message as one string and writes it in English. Package locale translates messages,
// so their creators, down to the engines, do not depend on the catalogues.
package wording

import (
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"time"
)

const (
	how  = "\x1e" // precedes the encoded message
	next = "\x1f" // separates the format and the values
)

// Message is a message in any language. It contains the English text, followed by the encoded
// format and values if there are any. Two equal messages are equal strings. A message is printed
// and marshalled in English. Texts stored by earlier releases are messages too.
type Message string

// Language translates messages.
type Language interface {
	// Stored translates a stored message.
	Stored(stored string) string
}

// Messagef returns a message with a format and values, like fmt.Sprintf. The format must be in a
// place that the test of the catalogues finds.
//
// Values can be messages, strings made by Store, and errors. Messengers are translated with the
// message, and other errors are not. Times, days and durations are formatted by each language. In
// English they use time.RFC3339, time.DateOnly and the format of time.Duration.
func Messagef(format string, values ...any) Message {
	parts, plain := []string{strconv.Quote(format)}, slices.Clone(values)
	for i, v := range values {
		var part string
		part, plain[i] = write(v)
		parts = append(parts, part)
	}
	msg := fmt.Sprintf(format, plain...)
	if len(values) == 0 {
		return Message(msg)
	}
	if m := Message(msg + how + strings.Join(parts, next)); m.String() == msg {
		return m
	}
	return Message(msg) // a decoded value would be printed differently
}

// Store is Messagef for records, which store strings.
func Store(format string, values ...any) string { return string(Messagef(format, values...)) }

// write returns a value in encoded form and in English. Numbers stay numbers for plurals, unless
// they have names.
func write(v any) (kept string, english any) {
	if m, ok := Of(v); ok {
		return "m" + strconv.Quote(string(m)), m.String()
	}
	switch v := v.(type) {
	case time.Time:
		s := v.Format(time.RFC3339)
		return "t" + strconv.Quote(s), s
	case Day:
		return "y" + strconv.Quote(v.String()), v.String()
	case time.Duration:
		return "d" + strconv.Quote(v.String()), v
	}
	_, named := v.(fmt.Stringer)
	switch r := reflect.ValueOf(v); {
	case named:
		return "s" + strconv.Quote(fmt.Sprint(v)), v
	case r.CanInt():
		return "i" + strconv.FormatInt(r.Int(), 10), v
	case r.CanUint():
		return "i" + strconv.FormatUint(r.Uint(), 10), v
	case r.CanFloat():
		return "f" + strconv.FormatFloat(r.Float(), 'g', -1, 64), v
	}
	s := Message(fmt.Sprint(v))
	return "s" + strconv.Quote(string(s)), s.String()
}

// Day is a day as a value of a message. The time of day is ignored.
type Day time.Time

// String returns the day as 2006-01-02.
func (d Day) String() string { return time.Time(d).Format(time.DateOnly) }

// between separates the messages of a list.
const between = "; "

// List joins messages. It returns "" if there are none.
func List(all ...Message) Message {
	switch len(all) {
	case 0:
		return ""
	case 1:
		return all[0]
	}
	values := make([]any, len(all))
	for i, m := range all {
		values[i] = m
	}
	return Messagef(strings.Repeat(between+"%s", len(all))[len(between):], values...)
}

// Listed replaces the separator in the format of a List with instead. It returns other formats
// unchanged.
func Listed(format, instead string) string {
	if strings.Contains(format, between) && strings.Trim(format, between+"%s") == "" {
		return strings.ReplaceAll(format, between, instead)
	}
	return format
}

// Parts returns the format and the values of a message. Times, days and durations have the types
// time.Time, Day and time.Duration, and nested messages the type Message. ok is false for a message
// without values.
func (m Message) Parts() (format string, values []any, ok bool) {
	at := strings.LastIndex(string(m), how)
	if at < 0 {
		return "", nil, false
	}
	parts := strings.Split(string(m[at+len(how):]), next)
	format, err := strconv.Unquote(parts[0])
	for _, p := range parts[1:] {
		var v any
		if v, err = value(p); err != nil {
			break
		}
		values = append(values, v)
	}
	return format, values, err == nil
}

// value decodes a value of a message. Earlier releases encoded nested messages like other texts.
func value(p string) (any, error) {
	if p == "" {
		return nil, strconv.ErrSyntax
	}
	switch kind, p := p[0], p[1:]; kind {
	case 'i':
		return strconv.ParseInt(p, 10, 64)
	case 'f':
		return strconv.ParseFloat(p, 64)
	default:
		s, err := strconv.Unquote(p)
		if err == nil && strings.ContainsRune("tyd", rune(kind)) {
			return moment(kind, s)
		}
		if kind == 'm' || strings.Contains(s, how) {
			return Message(s), err
		}
		return s, err
	}
}

// moment decodes a time, a day or a duration.
func moment(kind byte, s string) (any, error) {
	switch kind {
	case 't':
		return time.Parse(time.RFC3339, s)
	case 'y':
		t, err := time.Parse(time.DateOnly, s)
		return Day(t), err
	}
	return time.ParseDuration(s)
}

// String returns the message in English.
func (m Message) String() string {
	format, values, ok := m.Parts()
	if !ok {
		return string(m)
	}
	for i, v := range values {
		if t, ok := v.(time.Time); ok {
			values[i] = t.Format(time.RFC3339)
		}
	}
	return fmt.Sprintf(format, values...)
}

// MarshalText implements encoding.TextMarshaler with the message in English.
func (m Message) MarshalText() ([]byte, error) { return []byte(m.String()), nil }

// In returns the message in a language.
func (m Message) In(l Language) string { return l.Stored(string(m)) }

// Messenger is an error with a translatable message.
type Messenger interface {
	error
	Message() Message
}

// Explainer is an error of a package that does not import this one. Its message is the reason,
// which can be a Message, and the cause in brackets.
type Explainer interface {
	error
	Explanation() (reason fmt.Stringer, cause error)
}

// Of returns the message of a value: a Message itself, or the message of the first Messenger or
// Explainer in the chain of an error.
func Of(v any) (Message, bool) {
	switch v := v.(type) {
	case Message:
		return v, true
	case error:
		var of Messenger
		if errors.As(v, &of) {
			return of.Message(), true
		}
		var explained Explainer
		if errors.As(v, &explained) {
			reason, cause := explained.Explanation()
			return Messagef("%s (%s)", reason, cause), true
		}
	}
	return "", false
}

// From returns the Message in s, or the text of another Stringer.
func From(s fmt.Stringer) Message {
	if m, ok := s.(Message); ok || s == nil {
		return m
	}
	return Message(s.String())
}
