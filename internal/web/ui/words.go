package ui

import (
	"context"
	"time"

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
