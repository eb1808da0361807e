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
	how  = "\x1e" // before how a message was made
	next = "\x1f" // between the format and its values
)

// Message is a message in any language. One without values is as it is in English; one with values
// has behind its English text how it was made. It is compared as it is; printed and encoded it is
// English. What earlier releases kept, an English text alone, is a message too.
type Message string

// Language is one in which messages are said.
type Language interface {
	// Kept is a message, given as it is kept, in the language.
	Kept(kept string) string
}

// Messagef makes a message of a format and its values as fmt.Sprintf does. The format is one that
// the test of the catalogues sees. Values may be messages, strings that Keep has made, and errors:
// those that are Messengers are told in the language of the message, and others as they are. Times,
// days and durations are written as each language writes them; in English as time.RFC3339,
// time.DateOnly and time.Duration have them.
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
	return Message(msg) // a value is of a kind that would be written otherwise
}

// Keep is Messagef as a string, for records.
func Keep(format string, values ...any) string { return string(Messagef(format, values...)) }

// write is a value as it is kept and as it is in English: numbers so that they can be counted by,
// but for those that have names.
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

// Day is a value of a message: a day, whatever the hour is.
type Day time.Time

// String is the day as 2006-01-02.
func (d Day) String() string { return time.Time(d).Format(time.DateOnly) }

// between stands between the messages of a list.
const between = "; "

// List is a message of several, one behind the other; "" of none.
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

// Listed is a format, and that of a List with what a language has between messages instead.
func Listed(format, instead string) string {
	if strings.Contains(format, between) && strings.Trim(format, between+"%s") == "" {
		return strings.ReplaceAll(format, between, instead)
	}
	return format
}

// Parts are the format and the values of which a message was made: messages of type Message, times,
// days and durations of types time.Time, Day and time.Duration. A message without values has none.
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

// value is a value of a message. Earlier releases wrote messages among them as other texts.
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

// moment is a time, a day or a duration of a message.
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

// String is the message in English.
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

// In is the message in a language.
func (m Message) In(l Language) string { return l.Kept(string(m)) }

// Messenger is an error that is told in any language.
type Messenger interface {
	error
	Message() Message
}

// Of is what a value is a message of: of an error that of the first in its chain that has one.
func Of(v any) (Message, bool) {
	switch v := v.(type) {
	case Message:
		return v, true
	case error:
		var of Messenger
		if errors.As(v, &of) {
			return of.Message(), true
		}
	}
	return "", false
}
