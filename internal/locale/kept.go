package locale

import (
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"
)

// Messages that lie in a store until somebody reads them, who may have another language than
// whoever caused them. One without values is kept as it is in English; one with values has behind
// its English text how it was made. What was kept before there was that is shown as it is.

const (
	keptHow  = "\x1e" // before how a message was made
	keptNext = "\x1f" // between the format and its values
)

// Message is a message that is kept: in a store, in a record of what was found, or as a value of
// another one. It is compared, and shown by Kept, as it is; printed and encoded it is English.
type Message string

// Messagef is Keep, as a value that says of itself that it is a message.
func Messagef(format string, values ...any) Message { return Message(Keep(format, values...)) }

// String is the message in English.
func (m Message) String() string { return English().Kept(string(m)) }

// MarshalText implements encoding.TextMarshaler with the message in English.
func (m Message) MarshalText() ([]byte, error) { return []byte(m.String()), nil }

// In is the message in a language.
func (m Message) In(l *Language) string { return l.Kept(string(m)) }

// Messenger is an error that is told in any language.
type Messenger interface {
	error
	Message() Message
}

// messageOf is what a value is a message of: of an error that of the first in its chain that has one.
func messageOf(v any) (Message, bool) {
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

// Keep is a message as it is kept, made of a format and its values as fmt.Sprintf makes it. The
// format is one that the test of the catalogues sees. Values may be messages
// that are kept, and errors: those that are Messengers are told in the language of the message, and
// others as they are.
func Keep(format string, values ...any) string {
	parts, plain := []string{strconv.Quote(format)}, slices.Clone(values)
	for i, v := range values {
		switch r := reflect.ValueOf(v); {
		case r.CanInt():
			parts = append(parts, "i"+strconv.FormatInt(r.Int(), 10))
		case r.CanUint():
			parts = append(parts, "i"+strconv.FormatUint(r.Uint(), 10))
		case r.CanFloat():
			parts = append(parts, "f"+strconv.FormatFloat(r.Float(), 'g', -1, 64))
		default:
			kind, s := "s", ""
			if m, ok := messageOf(v); ok {
				kind, s = "m", string(m)
			} else {
				s = fmt.Sprint(v)
			}
			parts = append(parts, kind+strconv.Quote(s))
			plain[i] = English().Kept(s)
		}
	}
	msg := fmt.Sprintf(format, plain...)
	if len(values) == 0 {
		return msg
	}
	if kept := msg + keptHow + strings.Join(parts, keptNext); English().Kept(kept) == msg {
		return kept
	}
	return msg // a value is of a kind that would be written otherwise
}

// Kept is a message that was kept, in the language.
func (l *Language) Kept(kept string) string {
	at := strings.LastIndex(kept, keptHow)
	if at < 0 {
		return l.lookUp(kept, kept)
	}
	parts := strings.Split(kept[at+len(keptHow):], keptNext)
	format, err := strconv.Unquote(parts[0])
	if err != nil {
		return kept
	}
	values := make([]any, 0, len(parts)-1)
	for _, p := range parts[1:] {
		v, err := l.keptValue(p)
		if err != nil {
			return kept
		}
		values = append(values, v)
	}
	return l.Text(format, values...)
}

// keptValue is a value of a message, which may be one that is kept.
func (l *Language) keptValue(p string) (v any, err error) {
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
		if kind == 'm' || strings.Contains(s, keptHow) {
			s = l.Kept(s)
		}
		return s, err
	}
}
