// Package reading builds pages of the home timeline, profiles, public and tag timelines and
// threads, with the filters and markers of the viewer. It checks every entry of a feed when it is
// shown, so that a late clean-up is never visible.
package reading
