// Package post shows posts on pages, with pictures, polls, quotes and link previews, and serves the
// actions on them.
package post
