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

// MaxSearch is the maximum number of characters of search fields that find addresses: text.MaxURL.
const MaxSearch = "2048"

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

// ReaderOf returns the reader of a context. The default reader has English and UTC.
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

// Trn translates a text about a number. The number is the first value, with separators between
// thousands.
func Trn(ctx context.Context, n int64, one, other string, values ...any) string {
	return ReaderOf(ctx).Lang.Count(n, one, other, values...)
}

// TrIn is like Tr, for an English word with several meanings, which context distinguishes.
func TrIn(ctx context.Context, context, text string) string {
	return ReaderOf(ctx).Lang.InContext(context, text)
}

// Num formats a number with separators between thousands.
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

// Capitalize returns a word with an upper-case first letter.
func Capitalize(word string) string {
	_, n := utf8.DecodeRuneInString(word)
	return strings.ToUpper(word[:n]) + word[n:]
}

// Truncate limits a text to a number of characters, for a table.
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

// JoinNonEmpty joins the texts that aren't empty.
func JoinNonEmpty(between string, texts ...string) string {
	return strings.Join(slices.DeleteFunc(texts, func(s string) bool { return s == "" }), between)
}

// Times returns a text about how often an event happened in a row; "" for once.
func Times(ctx context.Context, n int) string {
	if n < 2 {
		return ""
	}
	return Trn(ctx, int64(n), "%s time in a row", "%s times in a row")
}

// Escape escapes a text for HTML.
func Escape(s string) string { return html.EscapeString(s) }

// WithDone returns the path to which a form redirects after an action. The page there confirms the
// action.
func WithDone(path, what string) string { return path + "?done=" + url.QueryEscape(what) }

// IsLocalPath reports whether browsers treat a path as one of this server. They read "//host" and
// "/\host" as other hosts, and remove tabs and newlines first.
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

// Media types that file dialogues offer for pictures, and for video and audio.
const (
	PictureTypes = "image/jpeg,image/png,image/gif,image/webp"
	ClipTypes    = "video/mp4,video/webm,video/quicktime,audio/mpeg,audio/ogg,audio/flac,audio/mp4,.m4a,.mov,.flac"
)
