// Package reading makes pages: home, profiles, public and tag timelines, threads, and
// the filters and markers of those who read them. Every entry of a feed is checked when
// it is shown, so that a late clean-up is never visible.
package reading
