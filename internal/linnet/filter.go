package linnet

import (
	"slices"
	"time"
)

// FilterContext is a set of timelines in which a filter applies.
type FilterContext uint8

const (
	FilterHome          FilterContext = 1 << iota // home and lists
	FilterNotifications                           // notifications
	FilterPublic                                  // public and tag timelines
	FilterThread                                  // the thread around a status
	FilterAccount                                 // profiles

	FilterEverywhere FilterContext = 1<<iota - 1
)

// Words returns Mastodon's words for the contexts of c.
func (c FilterContext) Words() []string {
	words := []string{}
	for i, w := range [...]string{"home", "notifications", "public", "thread", "account"} {
		if c&(1<<i) != 0 {
			words = append(words, w)
		}
	}
	return words
}

// ParseFilterContext parses Mastodon's word for one context.
func ParseFilterContext(word string) (FilterContext, bool) {
	for c := FilterHome; c <= FilterAccount; c <<= 1 {
		if c.Words()[0] == word {
			return c, true
		}
	}
	return 0, false
}

// FilterAction determines what an app does with a status that matches a filter.
type FilterAction uint8

const (
	FilterWarn FilterAction = iota // show the filter's title first
	FilterHide                     // hide the status
	FilterBlur                     // hide the media behind the filter's title
)

// String returns Mastodon's word for a.
func (a FilterAction) String() string {
	return [...]string{"warn", "hide", "blur"}[min(a, FilterBlur)]
}

// ParseFilterAction reads Mastodon's word for an action.
func ParseFilterAction(s string) (FilterAction, bool) {
	for a := FilterWarn; a <= FilterBlur; a++ {
		if a.String() == s {
			return a, true
		}
	}
	return 0, false
}

// Filter is a filter of a user. It matches statuses with one of its keywords, and certain statuses.
type Filter struct {
	ID        ID
	Title     string
	Context   FilterContext
	Action    FilterAction
	ExpiresAt time.Time // zero for never; an expired filter is stored but matches nothing
	Keywords  []FilterKeyword
	Statuses  []FilterStatus
}

// Expired reports whether the filter has expired, so that it matches nothing.
func (f *Filter) Expired(now time.Time) bool { return !f.ExpiresAt.IsZero() && !f.ExpiresAt.After(now) }

// FilterKeyword is a word or phrase of a filter. It is not case-sensitive.
type FilterKeyword struct {
	ID        ID
	Keyword   string
	WholeWord bool // match whole words only
}

// FilterStatus is a status of a filter.
type FilterStatus struct {
	ID     ID
	Status ID
}

// FilterSet has all filters of a user, oldest first. It can be shared and must not be modified.
type FilterSet struct {
	Filters []Filter
	Version uint64 // 0 if the user never had one
	Memo    Memo   // compiled form
}

// FilterChange creates or changes a filter. Nil fields stay.
type FilterChange struct {
	Title     *string
	Context   *FilterContext
	Action    *FilterAction
	ExpiresIn *time.Duration // from now; 0 for never
	Keywords  []KeywordChange
}

// KeywordChange adds a keyword, or changes or removes the one with an ID.
type KeywordChange struct {
	ID        ID      // 0 for a new one
	Keyword   *string // nil if unchanged
	WholeWord *bool   // nil if unchanged; true for a new one
	Remove    bool
}

// FilterResult is a match of a filter.
type FilterResult struct {
	Filter   *Filter  // shared; must not be modified
	Keywords []string // keywords of the filter that the status contains
	Statuses []ID     // the status or the original of a boost, if the filter contains it
}

// FoundBy returns the distinct titles of the viewer's filters with one of some actions that match a
// status or the original of a boost.
func (v *StatusView) FoundBy(actions ...FilterAction) []string {
	var titles []string
	for _, of := range [...]*StatusView{v, v.Repost} {
		if of == nil || of.Filtered == nil {
			continue
		}
		for _, r := range *of.Filtered {
			if slices.Contains(actions, r.Filter.Action) {
				titles = append(titles, r.Filter.Title)
			}
		}
	}
	slices.Sort(titles)
	return slices.Compact(titles)
}

// Hidden reports whether a filter of the viewer hides the status.
func (v *StatusView) Hidden() bool { return len(v.FoundBy(FilterHide)) > 0 }
