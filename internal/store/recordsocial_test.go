package store_test

import (
	"errors"
	"time"

	"linnet/internal/kv"
	"linnet/internal/linnet"
	"linnet/internal/record"
	"linnet/internal/store/accounts"
	"linnet/internal/store/db"
	"linnet/internal/store/inbox"
	"linnet/internal/task"
)

func reportSteps(s *stage) []step {
	first := linnet.Report{By: s.ann, On: s.bob, Category: linnet.ReportSpam}
	create := answers(func() (bool, error) {
		r := first
		_, fresh, err := s.Staff.CreateReport(s.ctx, &r, "same", s.task)
		first.ID = r.ID
		return fresh, err
	})
	listed := func(resolved bool) func() (any, error) {
		return answers(func() (int, error) {
			ids, err := s.Staff.ReportIDs(s.ctx, linnet.ReportFilter{Resolved: resolved}, db.Span{Limit: 10})
			return len(ids), err
		})
	}
	resolve := func(which linnet.ID, refuse error) func() (any, error) {
		return answers(func() (bool, error) {
			_, ok, err := s.Staff.UpdateReport(s.ctx, first.ID+which, s.taskOf(first.ID), func(r *linnet.Report) error { r.Resolved = s.Now(); return refuse })
			return ok, err
		})
	}
	refused := errors.New("refused")
	return []step{
		{"create", create, true, nil, false}, {"the same within the hour", create, false, nil, true}, {"open", listed(false), 1, nil, true},
		{"none", resolve(64, nil), false, nil, true}, {"refused", resolve(0, refused), nil, refused, true},
		{"resolve", resolve(0, nil), true, nil, false}, {"no longer open", listed(false), 0, nil, true}, {"resolved", listed(true), 1, nil, true},
		{"version", answers(func() (uint64, error) {
			r, err := s.Staff.Reports(s.ctx, []linnet.ID{first.ID})
			return r[0].Version, err
		}), 2, nil, true},
		{"days", answers(func() ([]int64, error) { return s.Staff.ReportDays(s.ctx, "resolved", []time.Time{s.Now()}) }), []int64{1}, nil, true},
		{"an hour later", func() (any, error) { s.clock.turn(time.Hour); return create() }, true, nil, false},
	}
}

func actSteps(s *stage) []step {
	act := linnet.Act{ID: s.Staff.NewAct(), By: s.ann, Act: linnet.Suspend, On: s.bob}
	log := does(func() error { return s.Staff.LogAct(s.ctx, act) })
	return []step{{"log", log, "", nil, false}, {"again", log, "", nil, true},
		{"read", answers(func() (int, error) { as, err := s.Staff.Acts(s.ctx, db.Span{Limit: 10}); return len(as), err }), 1, nil, true}}
}

func noticeSteps(s *stage) []step {
	st := posted(s.T, s.Store, linnet.Status{Author: s.bob, Text: "x", Visibility: linnet.Public})
	n := s.Inbox.NewNotice(s.ann, linnet.Notification{Type: linnet.NotifyFavourite, From: s.bob, Status: st.ID})
	held := s.Inbox.NewNotice(s.ann, linnet.Notification{Type: linnet.NotifyFavourite, From: s.bob, Status: st.ID})
	held.Held = true
	notify := func(n linnet.Notification) func() (any, error) {
		return does(func() error { return s.Inbox.Notify(s.ctx, s.ann, n) })
	}
	count := func(held bool) func() (any, error) {
		return answers(func() (int, error) {
			ns, err := s.Inbox.Notices(s.ctx, s.ann, db.Span{Limit: 10}, held)
			return len(ns), err
		})
	}
	remove := does(func() error { return s.Inbox.RemoveNotice(s.ctx, s.ann, n) })
	watchers := []linnet.ID{s.ann}
	return []step{
		{"notify", notify(n), "", nil, false}, {"again", notify(n), "", nil, true}, {"held back", notify(held), "", nil, false},
		{"seen", count(false), 1, nil, true}, {"all", count(true), 2, nil, true},
		{"one", answers(func() (bool, error) {
			got, ok, err := s.Inbox.Notice(s.ctx, s.ann, held.ID)
			return ok && got.Held, err
		}), true, nil, true},
		{"another's", answers(func() (bool, error) { _, ok, err := s.Inbox.Notice(s.ctx, s.bob, n.ID); return ok, err }), false, nil, true},
		{"remove", remove, "", nil, false}, {"remove again", remove, "", nil, true}, {"left", count(true), 1, nil, true},
		{"watchers", does(func() error { return s.Inbox.NotifyWatchers(s.ctx, st, watchers) }), "", nil, false},
		{"watchers again", does(func() error { return s.Inbox.NotifyWatchers(s.ctx, st, watchers) }), "", nil, true},
		{"unnotify", does(func() error { return s.Inbox.UnnotifyWatchers(s.ctx, st, watchers) }), "", nil, false},
		{"clear", does(func() error { return s.Inbox.ClearNotices(s.ctx, s.ann) }), "", nil, false}, {"none", count(true), 0, nil, true},
	}
}

func mentionSteps(s *stage) []step {
	st := posted(s.T, s.Store, linnet.Status{Author: s.bob, Text: "@ann", Visibility: linnet.Public, Mentions: []linnet.Mention{{ID: s.ann, Login: "ann"}}})
	n := s.Inbox.NewNotice(s.ann, linnet.Notification{Type: linnet.NotifyMention, From: s.bob, Status: st.ID})
	mention := func(who linnet.ID) func() (any, error) {
		return answers(func() (bool, error) { return s.Inbox.Mention(s.ctx, who, st.ID, &n) })
	}
	mentions := func() (any, error) {
		ids, err := s.Inbox.Mentions(s.ctx, s.ann, db.Span{Limit: 10})
		return len(ids), err
	}
	return []step{
		{"of nobody", mention(nobody), false, nil, true}, {"mention", mention(s.ann), true, nil, false}, {"again", mention(s.ann), false, nil, true},
		{"read", mentions, 1, nil, true},
		{"delete", answers(func() (bool, error) { return s.Statuses.DeleteStatus(s.ctx, st, nil, false, s.taskOf(st.ID)) }), true, nil, false},
		{"unmention", does(func() error { return s.Inbox.Unmention(s.ctx, s.ann, st.ID) }), "", nil, false},
		{"unmention again", does(func() error { return s.Inbox.Unmention(s.ctx, s.ann, st.ID) }), "", nil, true},
	}
}

func conversationSteps(s *stage) []step {
	people := []linnet.ID{s.ann, s.bob}
	id := record.ConversationID(s.ann, people)
	post := func() *linnet.Status {
		s.clock.turn(time.Second)
		return posted(s.T, s.Store, linnet.Status{Author: s.bob, Text: "@ann", Visibility: linnet.Direct, Mentions: []linnet.Mention{{ID: s.ann, Login: "ann"}}})
	}
	first, second := post(), post()
	converse := func(owner linnet.ID, st *linnet.Status) func() (any, error) {
		return answers(func() (bool, error) { return s.Inbox.AddToConversation(s.ctx, owner, id, st) })
	}
	unread := func(to bool) func() (any, error) {
		return answers(func() (bool, error) { return s.Inbox.SetUnread(s.ctx, s.ann, id, to) })
	}
	count := func() (any, error) {
		cs, err := s.Inbox.Conversations(s.ctx, s.ann, db.Span{Limit: 10})
		return len(cs), err
	}
	messages := func() (any, error) {
		ids, err := s.Inbox.Messages(s.ctx, s.ann, id, db.Span{Limit: 10})
		return len(ids), err
	}
	remove := does(func() error { return s.Inbox.DeleteConversation(s.ctx, s.ann, id) })
	return []step{
		{"none to mark", unread(true), nil, inbox.ErrNoConversation, true}, {"of nobody", converse(nobody, first), false, nil, true},
		{"the newer first", converse(s.ann, second), true, nil, false}, {"again", converse(s.ann, second), false, nil, true}, {"late", converse(s.ann, first), true, nil, false},
		{"read", count, 1, nil, true}, {"both", messages, 2, nil, true}, {"mark read", unread(false), true, nil, false}, {"again", unread(false), false, nil, true},
		{"take one out", answers(func() (bool, error) { return s.Inbox.RemoveFromConversation(s.ctx, s.ann, id, second.ID) }), true, nil, false},
		{"out again", answers(func() (bool, error) { return s.Inbox.RemoveFromConversation(s.ctx, s.ann, id, second.ID) }), false, nil, true},
		{"delete", remove, "", nil, false}, {"gone", count, 0, nil, true}, {"what is late stays out", converse(s.ann, first), false, nil, true},
	}
}

func tagSteps(s *stage) []step {
	feature := does(func() error { return s.Statuses.Featured.Add(s.ctx, s.ann, "Birds", "birds") })
	tags := func() (any, error) { ts, err := s.Statuses.Featured.List(s.ctx, s.ann); return len(ts), err }
	end := func(id linnet.ID) func() (any, error) {
		return answers(func() (bool, error) {
			ts, err := s.Statuses.Featured.List(s.ctx, s.ann)
			if err != nil || len(ts) == 0 {
				return false, err
			}
			return s.Statuses.Featured.Remove(s.ctx, s.ann, ts[0].ID+id)
		})
	}
	return []step{{"feature", feature, "", nil, false}, {"again", feature, "", nil, true}, {"read", tags, 1, nil, true},
		{"another id", end(64), false, nil, true}, {"end", end(0), true, nil, false}, {"none", tags, 0, nil, true}}
}

func trendSteps(s *stage) []step {
	merge := does(func() error {
		return s.Statuses.Tags.MergeTrends(s.ctx, record.TrendTags, []record.TrendUse{{Name: "birds", Uses: 2, People: []linnet.ID{s.ann, s.bob}}})
	})
	read := answers(func() ([]int64, error) {
		ts, err := s.Statuses.Tags.Trends(s.ctx, record.TrendTags, []time.Time{s.Now().UTC().Truncate(24 * time.Hour)})
		return []int64{int64(len(ts[0])), ts[0][0].Uses, ts[0][0].People}, err
	})
	return []step{{"merge", merge, "", nil, false}, {"the same people again", merge, "", nil, false}, {"uses add up, people do not", read, []int64{1, 4, 2}, nil, true}}
}

func accessSteps(s *stage) []step {
	log := func(who linnet.ID) func() (any, error) {
		return does(func() error {
			return s.Sessions.LogSecurity(s.ctx, who, linnet.SecurityEntry{At: s.Now(), Event: linnet.SecurityEventOf(1)})
		})
	}
	confirmed := func() (any, error) { return s.Sessions.Confirmed(s.ctx, s.ann, "h") }
	return []step{
		{"log", log(s.ann), "", nil, false}, {"more", log(s.ann), "", nil, false}, {"of nobody", log(nobody), "", nil, true},
		{"read", answers(func() (int, error) { es, err := s.Sessions.SecurityLog(s.ctx, s.ann); return len(es), err }), 2, nil, true},
		{"not confirmed", confirmed, false, nil, true}, {"confirm", does(func() error { return s.Sessions.Confirm(s.ctx, s.ann, "h", time.Minute) }), "", nil, false},
		{"confirmed", confirmed, true, nil, true}, {"no longer", func() (any, error) { s.clock.turn(time.Hour); return confirmed() }, false, nil, false},
		{"policy", does(func() error { _, err := s.Inbox.ChangePolicy(s.ctx, s.ann, linnet.PolicyChange{}); return err }), "", nil, false},
		{"accept", does(func() error { return s.Inbox.AcceptFrom(s.ctx, s.ann, []linnet.ID{s.bob}) }), "", nil, false},
		{"merging", answers(func() (bool, error) { return s.Inbox.Merging(s.ctx, s.ann) }), true, nil, true},
		{"merge", does(func() error { return s.Inbox.MergeHeld(s.ctx, s.ann, s.bob) }), "", nil, false},
		{"merged", answers(func() (bool, error) { return s.Inbox.Merging(s.ctx, s.ann) }), false, nil, true},
	}
}

func userSteps(s *stage) []step {
	refused := errors.New("refused")
	moderate := func(who linnet.ID, refuse error) func() (any, error) {
		return answers(func() (bool, error) {
			_, ok, err := s.Accounts.ModerateUser(s.ctx, who, s.taskOf(who), func(u *linnet.User) error { u.Suspended = true; return refuse })
			return ok, err
		})
	}
	remove := func(refuse error) func() (any, error) {
		return answers(func() (bool, error) {
			t := s.taskOf(s.bob)
			return s.Accounts.DeleteUser(s.ctx, s.bob, &t, func(record.Secret) (task.Task, []kv.Op) { return t, nil }, func(*linnet.User) error { return refuse })
		})
	}
	taken := func() (any, error) {
		_, _, err := s.Accounts.CreateUser(s.ctx, 6, linnet.User{Login: "ann"}, record.Secret{}, s.task)
		return nil, err
	}
	find := func(login string) func() (any, error) {
		return answers(func() (bool, error) { id, err := s.Accounts.UserByLogin(s.ctx, login); return id != 0, err })
	}
	return []step{
		{"a login that is taken", taken, nil, accounts.ErrTaken, true}, {"find", find("ann"), true, nil, true}, {"find none", find("cat"), false, nil, true},
		{"nobody", moderate(nobody, nil), false, nil, true}, {"refused", moderate(s.ann, refused), nil, refused, true}, {"suspend", moderate(s.ann, nil), true, nil, false},
		{"suspended", answers(func() (int, error) {
			ids, _, _, err := s.Accounts.Accounts(s.ctx, linnet.AccountState("suspended"), false, db.Span{Limit: 10})
			return len(ids), err
		}), 1, nil, true},
		{"deletion refused", remove(refused), nil, refused, true},
	}
}

// feedSteps checks that changes of feeds leave all records unchanged.
func feedSteps(s *stage) []step {
	key := record.HomeKey(s.ann)
	read := func() (any, error) {
		b := s.Batch()
		p := b.Feed(key, db.Span{Limit: 10})
		err := b.Run(s.ctx)
		return []any{p.Cold, p.Filling, p.IDs(), p.Floor}, err
	}
	one, two := linnet.MakeID(s.Now(), 5, 1), linnet.MakeID(s.Now(), 5, 2)
	return []step{
		{"cold", read, []any{true, false, []linnet.ID{}, 0}, nil, true},
		{"begin", does(func() error { return s.Feeds.BeginFill(s.ctx, key, "t") }), "", nil, true}, {"filling", read, []any{false, true, []linnet.ID{}, 0}, nil, true},
		{"another's end", does(func() error { return s.Feeds.EndFill(s.ctx, key, "u", []linnet.ID{one}, 0) }), "", nil, true},
		{"end", does(func() error { return s.Feeds.EndFill(s.ctx, key, "t", []linnet.ID{one}, 0) }), "", nil, true}, {"warm", read, []any{false, false, []linnet.ID{one}, 0}, nil, true},
		{"push", does(func() error { return s.Feeds.Push(s.ctx, two, record.HomeKeys([]linnet.ID{s.ann}, nil)) }), "", nil, true},
		{"pull", does(func() error { return s.Feeds.Pull(s.ctx, one, record.HomeKeys([]linnet.ID{s.ann}, nil)) }), "", nil, true},
		{"what is left", read, []any{false, false, []linnet.ID{two}, 0}, nil, true},
		{"forget", does(func() error { return s.Feeds.ForgetFeeds(s.ctx, key) }), "", nil, true},
	}
}

func ownFeedSteps(s *stage) []step {
	change := func(who linnet.ID) func() (any, error) {
		return does(func() error {
			return s.Feeds.ChangeOwnFeeds(s.ctx, who, func(fs *[]linnet.OwnFeed) (linnet.ID, error) {
				f := linnet.OwnFeed{ID: s.NewID(who.Shard(), 0), Title: "f", Sources: []linnet.FeedSource{{Kind: linnet.FromHome}}}
				*fs = append(*fs, f)
				return f.ID, nil
			})
		})
	}
	key := record.CatchUpKey(s.ann)
	put := func(version uint64) func() (any, error) {
		return answers(func() (bool, error) {
			return s.Feeds.PutOrder(s.ctx, key, &record.RankOrder{At: s.Now(), Since: s.ann, Newest: s.bob, Version: version})
		})
	}
	pull := does(func() error { return s.Feeds.PullAuthor(s.ctx, s.ann, 5) })
	return []step{
		{"of nobody", change(nobody), nil, db.ErrDeleted, true}, {"add", change(s.ann), "", nil, false}, {"add more", change(s.ann), "", nil, false},
		{"read", answers(func() (int, error) { fs, _, err := s.Feeds.OwnFeeds(s.ctx, s.ann); return len(fs), err }), 2, nil, true},
		{"order", put(0), true, nil, false}, {"somebody was faster", put(0), false, nil, true},
		{"forget", does(func() error { return s.Feeds.ForgetOrder(s.ctx, key) }), "", nil, false},
		{"pulled", pull, "", nil, false}, {"pulled again", pull, "", nil, true},
		{"pulled authors", answers(func() (int, error) { p, err := s.Feeds.AllPulled(s.ctx); return len(p), err }), 1, nil, true},
	}
}
