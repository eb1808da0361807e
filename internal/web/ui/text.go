package ui

import (
	"cmp"
	"context"
	"html"
	"net/url"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"linnet/internal/linnet"
	"linnet/internal/locale"
)

// Reader has the data about the reader that rendering needs.
type Reader struct {
	Zone *time.Location
	Lang *locale.Language
	Now  func() time.Time
}

type readerKey struct{}

// WithReader returns a context for rendering for a reader.
func WithReader(ctx context.Context, r Reader) context.Context {
	return context.WithValue(ctx, readerKey{}, &r)
}

// ReaderOf is that reader; one of English and UTC if none was given.
func ReaderOf(ctx context.Context) *Reader {
	if r, ok := ctx.Value(readerKey{}).(*Reader); ok {
		return r
	}
	return &Reader{time.UTC, locale.English(), time.Now}
}

// Tr translates a text for rendering, with values as in fmt.Sprintf.
func Tr(ctx context.Context, text string, values ...any) string {
	return ReaderOf(ctx).Lang.Text(text, values...)
}

// Trn is a text about a number, which is its first value, written with its thousands apart.
func Trn(ctx context.Context, n int64, one, other string, values ...any) string {
	return ReaderOf(ctx).Lang.Count(n, one, other, values...)
}

// TrIn is like tr, for a word with several meanings in English, which context distinguishes.
func TrIn(ctx context.Context, context, text string) string {
	return ReaderOf(ctx).Lang.InContext(context, text)
}

// Num writes a number with its thousands apart.
func Num(ctx context.Context, n int64) string { return ReaderOf(ctx).Lang.Number(n) }

// Zone returns the zone for rendering.
func Zone(ctx context.Context) *time.Location { return ReaderOf(ctx).Zone }

// FullTime returns a time in words, in the reader's language.
func FullTime(ctx context.Context, t time.Time) string {
	return ReaderOf(ctx).Lang.Time(t.In(Zone(ctx)), locale.Mark("2 January 2006, 15:04 MST"))
}

// Preview returns the text of a status for lists and other sites, without text behind a filter or
// warning.
func Preview(st linnet.StatusView) string {
	return cmp.Or(strings.Join(st.FoundBy(linnet.FilterWarn, linnet.FilterHide), ", "), st.Warning, st.Text)
}

// Capitalize is a word as it begins a line.
func Capitalize(word string) string {
	_, n := utf8.DecodeRuneInString(word)
	return strings.ToUpper(word[:n]) + word[n:]
}

// Truncate shortens a text for a table.
func Truncate(s string, most int) string {
	if rs := []rune(s); len(rs) > most {
		return string(rs[:most]) + "…"
	}
	return s
}

// VerifiedText returns the text of the verification mark.
func VerifiedText(ctx context.Context, at time.Time) string {
	return Tr(ctx, "Ownership of this link was checked on %s", FullTime(ctx, at))
}

// JoinNonEmpty are those texts that are not empty, with something between them.
func JoinNonEmpty(between string, texts ...string) string {
	return strings.Join(slices.DeleteFunc(texts, func(s string) bool { return s == "" }), between)
}

// Times says how often something happened, "" for once.
func Times(ctx context.Context, n int) string {
	if n < 2 {
		return ""
	}
	return Trn(ctx, int64(n), "%s time in a row", "%s times in a row")
}

func Escape(s string) string { return html.EscapeString(s) }

// WithDone ends the address to which a form leads that has done something.
func WithDone(path, what string) string { return path + "?done=" + url.QueryEscape(what) }

// IsLocalPath reports whether browsers take a path as one of this installation. They
// read "//host" and "/\host" as other hosts, and drop tabs and newlines before
// they look.
func IsLocalPath(path string) bool {
	if !strings.HasPrefix(path, "/") || strings.HasPrefix(path, "//") || strings.ContainsRune(path, '\\') {
		return false
	}
	for i := range len(path) {
		if path[i] <= ' ' || path[i] == 0x7f {
			return false
		}
	}
	u, err := url.Parse(path)
	return err == nil && u.Host == "" && u.Scheme == ""
}

// PictureTypes are the formats that a file dialogue offers.
const (
	PictureTypes = "image/jpeg,image/png,image/gif,image/webp"
	ClipTypes    = "video/mp4,video/webm,video/quicktime,audio/mpeg,audio/ogg,audio/flac,audio/mp4,.m4a,.mov,.flac"
)
