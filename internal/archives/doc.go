// Package archives implements exports and imports: lists as CSV files and archives of all posts of
// a user, in Mastodon's formats.
//
// It knows the file formats. The services below it decide what is allowed.
package archives
