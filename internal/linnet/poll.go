package linnet

import (
	"slices"
	"strings"
	"time"
)

// Limits of polls, as in the instance document.
const (
	MinPollOptions     = 2
	MaxPollOptions     = 4
	MaxPollOptionChars = 50
	MinPollSeconds     = 5 * 60
	MaxPollSeconds     = 2629746 // a month, as in Mastodon
)

// Poll is the poll of a status. It has the status's id and never changes. An edited status has
// another one.
type Poll struct {
	Options    []string  // plain texts without duplicates
	Expires    time.Time // whole milliseconds; voting ends then
	Multiple   bool      // allows several options per vote
	HideTotals bool      // counts are hidden until it has expired
	Closed     bool      // no more votes; the counts are final
	Seconds    int       // original duration; 0 in polls of earlier releases
}

// Lasting returns the duration of a poll in seconds.
func (p *Poll) Lasting(asked time.Time) int {
	if p.Seconds != 0 {
		return p.Seconds
	}
	return int(p.Expires.Sub(asked).Round(time.Second).Seconds())
}

// Expired reports whether the poll accepts no more votes.
func (p *Poll) Expired(now time.Time) bool { return p.Closed || !now.Before(p.Expires) }

// SameQuestion reports whether votes for one poll are votes for another.
func (p *Poll) SameQuestion(q *Poll) bool {
	return p.Multiple == q.Multiple && slices.Equal(p.Options, q.Options)
}

// Text returns all texts of a poll, for filters and searches; "" for none.
func (p *Poll) Text() string {
	if p == nil {
		return ""
	}
	return strings.Join(p.Options, "\n")
}

// PollView is a poll as one viewer sees it.
type PollView struct {
	*Poll
	ID     ID      // id of its status
	Voters int64   // number of voters
	Votes  int64   // votes for all options
	Counts []int64 // votes by option; nil if hidden
	Ended  bool    // accepts no more votes
	Voted  bool    // the viewer has voted
	Own    []int   // the viewer's options, in order
}

// VotableBy reports whether a user can vote in the poll of a status. v must be the user's view.
func (v *StatusView) VotableBy(user ID) bool {
	p := v.PollView
	return p != nil && v.Author != user && !p.Voted && !p.Ended
}

// ForAll returns the view without the viewer's own data; nil for none.
func (v *PollView) ForAll() *PollView {
	if v == nil {
		return nil
	}
	all := *v
	all.Voted, all.Own = false, nil
	return &all
}

// PollDraft is a poll to be posted.
type PollDraft struct {
	Options    []string
	Seconds    int // duration until it expires
	Multiple   bool
	HideTotals bool
}

// Choices is a vote: one bit for each option.
type Choices uint32

// Has reports whether a vote is for an option.
func (c Choices) Has(option int) bool { return c&(1<<option) != 0 }

// Options returns the indexes of the chosen options in order.
func (c Choices) Options() (out []int) {
	for i := range MaxPollOptions {
		if c.Has(i) {
			out = append(out, i)
		}
	}
	return out
}
