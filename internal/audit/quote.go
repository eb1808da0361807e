package audit

import (
	"fmt"

	"linnet/internal/kv"
	"linnet/internal/linnet"
	"linnet/internal/record"
	"linnet/internal/store/statuses"
)

// isQuote checks that a quoting status is in the quotes of the quoted one, unless the quote was
// revoked. Only a quoting status can be revoked.
func (x *auditing) isQuote(st *linnet.Status) {
	key := record.StatusKey(st.ID)
	if st.QuoteOf == 0 && (st.QuoteRevoked || st.QuoteAuthor != 0) || st.QuoteOf != 0 && st.QuoteOf.Shard() != st.QuoteAuthor.Shard() {
		x.found(RuleRecord, key, fmt.Sprintf("it quotes %v by %v", st.QuoteOf, st.QuoteAuthor))
		return
	}
	if !st.Quoting() {
		return
	}
	set, _ := statuses.QuotesOf(st)
	original := &kv.Get{Key: record.StatusKey(st.QuoteOf)}
	q := &kv.Scores{Key: set, Members: []string{st.ID.String()}}
	x.ask(func() {
		if original.Version != 0 && !q.Found[0] {
			x.found(RuleIndex, key, fmt.Sprintf("it is not in %v", set), record.StatusAffair(st.ID))
		}
	}, original, q)
}

// checkQuotes checks that each entry quotes the status, and is counted if it is public.
func checkQuotes(x *auditing, key kv.Key) {
	id, ok := x.keyID(key)
	if !ok {
		return
	}
	x.withStatus(id, func(st *linnet.Status) {
		if st == nil {
			x.found(RuleOrphan, key, "there is no such status", record.StatusAffair(id))
			return
		}
		x.each(key, func(m kv.Member) { x.quote(key, id, m) }, func(w whole) {
			if key == record.QuotesKey(id) {
				x.sized(w, record.TallyKey(id), record.QuotesCounter)
			}
		})
	})
}

func (x *auditing) quote(key kv.Key, of linnet.ID, m kv.Member) {
	id, ok := linnet.ParseID(m.Member)
	if !ok || m.Score != id.Millis() {
		x.found(RuleRecord, key, fmt.Sprintf("%q at %d is not a status", m.Member, m.Score))
		return
	}
	x.withStatus(id, func(st *linnet.Status) {
		if st == nil {
			x.found(RuleDeleted, key, fmt.Sprintf("quote %q does not exist", m.Member), record.StatusAffair(id))
			return
		}
		set, _ := statuses.QuotesOf(st)
		switch {
		case st.QuoteOf != of:
			x.found(RuleIndex, key, fmt.Sprintf("status %v does not quote this one", id))
		case st.QuoteRevoked:
			x.found(RuleIndex, key, fmt.Sprintf("quote %v was revoked", id), record.StatusAffair(id))
		case set != key:
			x.found(RulePrivate, key, fmt.Sprintf("quote %v belongs in %v", id, set))
		}
	})
}
