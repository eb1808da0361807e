// Package reading builds pages of home, profiles, public and tag timelines and threads, with the
// filters and markers of the viewer. Every entry of a feed is checked when it is shown, so that a
// late clean-up is never visible.
package reading
