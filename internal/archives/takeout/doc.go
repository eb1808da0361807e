// Package takeout reads the archives that people are given by other servers of what they
// have posted there: Mastodon's (ZIP or tar.gz) and that of X, formerly Twitter (ZIP).
//
// Whoever made the file may mean harm. So it is read as a stream, whatever it says of its
// own size: items, documents, pictures and the directory have limits, and the names of
// entries are compared and never used as paths. Memory is bounded by the limits of entries
// and items, not by the size of the file. Nothing here knows people, or where posts go.
package takeout
