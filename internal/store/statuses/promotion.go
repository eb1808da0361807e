package statuses

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"linnet/internal/kv"
	"linnet/internal/linnet"
	"linnet/internal/record"
	"linnet/internal/store/db"
	"linnet/internal/task"
)

// PromotionData is the data for deciding on the promotion of a status.
type PromotionData struct {
	Status *linnet.Status // nil if deleted
	Author *linnet.User   // nil if deleted
	Votes  linnet.Votes   // without the author and the group
	Voters []linnet.ID    // the latest voters, newest first
	// Earlier are the existing promotions: one, or one for each level from an older release.
	Earlier []linnet.ID

	favourites, reposts []kv.Member // the latest ones, without the author and the group
}

// Count removes votes that do not count, and all replies, because their authors were not read.
func (st *PromotionData) Count(counts func(linnet.ID) bool) {
	st.Votes.Replies = 0
	st.Votes.Favourites, st.favourites = votesThat(st.Votes.Favourites, st.favourites, counts)
	st.Votes.Reposts, st.reposts = votesThat(st.Votes.Reposts, st.reposts, counts)
	st.Voters = latest(slices.Concat(st.favourites, st.reposts))
}

// votesThat returns the number of votes that count. It is exact if all were read, and otherwise
// estimated from their share.
func votesThat(all int64, votes []kv.Member, counts func(linnet.ID) bool) (int64, []kv.Member) {
	looked := int64(len(votes))
	counted := slices.DeleteFunc(slices.Clone(votes), func(m kv.Member) bool {
		id, _ := record.SplitEntry(m.Member)
		return !counts(id)
	})
	if looked < linnet.MaxVoters {
		return min(int64(len(counted)), max(all, 0)), counted
	}
	return all * int64(len(counted)) / looked, counted
}

// PromotionData reads the data for the promotion of a status, in one round trip and past the
// caches. Votes by its author, and by the group in which it is posted (0: none), which reposts
// everything, do not count.
func (s *Store) PromotionData(ctx context.Context, id, author, group linnet.ID) (st PromotionData, err error) {
	get, user, tally := &kv.Get{Key: record.StatusKey(id)}, &kv.Get{Key: record.UserKey(author)}, &kv.Counters{Key: record.TallyKey(id), Names: record.StatusCounts()}
	qs := []kv.Query{get, user, tally}
	var voters []*kv.Range
	var own []*kv.Scores
	for _, k := range []record.RelationKind{record.Favourites(), record.Reposts()} {
		v, o := &kv.Range{Key: k.CopyKey(id), Desc: true, Limit: linnet.MaxVoters + 2}, &kv.Scores{Key: k.CopyKey(id), Members: db.IDStrings([]linnet.ID{author, group})}
		voters, own = append(voters, v), append(own, o)
		qs = append(qs, v, o)
	}
	earlier := &kv.Range{Key: record.PromotedKey(id), Limit: kv.MaxRange}
	if err := s.db.Read(ctx, append(qs, earlier)...); err != nil {
		return st, fmt.Errorf("read a status and its promotions: %w", err)
	}
	if get.Version == 0 || user.Version == 0 {
		return st, nil
	}
	if st.Status, err = record.DecodeStatus(id, get); err != nil {
		return st, err
	}
	if st.Author, _, err = record.DecodeUser(author, user); err != nil {
		return st, err
	}
	st.Votes = linnet.Votes{Replies: tally.Values[0], Reposts: tally.Values[1] - count(own[1].Found...), Favourites: tally.Values[2] - count(own[0].Found...)}
	st.favourites, st.reposts = votesBut(voters[0].Members, author, group), votesBut(voters[1].Members, author, group)
	st.Voters = latest(slices.Concat(st.favourites, st.reposts))
	for _, m := range earlier.Members {
		p, _ := linnet.ParseID(m.Member)
		st.Earlier = append(st.Earlier, p)
	}
	return st, nil
}

// votesBut returns the latest votes, except from some users.
func votesBut(votes []kv.Member, but ...linnet.ID) []kv.Member {
	votes = slices.DeleteFunc(votes, func(m kv.Member) bool {
		id, _ := record.SplitEntry(m.Member)
		return slices.Contains(but, id)
	})
	return votes[:min(len(votes), linnet.MaxVoters)]
}

// AllVoters returns the users of the latest votes, including those whose followers get no
// promotion.
func (st *PromotionData) AllVoters() []linnet.ID {
	var out []linnet.ID
	for _, m := range slices.Concat(st.favourites, st.reposts) {
		id, _ := record.SplitEntry(m.Member)
		out = append(out, id)
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// Favourited reports whether a user's favourite is among the latest votes.
func (st *PromotionData) Favourited(user linnet.ID) bool {
	return slices.ContainsFunc(st.favourites, func(m kv.Member) bool {
		id, _ := record.SplitEntry(m.Member)
		return id == user
	})
}

func count(found ...bool) (n int64) {
	for _, f := range found {
		if f {
			n++
		}
	}
	return n
}

// latest returns the latest voters without repeats.
func latest(votes []kv.Member) []linnet.ID {
	slices.SortFunc(votes, func(a, b kv.Member) int { return b.Compare(a) })
	var out []linnet.ID
	for _, m := range votes {
		id, _ := record.SplitEntry(m.Member)
		if len(out) < linnet.MaxPromoters && !slices.Contains(out, id) {
			out = append(out, id)
		}
	}
	return out
}

// supportReads limits the accounts that are read in one step of searching supporters. Accounts
// beyond it have none.
const supportReads = 1000

// Supported returns the voters that have enough supporters, see linnet.Followers.Supported. It
// takes at most linnet.SupportSteps round trips.
func (s *Store) Supported(ctx context.Context, voters []linnet.ID, but ...linnet.ID) (map[linnet.ID]bool, error) {
	known, out := linnet.Followers{}, map[linnet.ID]bool{}
	ask := voters
	for range linnet.SupportSteps {
		ask = ask[:min(len(ask), supportReads)]
		qs := make([]kv.Query, len(ask))
		for i, id := range ask {
			qs[i] = &kv.Range{Key: record.Follows().CopyKey(id), Limit: linnet.SupportRead}
		}
		if len(qs) == 0 {
			break
		}
		if err := s.db.Read(ctx, qs...); err != nil {
			return nil, fmt.Errorf("read followers of voters: %w", err)
		}
		for i, q := range qs {
			known[ask[i]] = []linnet.ID{}
			for _, m := range q.(*kv.Range).Members {
				id, _ := linnet.ParseID(m.Member)
				known[ask[i]] = append(known[ask[i]], id)
			}
		}
		ask = nil
		for _, v := range voters {
			if out[v] = out[v] || known.Supported(v, but...); out[v] {
				continue
			}
			for _, id := range known.Behind(v, linnet.SupportPeople*linnet.SupportSteps, but...) {
				if known[id] == nil {
					ask = append(ask, id)
				}
			}
		}
		slices.Sort(ask)
		ask = slices.Compact(ask)
	}
	return out, nil
}

// SampleVotes reads the votes for the latest public statuses before a time, at most
// linnet.SampleMost.
func (s *Store) SampleVotes(ctx context.Context, before time.Time) ([]linnet.Votes, error) {
	ids, err := s.Global(ctx, db.Span{Below: linnet.MakeID(before, 0, 0), Limit: linnet.SampleMost})
	if err != nil || len(ids) == 0 {
		return nil, err
	}
	qs := make([]kv.Query, len(ids))
	for i, id := range ids {
		qs[i] = &kv.Counters{Key: record.TallyKey(id), Names: record.StatusCounts()}
	}
	if err := s.db.Read(ctx, qs...); err != nil {
		return nil, fmt.Errorf("read vote counts: %w", err)
	}
	out := make([]linnet.Votes, len(qs))
	for i, q := range qs {
		v := q.(*kv.Counters).Values
		out[i] = linnet.Votes{Replies: max(v[0], 0), Reposts: max(v[1], 0), Favourites: max(v[2], 0)}
	}
	return out, nil
}

// Promoting is the change after a status has reached a level.
type Promoting struct {
	Level   int
	Bar     int64            // the score of the next level
	By      *linnet.Status   // the promotion, whose id is generated when it is stored; nil for none
	Instead []*linnet.Status // the promotions that it replaces
	// Carry returns the tasks that deliver a promotion and remove others.
	Carry func(by linnet.ID) ([]task.Task, error)
}

// Promote records that a status has reached a level, and the score of the next one. If By is not
// nil, it stores the promotion, a repost by linnet.TopAccount in the author's shard, and deletes
// the ones that it replaces. All changes and the tasks are in one transaction, guarded by the
// version of the status. So each level counts once, and there is one promotion. It returns false if
// the status or its author has changed.
func (s *Store) Promote(ctx context.Context, st *linnet.Status, p Promoting) (ts []task.Task, ok bool, err error) {
	next := *st
	next.Level, next.Bar, next.Version = p.Level, p.Bar, st.Version+1
	conds := []kv.Cond{kv.VersionIs{Key: record.StatusKey(st.ID), Version: st.Version}, db.UserPresent(st.Author)}
	ops := []kv.Op{kv.Put{Key: record.StatusKey(st.ID), Data: record.EncodeStatus(&next), Version: next.Version}}
	for _, old := range p.Instead {
		ops = append(ops, unpromotionOps(old)...)
	}
	for range db.MaxRaces {
		conds, ops := slices.Clone(conds), slices.Clone(ops)
		if by := p.By; by != nil {
			by.ID = s.db.NewID(st.ID.Shard(), st.ID)
			by.Conversation = by.ID
			if ts, err = p.Carry(by.ID); err != nil {
				return nil, false, err
			}
			conds = append(conds, db.Else(kv.Absent(record.StatusKey(by.ID)), db.ErrRace))
			ops = append(ops, kv.Put{Key: record.StatusKey(by.ID), Data: record.EncodeStatus(by), Version: 1},
				kv.Add{Key: record.PromotedKey(by.RepostOf), Member: by.ID.String(), Score: int64(by.Level)},
				kv.Add{Key: record.PromotionSource(by.RepostAuthor), Member: by.ID.String(), Score: by.ID.Millis()})
			for _, t := range ts {
				ops = append(ops, t.Ops()...)
			}
		}
		made, err := s.db.Txn(ctx, conds, ops...)
		if errors.Is(err, db.ErrRace) {
			continue // the id is in use
		}
		if err != nil {
			return nil, false, fmt.Errorf("write a promotion: %w", err)
		}
		return ts, made, nil
	}
	return nil, false, db.TooManyRaces("id of a promotion of", st.ID)
}

func unpromotionOps(p *linnet.Status) []kv.Op {
	return []kv.Op{
		kv.Delete{Key: record.StatusKey(p.ID)},
		kv.Remove{Key: record.PromotedKey(p.RepostOf), Member: p.ID.String()},
		kv.Remove{Key: record.PromotionSource(p.RepostAuthor), Member: p.ID.String()},
	}
}

// AddPromotion adds a promotion to the source of a voter, if both exist.
func (s *Store) AddPromotion(ctx context.Context, promotion, user linnet.ID) error {
	_, err := s.db.Txn(ctx, []kv.Cond{db.UserPresent(user)},
		kv.Add{Key: record.PromotionSource(user), Member: promotion.String(), Score: promotion.Millis()})
	return err
}

// RemovePromotion removes a promotion from some sources.
func (s *Store) RemovePromotion(ctx context.Context, promotion linnet.ID, users ...linnet.ID) error {
	ops := make([]kv.Op, len(users))
	for i, u := range users {
		ops[i] = kv.Remove{Key: record.PromotionSource(u), Member: promotion.String()}
	}
	return s.db.Apply(ctx, ops...)
}

// PromotionsOf returns the ids of the promotions of a status, the lowest level first.
func (s *Store) PromotionsOf(ctx context.Context, status linnet.ID) ([]linnet.ID, error) {
	return s.db.All(ctx, record.PromotedKey(status), kv.MaxRange)
}

// Unpromote deletes a promotion of a deleted status, with the task that undoes it. It returns false
// if it was deleted already.
func (s *Store) Unpromote(ctx context.Context, p *linnet.Status, t task.Task) (bool, error) {
	made, err := s.db.Txn(ctx, []kv.Cond{kv.Present{Key: record.StatusKey(p.ID)}}, append(t.Ops(), unpromotionOps(p)...)...)
	if errors.Is(err, kv.ErrUnknown) {
		made, err = s.deleted(ctx, p.ID)
	}
	if err != nil {
		return false, fmt.Errorf("remove a promotion: %w", err)
	}
	return made, nil
}
