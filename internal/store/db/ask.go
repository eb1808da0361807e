package db

import (
	"context"
	"errors"
	"slices"

	"linnet/internal/kv"
	"linnet/internal/linnet"
	"linnet/internal/record"
)

// Conversation reads one of a user's conversations. After Run the result has no id if it does not
// exist.
func (b *Batch) Conversation(owner, id linnet.ID) *linnet.Conversation {
	c := &linnet.Conversation{}
	get := &kv.Get{Key: record.ConversationKey(record.KindConversation, owner, id)}
	b.ask(get, func() error {
		var r record.Conversation
		if get.Version == 0 {
			return nil
		}
		if err := record.Decode(get, &r); err != nil || r.Last == 0 {
			return err
		}
		*c = linnet.Conversation{ID: id, Unread: r.Unread, Last: linnet.ID(r.Last)}
		return nil
	})
	return c
}

// MessagesRef refers to statuses of a conversation, after Run.
type MessagesRef struct{ r *kv.Range }

// Messages reads the newest statuses of a user's conversation.
func (b *Batch) Messages(owner, id linnet.ID, limit int) MessagesRef {
	r := &kv.Range{Key: record.ConversationKey(record.KindMessages, owner, id), Desc: true, Limit: limit}
	b.ask(r, nil)
	return MessagesRef{r}
}

// IDs returns the statuses, newest first. Without a query there are none.
func (m MessagesRef) IDs() (out []linnet.ID) {
	if m.r == nil {
		return nil
	}
	for _, x := range m.r.Members {
		if id, ok := linnet.ParseID(x.Member); ok {
			out = append(out, id)
		}
	}
	return out
}

// Exclusive reads the lists of a user whose members are not shown at home. The slice is filled by
// Run.
func (b *Batch) Exclusive(user linnet.ID) *[]linnet.ID {
	var ids []linnet.ID
	r := &kv.Range{Key: record.ExclusiveKey(user), Limit: linnet.MaxLists}
	b.ask(r, func() error {
		for _, m := range r.Members {
			id, _ := record.SplitEntry(m.Member)
			ids = append(ids, id)
		}
		return nil
	})
	return &ids
}

// InPrivateSet reads which of ids are in a private set.
func (b *Batch) InPrivateSet(k record.PrivateSet, user linnet.ID, ids []linnet.ID) *Membership {
	return b.has(k.Key(user), ids)
}

// Secret reads a user's secrets. The result is filled by Run.
func (b *Batch) Secret(id linnet.ID) *record.Secret {
	sec, get := &record.Secret{}, &kv.Get{Key: record.SecretKey(id)}
	b.ask(get, func() error {
		if sec.Version = get.Version; get.Version == 0 {
			return nil
		}
		return record.Decode(get, sec)
	})
	return sec
}

// Note reads a user's private note about an account. The string is filled by Run.
func (b *Batch) Note(user, about linnet.ID) *string {
	var text string
	get := &kv.Get{Key: record.NoteKey(user, about)}
	b.ask(get, func() error {
		text = string(get.Data)
		return nil
	})
	return &text
}

// While a status is pushed to a thousand feeds, a reader may unfollow its author, or the status may
// be deleted. The other side of a relation counts how often one was ended. This number only rises,
// so one read shows such changes without a thousand queries.

// Owners are some owners of relations to an account, as of one time.
type Owners struct {
	IDs     []linnet.ID
	Texts   []string  // the ids in decimal
	Next    kv.Member // where the next ones begin
	Endings int64     // number of ended relations, read no later than the owners
}

// endings reads how often relations to an account were ended, of all kinds, once per batch. It
// joins other counts of the same account, if those are read too.
func (b *Batch) endings(other linnet.ID) *kv.Counters {
	key := record.CountsKey(other)
	for _, q := range b.qs {
		c, ok := q.(*kv.Counters)
		if !ok || c.Key != key {
			continue
		}
		if !slices.Contains(c.Names, record.Endings()[0]) {
			c.Names = slices.Concat(c.Names, record.Endings())
		}
		return c
	}
	q := &kv.Counters{Key: key, Names: record.Endings()}
	b.ask(q, nil)
	return q
}

// endingsIn returns the results of endings in the order of record.Endings.
func endingsIn(q *kv.Counters) []int64 {
	at := slices.Index(q.Names, record.Endings()[0])
	return q.Values[at : at+len(record.Endings())]
}

// Owners reads the next owners of relations to other (see After).
func (b *Batch) Owners(kind record.RelationKind, other linnet.ID, from kv.Member, limit int) *Owners {
	o := &Owners{Next: from}
	if name := kind.Endings(); name != "" { // first, so that relations that end between the two reads are noticed
		ended := b.endings(other)
		b.after = append(b.after, func() error {
			o.Endings = ended.Values[slices.Index(ended.Names, name)]
			return nil
		})
	}
	r := &kv.Range{Key: kind.CopyKey(other), Limit: limit}
	if from.Member != "" {
		above := from // so that only this copy escapes to the heap
		r.Above = &above
	}
	b.ask(r, func() error {
		o.IDs, o.Texts = make([]linnet.ID, len(r.Members)), make([]string, len(r.Members))
		for i, m := range r.Members {
			o.IDs[i], _ = linnet.ParseID(m.Member)
			o.Texts[i], o.Next = m.Member, m
		}
		return nil
	})
	return o
}

// Policy reads the notification policy of a user. The result is filled by Run.
func (b *Batch) Policy(user linnet.ID) *linnet.NotificationPolicy {
	p := new(linnet.NotificationPolicy)
	c, epoch := b.s.cache, b.s.cache.epoch(user)
	if cached, ok := c.policies.Get(user); ok && c.alive.Load() {
		*p = cached
		return p
	}
	get := &kv.Get{Key: record.PolicyKey(user)}
	b.ask(get, func() (err error) {
		if *p, err = record.DecodePolicy(get); err == nil {
			c.store(user, epoch, func() { c.policies.Set(user, *p) })
		}
		return err
	})
	return p
}

// Order reads an order. Its Version is 0 after Run if it does not exist.
func (b *Batch) Order(key kv.Key) *record.RankOrder {
	o := &record.RankOrder{}
	get := &kv.Get{Key: key}
	b.ask(get, func() error {
		if get.Version == 0 {
			return nil
		}
		var r record.Rank
		if err := record.Decode(get, &r); err != nil {
			return err
		}
		made, err := r.Order(get.Version)
		*o = made
		return err
	})
	return o
}

// UserNow reads a user's current record past the caches, or nil if there is none. The caches of a
// process that shares its engine lag behind, which is too late for changes that must take effect
// once acknowledged.
func (s *DB) UserNow(ctx context.Context, id linnet.ID) (*linnet.User, error) {
	b := s.Batch()
	u := b.UserNow(id)
	err := b.Run(ctx)
	return u(), err
}

// UserNow is DB.UserNow in a batch. Call the result after Run.
func (b *Batch) UserNow(id linnet.ID) func() *linnet.User {
	if !b.s.opt.Shared {
		ref := b.User(id)
		return func() *linnet.User { return ref.User }
	}
	var user *linnet.User
	get := &kv.Get{Key: record.UserKey(id)}
	b.ask(get, func() error {
		if get.Version == 0 {
			return nil
		}
		u, born, err := record.DecodeUser(id, get)
		if err == nil && born {
			user = u
		}
		return err
	})
	return func() *linnet.User { return user }
}

// RequestsTo reads the number of follow requests for a user.
func (b *Batch) RequestsTo(user linnet.ID) *int64 {
	n := new(int64)
	q := &kv.Counters{Key: record.CountsKey(user), Names: []string{record.Requests().OtherCounter}}
	b.ask(q, func() error {
		*n = max(q.Values[0], 0)
		return nil
	})
	return n
}

// Idempotent returns the status that author posted with a key (its hash), or 0.
func (b *Batch) Idempotent(author linnet.ID, hash string) *linnet.ID {
	var id linnet.ID
	if hash == "" {
		return &id
	}
	get := &kv.Get{Key: record.IdemKey(author, hash)}
	b.ask(get, func() error {
		if get.Version == 0 {
			return nil
		}
		var r record.Idem
		err := record.Decode(get, &r)
		id = linnet.ID(r.Status)
		return err
	})
	return &id
}

// ErrDeleted means that the author no longer exists.
var ErrDeleted = errors.New("the author was deleted")

// Counted reports whether a status is in its author's count. Direct ones are not, because they are
// private.
func Counted(st *linnet.Status) bool { return st.Visibility != linnet.Direct }
