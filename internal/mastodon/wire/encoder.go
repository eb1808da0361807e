package wire

import (
	"net/url"
	"time"

	"linnet/internal/linnet"
	"linnet/internal/text"
)

// Encoder turns domain values into the JSON of the API. It is safe for concurrent use.
type Encoder struct {
	base         string // public URL, no trailing slash
	bannerURL    string // default header picture
	roles        func() *linnet.RoleSet
	viewerStates [16][]byte // see viewerStateTexts
}

// NewEncoder returns an encoder of a server with a public URL. roles returns the custom roles.
func NewEncoder(base string, roles func() *linnet.RoleSet) *Encoder {
	return &Encoder{base: base, bannerURL: base + "/headers/default.png", roles: roles, viewerStates: viewerStateTexts()}
}

// Encode calls use with v as JSON. The bytes are only valid during the call.
func (e *Encoder) Encode(v any, use func([]byte)) error {
	w := borrow()
	defer w.release()
	if d, ok := v.(document); ok {
		d.write(e, w)
	} else {
		w.value(v)
	}
	if w.err == nil {
		use(w.b)
	}
	return w.err
}

// Empty is the response of methods without a result: {}.
type Empty struct{}

// None is the element of lists that are always empty.
type None struct{}

// Timestamp formats a time like Mastodon: UTC with milliseconds.
func Timestamp(t time.Time) string { return t.UTC().Format("2006-01-02T15:04:05.000Z") }

// Nullable returns s, or nil if it is empty.
func Nullable(s string) *string {
	if s == "" {
		return nil
	}
	return &s
}

// OptionalTime formats a time, or returns nil for the zero time.
func OptionalTime(t time.Time) *string {
	if t.IsZero() {
		return nil
	}
	s := Timestamp(t)
	return &s
}

// Each encodes a list. The result is never nil, so that an empty list is [].
func Each[T, W any](views []T, wire func(*T) W) []W {
	out := make([]W, len(views))
	for i := range views {
		out[i] = wire(&views[i])
	}
	return out
}

// OptionalID returns an id as a string, or nil for 0.
func OptionalID(id linnet.ID) *string {
	if id == 0 {
		return nil
	}
	s := id.String()
	return &s
}

// TagURL returns the URL of the page of a tag.
func (e *Encoder) TagURL(tag string) string {
	return e.base + "/tags/" + url.PathEscape(text.FoldTag(tag))
}
