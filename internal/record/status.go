package record

import (
	"linnet/internal/kv"
	"linnet/internal/linnet"
)

type Idem struct {
	Status JID `json:"status"`
}

func IdemKey(author linnet.ID, hash string) kv.Key {
	return kv.Key{Kind: KindIdem, Shard: author.Shard(), ID: author.String() + "." + hash}
}

// ClosedCounter counts the replies to a status that not everybody may see.
const ClosedCounter = "closed"

// RepliesKey is the set of the direct replies to a status that everybody may see, and
// ClosedRepliesKey that of the others. They lie apart so that nobody can hide what is
// public among what is not.
func RepliesKey(status linnet.ID) kv.Key { return IDKey(KindReplies, status) }

// ClosedRepliesKey: see RepliesKey.
func ClosedRepliesKey(status linnet.ID) kv.Key { return IDKey(KindClosed, status) }

// The kinds of key of who quotes a status.
const (
	KindQuotes       = "quotes"
	KindClosedQuotes = "closedquotes"
)

// QuotesCounter counts the quotes of a status that everybody may see.
const QuotesCounter = "quotes"

func quoteKeys() []KeyDoc {
	return []KeyDoc{
		{KindQuotes, "set", "status", "statuses that quote it and that everybody may see, by time", "none", "", noSecret()},
		{KindClosedQuotes, "set", "status", "statuses that quote it and that not everybody may see, by time", "none", "", noSecret()},
	}
}

// QuotesKey is the set of the quotes of a status that everybody may see, and
// ClosedQuotesKey that of the others, as with replies.
func QuotesKey(status linnet.ID) kv.Key { return IDKey(KindQuotes, status) }

// ClosedQuotesKey: see QuotesKey.
func ClosedQuotesKey(status linnet.ID) kv.Key { return IDKey(KindClosedQuotes, status) }

// quoters is a policy as records of statuses have it: nothing stands for nobody, as in
// those of earlier releases.
func quoters(p linnet.QuotePolicy) uint8 {
	return uint8(linnet.QuoteNobody - min(p, linnet.QuoteNobody))
}

// quotersOf is the policy of a status; of a repost nothing is kept.
func quotersOf(st *linnet.Status) uint8 {
	if st.RepostOf != 0 {
		return 0
	}
	return quoters(st.QuotePolicy)
}

// policyOf reads what quoters makes.
func policyOf(quoters uint8) linnet.QuotePolicy {
	return linnet.QuoteNobody - min(linnet.QuotePolicy(quoters), linnet.QuoteNobody)
}
