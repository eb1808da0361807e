package linnet

import "strings"

// QuotePolicy determines who can quote a status, apart from its author. The values are Mastodon's.
type QuotePolicy uint8

const (
	QuotePublic    QuotePolicy = iota // everyone
	QuoteFollowers                    // followers of the author
	QuoteNobody                       // only the author; also for posts from before quotes were introduced
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

// Quotable reports whether a status can be quoted, at least by its author. Direct statuses,
// statuses for group members and boosts can't.
func (st *Status) Quotable() bool {
	return st.RepostOf == 0 && st.Visibility != Direct && !st.ForMembers()
}

// BoostableBy reports whether a user who can read a status can boost it. Only its author can boost
// a followers-only post. No user can boost a direct post or a post for group members only.
func (st *Status) BoostableBy(user ID) bool {
	return !st.ForMembers() && (st.Visibility.Open() || st.Visibility == Private && st.Author == user)
}

// Quoters returns who can quote a status, apart from its author: its policy, or no user if it isn't
// public.
func (st *Status) Quoters() QuotePolicy {
	if !st.Quotable() || st.Visibility == Private {
		return QuoteNobody
	}
	return st.QuotePolicy
}

// QuoteVisibility returns the visibility of a status that quotes st, if its author chose v. It is
// at most followers if st is for followers. It returns v if st is nil.
func (st *Status) QuoteVisibility(v Visibility) Visibility {
	if st != nil && st.Visibility == Private {
		return max(v, Private)
	}
	return v
}

// Embeddable reports whether other sites can embed a status.
func (st *Status) Embeddable() bool { return st.RepostOf == 0 && st.Visibility.Open() }

// LetsQuote reports whether the policy of a status permits a reader to quote it. Without a login
// the reader is 0.
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

// Quoting reports whether a status quotes another one and the quote isn't revoked.
func (st *Status) Quoting() bool { return st.QuoteOf != 0 && !st.QuoteRevoked }

// QuoteState is the state of a quoted status for a viewer. The values are Mastodon's, except
// pending and rejected quotes, which don't exist here.
// https://docs.joinmastodon.org/entities/Quote/#state
type QuoteState string

const (
	QuoteAccepted     QuoteState = "accepted"
	QuoteRevoked      QuoteState = "revoked"         // its author has revoked the quote
	QuoteDeleted      QuoteState = "deleted"         // the quoted status is deleted
	QuoteUnauthorized QuoteState = "unauthorized"    // the viewer can't see it
	QuoteBlocked      QuoteState = "blocked_account" // the viewer blocks its author
	QuoteMuted        QuoteState = "muted_account"   // the viewer mutes its author
)

// QuoteView is the quoted status of a status for a viewer.
type QuoteView struct {
	State  QuoteState
	Of     ID          // the quoted status; 0 if the viewer can't see it
	Status *StatusView // the same; nil if Of is 0, and for quotes within a quote
	Nested bool        // quoted by a quoted status; nothing else of it is shown
}

// QuoteLink returns the address of the quoted status, for formats that can't show it. It returns ""
// if the viewer doesn't see it at once or the text contains the link.
func (v *StatusView) QuoteLink() string {
	q := v.Quote.Shown()
	if q == nil || strings.Contains(v.Text, q.URL) {
		return ""
	}
	return q.URL
}

// Shown returns the quoted status if the viewer sees it at once, or nil.
func (q *QuoteView) Shown() *StatusView {
	if q == nil || q.State != QuoteAccepted {
		return nil
	}
	return q.Status
}
