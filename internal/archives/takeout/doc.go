// Package takeout reads archives of posts from other servers: Mastodon (ZIP or tar.gz) and X,
// formerly Twitter (ZIP).
//
// Archives may be malicious. They are read as a stream, whatever size they claim. Items, documents,
// pictures and the directory have limits. Names of entries are compared, and never used as paths.
// Memory is bounded by the limits of entries and items, not by the size of the file. The package
// knows neither users nor the destination of posts.
package takeout
