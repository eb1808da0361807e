package linnet

import (
	"slices"
	"strings"
	"time"
)

// FeaturedTag is a tag that a user shows on the profile.
type FeaturedTag struct {
	ID       ID
	Name     string // as typed
	Folded   string // for comparisons
	Statuses int64  // number of the user's public statuses with the tag
	LastAt   time.Time
	URL      string // address of the page with the user's statuses with the tag
}

// MaxFollowedTags is the maximum number of followed tags. Each is one more set to merge for a page
// of the home timeline.
const MaxFollowedTags = 100

// FollowedTag is a tag that a user follows.
type FollowedTag struct {
	Tag   string // folded
	Since time.Time
}

// TagRule restricts a tag.
type TagRule struct {
	Name     string // folded
	Unusable bool   // new posts can't contain the tag
	Unlisted bool   // search doesn't find the tag
}

// TagRules are the restricted tags.
type TagRules struct {
	Version uint64
	Rules   []TagRule // sorted by name, at most MaxTagRules; must not be modified
}

func (r *TagRules) find(name string) (at int, ok bool) {
	return slices.BinarySearchFunc(r.Rules, name, func(rule TagRule, name string) int { return strings.Compare(rule.Name, name) })
}

// Of returns the rule of a folded tag. Tags without a rule are not restricted.
func (r *TagRules) Of(name string) TagRule {
	if at, ok := r.find(name); ok {
		return r.Rules[at]
	}
	return TagRule{Name: name}
}

// With returns the rules with the rule of one tag replaced. It omits a rule that restricts nothing.
func (r *TagRules) With(rule TagRule) []TagRule {
	at, ok := r.find(rule.Name)
	all := slices.Clone(r.Rules)
	if ok {
		all = slices.Delete(all, at, at+1)
	}
	if !rule.Unusable && !rule.Unlisted {
		return all
	}
	return slices.Insert(all, at, rule)
}

// TagChange changes the restrictions of a tag. Nil fields stay.
type TagChange struct{ Trendable, Usable, Listable *bool }
