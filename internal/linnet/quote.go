package linnet

import "strings"

// QuotePolicy says who besides its author may quote a status. The words are Mastodon's.
type QuotePolicy uint8

const (
	QuotePublic    QuotePolicy = iota // everybody
	QuoteFollowers                    // who follows the author
	QuoteNobody                       // as of all that was posted before there were quotes
)

// String returns Mastodon's word for p.
func (p QuotePolicy) String() string {
	switch p {
	case QuotePublic:
		return "public"
	case QuoteFollowers:
		return "followers"
	}
	return "nobody"
}

// ParseQuotePolicy reads Mastodon's word for a policy.
func ParseQuotePolicy(s string) (QuotePolicy, bool) {
	for p := QuotePublic; p <= QuoteNobody; p++ {
		if p.String() == s {
			return p, true
		}
	}
	return 0, false
}

// Quotable reports whether somebody may quote a status, be it its author alone: not what
// is for those it mentions or for the members of a group, nor a repost.
func (st *Status) Quotable() bool {
	return st.RepostOf == 0 && st.Visibility != Direct && !st.ForMembers()
}

// BoostableBy reports whether a user who can read a status can boost it. Only its author can boost
// a followers-only post. No user can boost a direct post or a post for group members only.
func (st *Status) BoostableBy(user ID) bool {
	return !st.ForMembers() && (st.Visibility <= Unlisted || st.Visibility == Private && st.Author == user)
}

// Quoters says who besides its author may quote a status: the policy that it was given,
// nobody if not everybody may read it.
func (st *Status) Quoters() QuotePolicy {
	if !st.Quotable() || st.Visibility == Private {
		return QuoteNobody
	}
	return st.QuotePolicy
}

// LetsQuote reports whether somebody who may read a status, and follows its author or not,
// may quote it, as far as that is for the status to say; 0 is nobody.
func (st *Status) LetsQuote(who ID, follows bool) bool {
	switch {
	case who == 0 || !st.Quotable():
		return false
	case who == st.Author:
		return true
	}
	p := st.Quoters()
	return p == QuotePublic || p == QuoteFollowers && follows
}

// Quoting reports whether a status quotes another one still: its author has not taken the
// quote back.
func (st *Status) Quoting() bool { return st.QuoteOf != 0 && !st.QuoteRevoked }

// QuoteState says what somebody sees of what a status quotes. The words are Mastodon's;
// those for what waits for an answer, or was refused, do not happen here.
// https://docs.joinmastodon.org/entities/Quote/#state
type QuoteState string

const (
	QuoteAccepted     QuoteState = "accepted"
	QuoteRevoked      QuoteState = "revoked"         // its author has taken the quote back
	QuoteDeleted      QuoteState = "deleted"         // what was quoted is gone
	QuoteUnauthorized QuoteState = "unauthorized"    // it is not for the viewer
	QuoteBlocked      QuoteState = "blocked_account" // the viewer blocks its author
	QuoteMuted        QuoteState = "muted_account"   // the viewer mutes its author
)

// QuoteView is what a status quotes as one viewer sees it.
type QuoteView struct {
	State  QuoteState
	Of     ID          // what is quoted; 0 if the viewer may not see it
	Status *StatusView // the same; nil if Of is 0, and within what is quoted itself
	Nested bool        // it is what a quoted status quotes, of which no more is shown
}

// QuoteLink is the address of what a status quotes, for where that cannot be shown itself;
// "" if the viewer does not see it at once, or the text leads there already.
func (v *StatusView) QuoteLink() string {
	q := v.Quote.Shown()
	if q == nil || strings.Contains(v.Text, q.URL) {
		return ""
	}
	return q.URL
}

// Shown is what a viewer sees at once of what is quoted; nil: nothing.
func (q *QuoteView) Shown() *StatusView {
	if q == nil || q.State != QuoteAccepted {
		return nil
	}
	return q.Status
}
