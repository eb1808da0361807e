package store_test

import (
	"fmt"
	"testing"
	"time"

	"linnet/internal/kv"
	"linnet/internal/linnet"
	"linnet/internal/record"
	"linnet/internal/store/accounts"
	"linnet/internal/store/db"
	"linnet/internal/store/feeds"
	"linnet/internal/store/relations"
	"linnet/internal/store/statuses"
)

// TestFurtherRecords is TestRecords for changes that use several packages.
func TestFurtherRecords(t *testing.T) {
	for name, steps := range map[string]func(*stage) []step{
		"sign-up by invitation": invitedSteps, "promotions": promotionSteps, "what is read at once": relationshipReads,
		"pages of a set": pageSteps, "ended meanwhile": overtakenSteps, "the account that promotes": topSteps,
		"passwords and names": passwordSteps, "pulled authors": pulledSteps,
	} {
		t.Run(name, func(t *testing.T) {
			s := newStage(t)
			s.try(steps(s))
		})
	}
}

// invitedSteps checks that an invitation has a limited number of uses, and that a failed sign-up
// returns its use.
func invitedSteps(s *stage) []step {
	s.Helper()
	must(s.Accounts.CreateInvite(s.ctx, linnet.Invite{Code: "code", Most: 1, Created: s.Now()}))(s.T)
	sign := func(login, code string) func() (any, error) {
		return func() (any, error) {
			u, _, err := s.Accounts.CreateUser(s.ctx, 5, linnet.User{Login: login}, record.Secret{Invite: code}, s.task)
			if err != nil {
				return "", err
			}
			return "", s.Accounts.FinishSignUp(s.ctx, u.ID)
		}
	}
	uses := answers(func() (int64, error) { i, _, err := s.Accounts.Invite(s.ctx, "code"); return i.Uses, err })
	return []step{
		{"no such invitation", sign("eve", "none"), "", accounts.ErrInvite, false}, // the task of the sign-up stays
		{"a taken login", sign("ann", "code"), "", accounts.ErrTaken, true},
		{"unused", uses, 0, nil, true},
		{"comes by it", sign("cat", "code"), "", nil, false}, {"used", uses, 1, nil, true},
		{"used up", sign("dan", "code"), "", accounts.ErrInvite, false}, {"still once", uses, 1, nil, true},
		{"revoke", answers(func() (bool, error) { return s.Accounts.RevokeInvite(s.ctx, "code") }), true, nil, false},
		{"revoked", sign("dora", "code"), "", accounts.ErrInvite, false},
	}
}

// promotionSteps checks that a level is passed once, and that its promotion enters and leaves
// sources.
func promotionSteps(s *stage) []step {
	s.Helper()
	st := &linnet.Status{Author: s.ann, Text: "x", Visibility: linnet.Public, Nonce: "n"}
	must(s.Statuses.CreateStatus(s.ctx, statuses.NewStatus{Status: st, Task: s.task}))(s.T)
	must(s.Relations.SetRelation(s.ctx, relations.RelationChange{Kind: record.Favourites(), Owner: s.bob, Other: st.ID, Live: true}))(s.T)
	must(s.Relations.CopyRelation(s.ctx, record.Favourites(), s.bob, st.ID, relations.Transition{}, nil))(s.T)
	standing := func() (statuses.PromotionData, error) { return s.Statuses.PromotionData(s.ctx, st.ID, s.ann, 0) }
	by := &linnet.Status{Author: linnet.TopAccount, RepostOf: st.ID, RepostAuthor: s.ann, Visibility: linnet.Public, Level: 1, Promoters: []linnet.ID{s.bob}}
	now := must(standing())(s.T).Status
	promote := answers(func() (bool, error) {
		next := *by
		_, ok, err := s.Statuses.Promote(s.ctx, now, statuses.Promoting{Level: 1, Bar: 7, By: &next, Carry: func(id linnet.ID) ([]taskOf, error) {
			return []taskOf{s.taskOf(id)}, nil
		}})
		if ok {
			by = &next
		}
		return ok, err
	})
	earlier := answers(func() (int, error) { ids, err := s.Statuses.PromotionsOf(s.ctx, st.ID); return len(ids), err })
	unpromote := answers(func() (bool, error) { return s.Statuses.Unpromote(s.ctx, by, s.taskOf(by.ID)) })
	return []step{
		{"votes", answers(func() (string, error) {
			x, err := standing()
			return fmt.Sprint(x.Votes.Favourites, x.Voters, x.AllVoters()), err
		}),
			fmt.Sprint(1, []linnet.ID{s.bob}, []linnet.ID{s.bob}), nil, true},
		{"without those that do not count", answers(func() (int64, error) {
			x, err := standing()
			x.Count(func(linnet.ID) bool { return false })
			return x.Votes.Favourites, err
		}), 0, nil, true},
		{"of one who is gone", answers(func() (bool, error) {
			x, err := s.Statuses.PromotionData(s.ctx, nobody, s.ann, 0)
			return x.Status == nil, err
		}), true, nil, true},
		{"promote", promote, true, nil, false}, {"the same level again", promote, false, nil, true}, {"one promotion", earlier, 1, nil, true},
		{"nobody's shelf", does(func() error { return s.Statuses.AddPromotion(s.ctx, by.ID, nobody) }), "", nil, true},
		{"shelve", does(func() error { return s.Statuses.AddPromotion(s.ctx, by.ID, s.bob) }), "", nil, false},
		{"unshelve", does(func() error { return s.Statuses.RemovePromotion(s.ctx, by.ID, s.bob) }), "", nil, false},
		{"take back", unpromote, true, nil, false}, {"again", unpromote, false, nil, true}, {"none", earlier, 0, nil, true},
		{"vouched for by nobody", answers(func() (bool, error) { m, err := s.Statuses.Supported(s.ctx, []linnet.ID{s.bob}); return m[s.bob], err }), false, nil, true},
	}
}

// relationshipReads checks a reader's relationship flags, groups and threads, with few flags and
// with more than one read returns.
func relationshipReads(s *stage) []step {
	s.Helper()
	const thread = linnet.ID(9<<20 | 5<<6)
	must(s.Relations.SetRelation(s.ctx, relations.RelationChange{Kind: record.Blocks(), Owner: s.ann, Other: s.bob, Live: true,
		Ops: []kv.Op{db.RelationshipOp(s.ann, s.bob, record.Blocking, true)}}))(s.T)
	must(s.Relations.CopyRelation(s.ctx, record.Blocks(), s.ann, s.bob, relations.Transition{}, func(bool) []kv.Op {
		return []kv.Op{db.RelationshipOp(s.bob, s.ann, record.BlockedBy, true)}
	}))(s.T)
	if err := s.Relations.MuteThread(s.ctx, s.ann, thread, true); err != nil {
		s.Fatal(err)
	}
	read := answers(func() (string, error) {
		b := s.Batch()
		r := b.Reader(s.ann)
		r.AskRelationships()
		r.AskRelationship(s.bob)
		r.AskPerson(s.bob)
		r.AskThread(thread)
		r.AskMemberships()
		muted, other := b.NoticesMuted(s.ann, s.bob, 0), b.NoticesMuted(s.ann, nobody, thread)
		err := b.Run(s.ctx)
		m := r.Relationship(s.bob)
		_, in := r.InSince(s.bob)
		return fmt.Sprint(m.Blocks(), m.Blocked(), m.Mutes(), m.BlockedBy(), r.MutesThread(thread), in, r.Indifferent(), *muted, *other), err
	})
	const want = "true true false false true false false true true"
	return []step{
		{"few", read, want, nil, true}, {"again, from what is kept", read, want, nil, true},
		{"take many", does(func() error {
			for i := range 300 {
				if err := s.Relations.SetRelationshipFlag(s.ctx, s.ann, linnet.ID(i+1)<<20|5<<6, record.HidesReposts, true); err != nil {
					return err
				}
			}
			return nil
		}), "", nil, false},
		{"many", read, want, nil, true}, {"many, from what is kept", read, want, nil, true},
		{"barred", answers(func() (relations.SetResult, error) {
			return s.Relations.SetRelation(s.ctx, relations.RelationChange{Kind: record.Follows(), Owner: s.ann, Other: s.bob, Live: true, Conds: db.NoBlocks(s.ann, s.bob)})
		}), "", db.ErrCondition, true},
		{"unrelated", answers(func() (relations.SetResult, error) {
			return s.Relations.SetRelation(s.ctx, relations.RelationChange{Kind: record.Watches(), Owner: s.ann, Other: s.bob, Live: true, While: record.Follows()})
		}), "", db.ErrCondition, true},
	}
}

// pageSteps checks that a set is read from either end, between two limits.
func pageSteps(s *stage) []step {
	s.Helper()
	for i := range 5 {
		must(s.Relations.SetRelation(s.ctx, relations.RelationChange{Kind: record.Follows(), Owner: s.ann, Other: linnet.ID(i+1)<<20 | 5<<6, Live: true}))(s.T)
		s.clock.turn(time.Millisecond)
	}
	key := record.Follows().OwnedKey(s.ann)
	page := func(p linnet.Page) func() (any, error) {
		return func() (any, error) {
			es, err := s.Members(s.ctx, key, p)
			out := make([]int64, len(es))
			for i, e := range es {
				out[i] = int64(e.ID >> 20)
			}
			return out, err
		}
	}
	es := must(s.Members(s.ctx, key, linnet.Page{Limit: 5}))(s.T)
	edge := linnet.ScoredCursor(es[2].Score, es[2].ID)
	return []step{
		{"newest", page(linnet.Page{Limit: 2}), []int64{5, 4}, nil, true}, {"below", page(linnet.Page{Limit: 9, Max: edge}), []int64{2, 1}, nil, true},
		{"above", page(linnet.Page{Limit: 9, Since: edge}), []int64{5, 4}, nil, true}, {"just above", page(linnet.Page{Limit: 1, Min: edge}), []int64{4}, nil, true},
		{"all, oldest first", answers(func() (int, error) { ids, err := s.All(s.ctx, key, 4); return len(ids), err }), 4, nil, true},
	}
}

// overtakenSteps checks that a reader of owners later learns that one of them has ended the
// relation, and that the status is deleted.
func overtakenSteps(s *stage) []step {
	s.Helper()
	st := &linnet.Status{Author: s.ann, Text: "x", Visibility: linnet.Public, Nonce: "n"}
	must(s.Statuses.CreateStatus(s.ctx, statuses.NewStatus{Status: st, Task: s.task}))(s.T)
	follow := func(on bool) func() (any, error) {
		return func() (any, error) {
			if _, err := s.Relations.SetRelation(s.ctx, relations.RelationChange{Kind: record.Follows(), Owner: s.bob, Other: s.ann, Live: on}); err != nil {
				return "", err
			}
			_, err := s.Relations.CopyRelation(s.ctx, record.Follows(), s.bob, s.ann, relations.Transition{}, nil)
			return "", err
		}
	}
	var owners *db.Owners
	ended := answers(func() (string, error) {
		o, err := s.Feeds.Overtaken(s.ctx, st.ID, st.Author)
		return fmt.Sprint(o.Deleted, o.Ended(record.Follows(), *owners), o.Ended(record.Watches(), *owners)), err
	})
	return []step{
		{"follow", follow(true), "", nil, false},
		{"owners", answers(func() (int, error) {
			b := s.Batch()
			owners = b.Owners(record.Follows(), s.ann, kv.Member{}, 9)
			err := b.Run(s.ctx)
			return len(owners.IDs), err
		}), 1, nil, true},
		{"as it was", ended, "false false false", nil, true},
		{"unfollow", follow(false), "", nil, false}, {"ended", ended, "false true false", nil, true},
		{"delete", answers(func() (bool, error) { return s.Statuses.DeleteStatus(s.ctx, st, nil, false, s.taskOf(st.ID)) }), true, nil, false},
		{"gone", ended, "true true false", nil, true},
	}
}

// topSteps checks that the account of promotions takes the first free login, once.
func topSteps(s *stage) []step {
	top := func() (any, error) { return "", s.Accounts.MakeTop(s.ctx, linnet.User{Name: "Top"}) }
	return []step{{"make", top, "", nil, false}, {"again", top, "", nil, true},
		{"its login", answers(func() (linnet.ID, error) { return s.Accounts.UserByLogin(s.ctx, "top") }), linnet.TopAccount, nil, true}}
}

// passwordSteps checks that a password is replaced, and that current names are found.
func passwordSteps(s *stage) []step {
	index := does(func() error { return s.Accounts.IndexNames(s.ctx, s.ann, []string{"old"}) })
	return []step{
		{"set", does(func() error { return s.Accounts.SetSecret(s.ctx, s.ann, "hash") }), "", nil, false},
		{"is", answers(func() (string, error) { sec, err := s.Accounts.Secret(s.ctx, s.ann); return sec.Hash, err }), "hash", nil, true},
		{"index", index, "", nil, true},
		{"found", answers(func() (int, error) { ids, err := s.Accounts.UsersByPrefix(s.ctx, "an", 9); return len(ids), err }), 1, nil, true},
		{"staff", answers(func() (int, error) { ids, err := s.Accounts.Staff(s.ctx); return len(ids), err }), 0, nil, true},
	}
}

// pulledSteps checks that an author is pulled from one time to another.
func pulledSteps(s *stage) []step {
	is := answers(func() (feeds.Pulled, error) { m, err := s.Feeds.AllPulled(s.ctx); return m[s.ann], err })
	pull := does(func() error { return s.Feeds.PullAuthor(s.ctx, s.ann, 100) })
	return []step{
		{"not", is, feeds.Pulled{}, nil, true}, {"pull", pull, "", nil, false}, {"again", pull, "", nil, true}, {"pulled", is, feeds.Pulled{Since: 100}, nil, true},
		{"push", does(func() error { return s.Feeds.PushAuthor(s.ctx, s.ann, 200) }), "", nil, false}, {"until", is, feeds.Pulled{Since: 100, Until: 200}, nil, true},
	}
}
