package store

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"linnet/internal/kv"
	"linnet/internal/linnet"
	"linnet/internal/task"
)

func promotionKeys() []KeyDoc {
	return []KeyDoc{
		{kTopFeed, "feed", "user", "the promotions of those whom the user follows", "1,000 to 1,100", "suggestion: importance", noSecret()},
		{kPromotions, "set", "user", "promotions of what the user has written or voted for, by time", "none", "suggestion: importance", noSecret()},
		{kPromoted, "set", "status", "the promotions of a status, by level", "a level each", "suggestion: importance", noSecret()},
	}
}

// TopKey is the feed of promotions of a user.
func TopKey(user linnet.ID) kv.Key { return idKey(kTopFeed, user) }

// TopKeys are the feeds of promotions of users (see HomeKeys).
func TopKeys(users []linnet.ID, texts []string) []kv.Key { return idKeys(kTopFeed, users, texts) }

// PromotionShelf holds the promotions of what a user has written or voted for.
func PromotionShelf(user linnet.ID) Key { return idKey(kPromotions, user) }

func promotedKey(status linnet.ID) kv.Key { return idKey(kPromoted, status) }

// topLogins are the logins that the server's account takes, the first that is
// free: an installation may be older than the account.
func topLogins() []string { return []string{"top", "top_list", "linnet_top"} }

// MakeTop makes the account that promotes: a user record without secrets, who is
// neither listed nor counted nor found by name. It may be repeated.
func (s *Store) MakeTop(ctx context.Context, u linnet.User) error {
	u.ID, u.Version = linnet.TopAccount, 1
	for _, u.Login = range topLogins() {
		if _, err := s.kv.Txn(ctx, []kv.Cond{kv.Absent(loginKey(u.Login))},
			kv.Put{Key: loginKey(u.Login), Data: encode(loginRecord{User: jid(u.ID)}), Version: 1}); err != nil {
			return fmt.Errorf("claim login: %w", err)
		}
		owner, err := s.UserByLogin(ctx, u.Login)
		if err != nil {
			return err
		}
		if owner == u.ID {
			_, err = s.kv.Txn(ctx, []kv.Cond{kv.Absent(userKey(u.ID))}, kv.Put{Key: userKey(u.ID), Data: encodeUser(&u, false), Version: 1})
			return err
		}
	}
	return fmt.Errorf("the logins %q belong to people", topLogins())
}

// Standing is a status as it stands for a promotion.
type Standing struct {
	Status *linnet.Status // nil: gone
	Author *linnet.User   // nil: gone
	Votes  linnet.Votes   // without those of the author and the group
	Voters []linnet.ID    // the latest of these who have voted, the last of them first
	before []Post         // what the author had posted before
}

// beforeMost is how many entries of a profile are looked at for an author's usual
// score: some of them are no statuses of their own.
const beforeMost = 100

// Standing reads what decides on the promotion of a status, in one round trip and
// past all caches. Neither its author has a vote nor the group in which it is posted
// (0: none), which reposts everything.
func (s *Store) Standing(ctx context.Context, id, author, group linnet.ID) (st Standing, err error) {
	get, user, tally := &kv.Get{Key: statusKey(id)}, &kv.Get{Key: userKey(author)}, &kv.Counters{Key: tallyKey(id), Names: statusCounts[:]}
	qs := []kv.Query{get, user, tally}
	var voters []*kv.Range
	var own []*kv.Scores
	for _, k := range []EdgeKind{Favourites(), Reposts()} {
		v, o := &kv.Range{Key: k.CopyKey(id), Desc: true, Limit: linnet.MaxPromoters + 2}, &kv.Scores{Key: k.CopyKey(id), Members: idStrings([]linnet.ID{author, group})}
		voters, own = append(voters, v), append(own, o)
		qs = append(qs, v, o)
	}
	before := PostsRef{author, (Span{Below: id, Limit: beforeMost}).query(postsKey(author))}
	if err := s.kv.Read(ctx, append(qs, before.r)...); err != nil {
		return st, fmt.Errorf("read standing: %w", err)
	}
	if get.Version == 0 || user.Version == 0 {
		return st, nil
	}
	if st.Status, err = decodeStatus(id, get); err != nil {
		return st, err
	}
	if st.Author, _, err = decodeUser(author, user); err != nil {
		return st, err
	}
	st.Votes = linnet.Votes{Replies: tally.Values[0], Reposts: tally.Values[1] - count(own[1].Found...), Favourites: tally.Values[2] - count(own[0].Found...)}
	st.Voters, st.before = latest(append(voters[0].Members, voters[1].Members...), author, group), before.Posts()
	return st, nil
}

func count(found ...bool) (n int64) {
	for _, f := range found {
		if f {
			n++
		}
	}
	return n
}

// latest are the last of those who voted, each once and without some.
func latest(votes []kv.Member, but ...linnet.ID) []linnet.ID {
	slices.SortFunc(votes, func(a, b kv.Member) int { return b.Compare(a) })
	var out []linnet.ID
	for _, m := range votes {
		id, _ := splitEntry(m.Member)
		if len(out) < linnet.MaxPromoters && !slices.Contains(but, id) && !slices.Contains(out, id) {
			out = append(out, id)
		}
	}
	return out
}

// UsualVotes reads the votes for the statuses of their own that the author had
// posted before, the newest linnet.UsualOf that could have been promoted.
func (s *Store) UsualVotes(ctx context.Context, st Standing) ([]linnet.Votes, error) {
	var qs []kv.Query
	for _, p := range st.before {
		if !p.Repost && !p.Reply && p.Visibility <= linnet.Unlisted && len(qs) < linnet.UsualOf {
			qs = append(qs, &kv.Counters{Key: tallyKey(p.ID), Names: statusCounts[:]})
		}
	}
	if len(qs) == 0 {
		return nil, nil
	}
	if err := s.kv.Read(ctx, qs...); err != nil {
		return nil, fmt.Errorf("read usual votes: %w", err)
	}
	out := make([]linnet.Votes, len(qs))
	for i, q := range qs {
		v := q.(*kv.Counters).Values
		out[i] = linnet.Votes{Replies: max(v[0], 0), Reposts: max(v[1], 0), Favourites: max(v[2], 0)}
	}
	return out, nil
}

// Promote notes that a status has passed a level, and how high the next one is. If
// by is not nil the promotion is written with it: a repost by linnet.TopAccount
// in the author's shard, whose id is drawn here, with the task that carries it
// out. All is one transaction, guarded by the version of the status as read, so
// that each level is passed once. It reports false if the status, or its author,
// is no longer as read.
func (s *Store) Promote(ctx context.Context, st *linnet.Status, level int, bar int64, by *linnet.Status,
	carry func(linnet.ID) (task.Task, error)) (t task.Task, ok bool, err error) {
	next := *st
	next.Level, next.Bar, next.Version = level, bar, st.Version+1
	conds := []kv.Cond{kv.VersionIs{Key: statusKey(st.ID), Version: st.Version}, UserPresent(st.Author)}
	ops := []kv.Op{kv.Put{Key: statusKey(st.ID), Data: encodeStatus(&next), Version: next.Version}}
	for range maxRaces {
		conds, ops := slices.Clone(conds), slices.Clone(ops)
		if by != nil {
			by.ID = s.NewID(st.ID.Shard(), st.ID)
			by.Conversation = by.ID
			if t, err = carry(by.ID); err != nil {
				return t, false, err
			}
			conds = append(conds, kv.Absent(statusKey(by.ID)))
			ops = append(append(ops, promotionOps(by)...), t.Ops()...)
		}
		failed, err := s.kv.Txn(ctx, conds, ops...)
		if err != nil {
			return t, false, fmt.Errorf("promote: %w", err)
		}
		if failed != 2 {
			return t, failed < 0, nil
		}
	}
	return t, false, errRaces("id of a promotion of", st.ID)
}

func promotionOps(p *linnet.Status) []kv.Op {
	return []kv.Op{
		kv.Put{Key: statusKey(p.ID), Data: encodeStatus(p), Version: 1},
		kv.Add{Key: promotedKey(p.RepostOf), Member: p.ID.String(), Score: int64(p.Level)},
		kv.Add{Key: PromotionShelf(p.RepostAuthor), Member: p.ID.String(), Score: p.ID.Millis()},
	}
}

// Shelve puts a promotion on the shelf of one who voted, if they exist.
func (s *Store) Shelve(ctx context.Context, promotion, user linnet.ID) error {
	_, err := s.kv.Txn(ctx, []kv.Cond{UserPresent(user)},
		kv.Add{Key: PromotionShelf(user), Member: promotion.String(), Score: promotion.Millis()})
	return err
}

// Unshelve takes a promotion from some shelves.
func (s *Store) Unshelve(ctx context.Context, promotion linnet.ID, users ...linnet.ID) error {
	ops := make([]kv.Op, len(users))
	for i, u := range users {
		ops[i] = kv.Remove{Key: PromotionShelf(u), Member: promotion.String()}
	}
	return s.kv.Apply(ctx, ops...)
}

// PromotionsOf are the ids of the promotions of a status, that of the lowest level
// first.
func (s *Store) PromotionsOf(ctx context.Context, status linnet.ID) ([]linnet.ID, error) {
	return s.All(ctx, promotedKey(status), kv.MaxRange)
}

// Unpromote removes a promotion of a status that is gone, with the task that takes
// it back. It reports false if it was gone already.
func (s *Store) Unpromote(ctx context.Context, p *linnet.Status, t task.Task) (bool, error) {
	ops := append(t.Ops(), kv.Delete{Key: statusKey(p.ID)}, kv.Remove{Key: promotedKey(p.RepostOf), Member: p.ID.String()},
		kv.Remove{Key: PromotionShelf(p.RepostAuthor), Member: p.ID.String()})
	failed, err := s.kv.Txn(ctx, []kv.Cond{kv.Present{Key: statusKey(p.ID)}}, ops...)
	if errors.Is(err, kv.ErrUnknown) {
		failed, err = s.deleted(ctx, p.ID)
	}
	if err != nil {
		return false, fmt.Errorf("take promotion back: %w", err)
	}
	return failed < 0, nil
}
