package inbox

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"linnet/internal/kv"
	"linnet/internal/linnet"
	"linnet/internal/record"
	"linnet/internal/store/db"
)

// conversation has the stored state of a conversation that is being changed.
type conversation struct {
	record.Conversation
	owner, id linnet.ID
	version   uint64
	has       bool        // the status is in the conversation
	newest    []linnet.ID // its two newest statuses
	count     int64       // number of the owner's conversations
	oldest    string      // the oldest of them in the list
}

func (c *conversation) key() kv.Key {
	return record.ConversationKey(record.KindConversation, c.owner, c.id)
}

// readConversation reads the data for a change. status can be 0.
func (s *Store) readConversation(ctx context.Context, owner, id, status linnet.ID) (*conversation, error) {
	c := &conversation{owner: owner, id: id}
	get := &kv.Get{Key: c.key()}
	messages := record.ConversationKey(record.KindMessages, owner, id)
	has := &kv.Scores{Key: messages, Members: []string{status.String()}}
	newest := &kv.Range{Key: messages, Desc: true, Limit: 2}
	count := &kv.Counters{Key: record.CountsKey(owner), Names: []string{record.ConversationsCounter}}
	oldest := &kv.Range{Key: record.ConversationsKey(owner), Limit: 1}
	if err := s.db.Read(ctx, get, has, newest, count, oldest); err != nil {
		return nil, fmt.Errorf("read a conversation: %w", err)
	}
	c.version, c.has, c.count = get.Version, has.Found[0], count.Values[0]
	for _, m := range newest.Members {
		last, _ := linnet.ParseID(m.Member)
		c.newest = append(c.newest, last)
	}
	if len(oldest.Members) > 0 {
		c.oldest = oldest.Members[0].Member
	}
	if get.Version == 0 {
		return c, nil
	}
	return c, record.Decode(get, &c.Conversation)
}

// put returns the operations that write a new state of a conversation, with its position in the
// owner's list.
func (c *conversation) put(s *Store, to record.Conversation, ttl time.Duration) []kv.Op {
	// Versions are times, so that none is repeated after a record was deleted.
	version := max(uint64(s.db.Now().UnixMilli()), c.version+1)
	ops := []kv.Op{kv.Put{Key: c.key(), Data: record.Encode(to), Version: version, TTL: ttl}}
	return append(ops, c.list(to.Last)...)
}

// list returns the operations that move a conversation within its owner's list, add or remove it.
func (c *conversation) list(last record.JID) (ops []kv.Op) {
	list := record.ConversationsKey(c.owner)
	if c.Last != 0 && c.Last != last {
		ops = append(ops, kv.Remove{Key: list, Member: record.ListedAs(linnet.ID(c.Last), c.id)})
	}
	if last != 0 && c.Last != last {
		ops = append(ops, kv.Add{Key: list, Member: record.ListedAs(linnet.ID(last), c.id), Score: linnet.ID(last).Millis()})
	}
	if n := db.Step(c.Last != 0, last != 0); n != 0 {
		ops = append(ops, kv.Incr{Key: record.CountsKey(c.owner), Name: record.ConversationsCounter, By: n})
	}
	return ops
}

// drop returns the operations that delete a conversation completely.
func (c *conversation) drop() []kv.Op {
	return append(c.list(0), kv.Delete{Key: c.key()}, kv.Delete{Key: record.ConversationKey(record.KindMessages, c.owner, c.id)})
}

// conversationChange has the parts of a change. Without ops nothing changes.
type conversationChange struct {
	while []kv.Cond // if one doesn't hold, nothing changes, without an error
	conds []kv.Cond
	ops   []kv.Op
}

// errLeft is returned if the owner has deleted the account or no longer takes part.
var errLeft = errors.New("the owner of the conversation has left")

// changeConversation makes a guarded change of one conversation. It reports whether anything
// changed, even if the response was lost.
func (s *Store) changeConversation(ctx context.Context, owner, id, status linnet.ID,
	f func(*conversation) (conversationChange, error)) (changed bool, err error) {
	for range db.MaxRaces {
		c, err := s.readConversation(ctx, owner, id, status)
		if err != nil {
			return false, err
		}
		do, err := f(c)
		if err != nil || len(do.ops) == 0 {
			if db.RetryDurable(&ctx) {
				continue
			}
			return changed, err
		}
		conds := append(do.conds, kv.VersionIs{Key: c.key(), Version: c.version})
		conds = append(conds, db.AllElse(append([]kv.Cond{db.UserPresent(owner)}, do.while...), errLeft)...)
		made, err := s.db.Txn(ctx, conds, do.ops...)
		switch {
		case errors.Is(err, kv.ErrUnknown): // the next attempt reads the result
			changed, ctx = true, kv.Durable(ctx)
		case errors.Is(err, errLeft):
			return false, nil
		case err != nil:
			return false, fmt.Errorf("write a conversation: %w", err)
		case made:
			return true, nil
		}
	}
	return false, db.TooManyRaces("a conversation of", owner)
}

// AddToConversation adds a direct status to a conversation of one participant and reports whether
// it was new. The owner's statuses mark it as read, others as unread. It can run late and more than
// once. An older status doesn't replace a newer one. Only later statuses restore a deleted
// conversation. It does nothing unless the conditions in while hold in the owner's shard.
func (s *Store) AddToConversation(ctx context.Context, owner, id linnet.ID, st *linnet.Status, while ...kv.Cond) (bool, error) {
	return s.changeConversation(ctx, owner, id, st.ID, func(c *conversation) (do conversationChange, err error) {
		if c.has || st.ID <= linnet.ID(c.Deleted) {
			return do, nil
		}
		if c.Last == 0 && c.count >= linnet.MaxConversations {
			if last, _, _ := record.ParseListed(c.oldest); st.ID < last {
				return do, nil // the status would be the first one to be deleted
			}
			do = s.makeRoom(c)
		}
		do.while = while
		to := c.Conversation
		to.Last, to.Deleted = max(c.Last, record.JID(st.ID)), 0
		if st.Author != owner {
			to.Unread = true
		} else if to.Last == record.JID(st.ID) {
			to.Unread = false
		}
		messages := record.ConversationKey(record.KindMessages, owner, id)
		do.ops = append(do.ops, kv.Add{Key: messages, Member: st.ID.String(), Score: st.ID.Millis()})
		if st.ID%messagesTrim == 0 {
			do.ops = append(do.ops, kv.Trim{Key: messages, Keep: linnet.MaxConversation})
		}
		do.ops = append(do.ops, c.put(s, to, 0)...)
		return do, nil
	})
}

// messagesTrim is the average number of statuses after which a conversation is cut to its maximum.
const messagesTrim = 32

// makeRoom deletes the oldest conversation of an owner who has the maximum.
func (s *Store) makeRoom(c *conversation) (do conversationChange) {
	last, id, ok := record.ParseListed(c.oldest)
	if !ok {
		return do
	}
	old := &conversation{owner: c.owner, id: id, Conversation: record.Conversation{Last: record.JID(last)}}
	do.conds = []kv.Cond{kv.HasMember{Key: record.ConversationsKey(c.owner), Member: c.oldest}}
	do.ops = old.drop()
	return do
}

// RemoveFromConversation removes a deleted status from a conversation. The one before becomes the
// newest. A conversation without statuses is deleted. It can run more than once.
func (s *Store) RemoveFromConversation(ctx context.Context, owner, id, status linnet.ID) (bool, error) {
	return s.changeConversation(ctx, owner, id, status, func(c *conversation) (do conversationChange, err error) {
		if !c.has {
			return do, nil
		}
		rest := slices.DeleteFunc(c.newest, func(x linnet.ID) bool { return x == status })
		if len(rest) == 0 {
			do.ops = c.drop()
			return do, nil
		}
		to := c.Conversation
		to.Last = record.JID(rest[0])
		do.ops = append(c.put(s, to, 0), kv.Remove{Key: record.ConversationKey(record.KindMessages, owner, id), Member: status.String()})
		return do, nil
	})
}

// DropConversation deletes a conversation of a user who no longer takes part, completely. It can
// run more than once, and does nothing unless while holds.
func (s *Store) DropConversation(ctx context.Context, owner, id linnet.ID, while ...kv.Cond) (bool, error) {
	return s.changeConversation(ctx, owner, id, 0, func(c *conversation) (do conversationChange, err error) {
		if c.Last != 0 {
			do.while, do.ops = while, c.drop()
		}
		return do, nil
	})
}

// ErrNoConversation is returned if the user doesn't have the conversation.
var ErrNoConversation = errors.New("the conversation does not exist")

// DeleteConversation deletes a user's view of a conversation. Other participants are not affected.
func (s *Store) DeleteConversation(ctx context.Context, owner, id linnet.ID) error {
	tried := false
	_, err := s.changeConversation(ctx, owner, id, 0, func(c *conversation) (do conversationChange, err error) {
		if c.Last == 0 {
			if tried { // the response was lost, or a concurrent request was first
				return do, nil
			}
			return do, ErrNoConversation
		}
		tried = true
		do.ops = append(c.put(s, record.Conversation{Deleted: c.Last}, record.TombstoneMillis*time.Millisecond),
			kv.Delete{Key: record.ConversationKey(record.KindMessages, owner, id)})
		return do, nil
	})
	return err
}

// SetUnread marks a conversation as read or unread and reports whether that is a change.
func (s *Store) SetUnread(ctx context.Context, owner, id linnet.ID, unread bool) (bool, error) {
	return s.changeConversation(ctx, owner, id, 0, func(c *conversation) (do conversationChange, err error) {
		if c.Last == 0 {
			return do, ErrNoConversation
		}
		if c.Unread != unread {
			to := c.Conversation
			to.Unread = unread
			do.ops = c.put(s, to, 0)
		}
		return do, nil
	})
}

// Conversations reads a span of a user's conversations, newest status first. The bounds are
// statuses. It doesn't read whether they are unread.
func (s *Store) Conversations(ctx context.Context, owner linnet.ID, sp db.Span) ([]linnet.Conversation, error) {
	r := sp.Query(record.ConversationsKey(owner))
	if err := s.db.Read(ctx, r); err != nil {
		return nil, fmt.Errorf("read conversations: %w", err)
	}
	out := make([]linnet.Conversation, 0, len(r.Members))
	for _, m := range r.Members {
		if last, id, ok := record.ParseListed(m.Member); ok {
			out = append(out, linnet.Conversation{ID: id, Last: last})
		}
	}
	if sp.Asc {
		slices.Reverse(out)
	}
	return out, nil
}

// Messages reads a span of the statuses of a user's conversation, newest first.
func (s *Store) Messages(ctx context.Context, owner, id linnet.ID, sp db.Span) ([]linnet.ID, error) {
	return s.db.MergeSets(ctx, []kv.Key{record.ConversationKey(record.KindMessages, owner, id)}, sp)
}

// Directs reads a span of the direct statuses of a user and of all that mention the user, newest
// first. It also returns how far it read (see Merged).
func (s *Store) Directs(ctx context.Context, user linnet.ID, sp db.Span) (db.Merged, error) {
	m, err := s.db.MergePosts(ctx, db.ProfileSource, []linnet.ID{user}, sp, sp.Limit, func(p record.Post) bool { return p.Visibility == linnet.Direct })
	if err != nil {
		return m, err
	}
	ids, err := s.Mentions(ctx, user, sp)
	if err != nil {
		return m, err
	}
	if len(ids) == sp.Limit { // there may be others
		if sp.Asc && (m.Ceiling == 0 || ids[0]+1 < m.Ceiling) {
			m.Ceiling = ids[0] + 1
		} else if !sp.Asc {
			m.Floor = max(m.Floor, ids[len(ids)-1]-1)
		}
	}
	for _, id := range ids {
		m.Posts = append(m.Posts, record.Post{ID: id})
	}
	m.Posts = slices.DeleteFunc(m.Posts, func(p record.Post) bool {
		return p.ID <= m.Floor || m.Ceiling != 0 && p.ID >= m.Ceiling
	})
	slices.SortStableFunc(m.Posts, func(a, b record.Post) int { return cmp.Compare(b.ID, a.ID) })
	m.Posts = slices.CompactFunc(m.Posts, func(a, b record.Post) bool { return a.ID == b.ID })
	return m, nil
}

// ForgetConversations deletes at most limit conversations of a deleted user and returns their
// number.
func (s *Store) ForgetConversations(ctx context.Context, user linnet.ID, limit int) (int, error) {
	r := &kv.Range{Key: record.ConversationsKey(user), Limit: limit}
	if err := s.db.Read(ctx, r); err != nil || len(r.Members) == 0 {
		return 0, err
	}
	var ops []kv.Op
	for _, m := range r.Members {
		_, id, _ := record.ParseListed(m.Member)
		ops = append(ops, kv.Delete{Key: record.ConversationKey(record.KindConversation, user, id)}, kv.Delete{Key: record.ConversationKey(record.KindMessages, user, id)},
			kv.Remove{Key: r.Key, Member: m.Member})
	}
	return len(r.Members), s.db.Apply(ctx, ops...)
}
