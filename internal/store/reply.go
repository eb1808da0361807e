package store

import (
	"context"
	"fmt"
	"strings"

	"linnet/internal/kv"
	"linnet/internal/linnet"
)

// closedCounter counts the replies to a status that not everybody may see.
const closedCounter = "closed"

// closedFlags mark entries of replies that not everybody may see (see entry).
var closedFlags = string([]byte{flagPrivate, flagDirect, flagMembers})

// repliesOf names the set and the counter of its parent to which a reply belongs.
func repliesOf(st *linnet.Status) (set kv.Key, counter string) {
	if st.Visibility > linnet.Unlisted || st.ForMembers() {
		return closedKey(st.InReplyTo), closedCounter
	}
	return repliesKey(st.InReplyTo), "replies"
}

// AddReply enters a reply at its parent, with the count; RemoveReply takes it
// out. Both may be repeated. A parent that is gone is left alone.
func (s *Store) AddReply(ctx context.Context, st *linnet.Status) error {
	key, counter := repliesOf(st)
	conds := []kv.Cond{kv.Present{Key: statusKey(st.InReplyTo)}, kv.NoMember{Key: key, Member: entry(st)}}
	if counter == closedCounter { // a former release has entered it among the others
		conds = append(conds, kv.NoMember{Key: repliesKey(st.InReplyTo), Member: entry(st)})
	}
	_, err := s.kv.Txn(ctx, conds,
		kv.Add{Key: key, Member: entry(st), Score: st.ID.Millis()},
		kv.Incr{Key: tallyKey(st.InReplyTo), Name: counter, By: 1})
	return err
}

// RemoveReply takes a reply out of its parent's.
func (s *Store) RemoveReply(ctx context.Context, st *linnet.Status) error {
	key, counter := repliesOf(st)
	if err := s.removeReply(ctx, st, key, counter); err != nil || counter != closedCounter {
		return err
	}
	return s.removeReply(ctx, st, repliesKey(st.InReplyTo), "replies")
}

func (s *Store) removeReply(ctx context.Context, st *linnet.Status, key kv.Key, counter string) error {
	_, err := s.kv.Txn(ctx, []kv.Cond{kv.Present{Key: statusKey(st.InReplyTo)}, kv.HasMember{Key: key, Member: entry(st)}},
		kv.Remove{Key: key, Member: entry(st)},
		kv.Incr{Key: tallyKey(st.InReplyTo), Name: counter, By: -1})
	return err
}

// Replies asks for direct replies to a status, oldest first.
type Replies struct {
	To     linnet.ID
	After  linnet.ID // only later ones; 0: from the first
	Closed bool      // those that not everybody may see, else those that everybody may
	Limit  int       // 1 to MostRead

	Found []linnet.ID // the answer
	Last  linnet.ID   // where to go on; 0 at the end
	Read  int         // entries looked at
}

// Replies answers many questions in one round trip. What a former release has
// entered among the replies that everybody may see, though it is not one, is left
// out.
func (s *Store) Replies(ctx context.Context, asks ...*Replies) error {
	qs := make([]kv.Query, len(asks))
	for i, a := range asks {
		key := repliesKey(a.To)
		if a.Closed {
			key = closedKey(a.To)
		}
		qs[i] = Span{Above: a.After, Asc: true, Limit: a.Limit}.query(key)
	}
	if err := s.kv.Read(ctx, qs...); err != nil {
		return fmt.Errorf("read replies: %w", err)
	}
	for i, a := range asks {
		members := qs[i].(*kv.Range).Members
		a.Read = len(members)
		for _, m := range members {
			id, flags := splitEntry(m.Member)
			if a.Closed || !strings.ContainsAny(flags, closedFlags) {
				a.Found = append(a.Found, id)
			}
			a.Last = id
		}
		if len(members) < a.Limit {
			a.Last = 0
		}
	}
	return nil
}
