// Package wording makes messages that somebody reads later, in a language that is not known when
// they are made: what is kept in a store, what was found out about a machine, why something failed.
//
// It knows how such a message is written as one string, and how it reads in English. It must not
// know the other languages: package locale says messages in them. So what makes messages, down to
// the engines, does not depend on the catalogues.
package wording

import (
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"
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
// those that are Messengers are told in the language of the message, and others as they are.
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

// Parts are the format and the values of which a message was made; values that are messages are of
// type Message. A message without values has none.
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
		if kind == 'm' || strings.Contains(s, how) {
			return Message(s), err
		}
		return s, err
	}
}

// String is the message in English.
func (m Message) String() string {
	format, values, ok := m.Parts()
	if !ok {
		return string(m)
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
