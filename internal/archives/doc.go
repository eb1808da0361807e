// Package archives is the storey of what people take along and bring with them: lists as
// CSV files and archives of all that somebody has posted, in the forms that Mastodon gives
// them.
//
// It knows the forms of files, and leaves to the storeys below what may be done.
package archives
