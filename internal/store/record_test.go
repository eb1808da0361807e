package store_test

import (
	"slices"
	"testing"
	"time"

	"linnet/internal/linnet"
	"linnet/internal/record"
	"linnet/internal/store/db"
	"linnet/internal/store/relations"
	"linnet/internal/store/sessions"
	"linnet/internal/store/staff"
	"linnet/internal/store/statuses"
)

// TestRecords writes, refuses and repeats the changes of each record. Refusals and repetitions
// leave all records unchanged, versions increase, and redundant records agree after each step.
func TestRecords(t *testing.T) {
	for name, steps := range map[string]func(*stage) []step{
		"lists": listSteps, "markers and notes": markerSteps, "pins": pinSteps, "mutes": muteSteps, "invitations": inviteSteps,
		"set-up": setupSteps, "description": instanceSteps, "reset links": resetSteps, "second factor": factorSteps,
		"tokens": tokenSteps, "codes": codeSteps, "apps": appSteps, "reports": reportSteps, "acts": actSteps,
		"notifications": noticeSteps, "mentions": mentionSteps, "conversations": conversationSteps, "tags": tagSteps,
		"trends": trendSteps, "days": daySteps, "access": accessSteps, "users": userSteps, "feeds": feedSteps, "own feeds": ownFeedSteps,
		"public timelines": publicSteps, "parting": partingSteps, "directory": indexSteps,
	} {
		t.Run(name, func(t *testing.T) {
			s := newStage(t)
			s.try(steps(s))
		})
	}
}

func listSteps(s *stage) []step {
	l := linnet.List{Owner: s.ann, Title: "a", Exclusive: true}
	count := func() (any, error) { ls, err := s.Relations.ListsOf(s.ctx, s.ann); return len(ls), err }
	exclusive := func() (any, error) {
		b := s.Batch()
		ids := b.Exclusive(s.ann)
		err := b.Run(s.ctx)
		return len(*ids), err
	}
	return []step{
		{"of nobody", does(func() error { return s.Relations.CreateList(s.ctx, &linnet.List{Owner: nobody}) }), nil, db.ErrDeleted, true},
		{"create", does(func() error { return s.Relations.CreateList(s.ctx, &l) }), "", nil, false},
		{"read", count, 1, nil, true}, {"exclusive", exclusive, 1, nil, true},
		{"an older version", answers(func() (bool, error) { old := l; old.Version = 7; return s.Relations.UpdateList(s.ctx, &old) }), false, nil, true},
		{"change", answers(func() (bool, error) { l.Exclusive = false; return s.Relations.UpdateList(s.ctx, &l) }), true, nil, false},
		{"version", answers(func() (uint64, error) {
			ls, err := s.Relations.Lists(s.ctx, []linnet.ID{l.ID, nobody})
			return ls[0].Version, err
		}), 2, nil, true},
		{"no longer exclusive", exclusive, 0, nil, true},
		{"delete", does(func() error { return s.Relations.DeleteList(s.ctx, &l) }), "", nil, false},
		{"again", does(func() error { return s.Relations.DeleteList(s.ctx, &l) }), "", nil, true},
		{"gone", count, 0, nil, true},
		{"bookmark", does(func() error { return s.Relations.SetMember(s.ctx, record.Bookmarks, s.ann, s.bob, true) }), "", nil, false},
		{"bookmark again", does(func() error { return s.Relations.SetMember(s.ctx, record.Bookmarks, s.ann, s.bob, true) }), "", nil, true},
		{"of nobody", does(func() error { return s.Relations.SetMember(s.ctx, record.Bookmarks, nobody, s.bob, true) }), "", nil, true},
		{"let go", does(func() error { return s.Relations.SetMember(s.ctx, record.Bookmarks, s.ann, s.bob, false) }), "", nil, false},
	}
}

func markerSteps(s *stage) []step {
	save := func(who, read linnet.ID) func() (any, error) {
		return answers(func() (uint64, error) {
			m, err := s.Inbox.SaveMarkers(s.ctx, who, map[linnet.MarkerTimeline]linnet.ID{"home": read})
			return m["home"].Version, err
		})
	}
	note := func() (any, error) { b := s.Batch(); n := b.Note(s.ann, s.bob); err := b.Run(s.ctx); return *n, err }
	return []step{
		{"save", save(s.ann, 5), 1, nil, false}, {"an earlier position", save(s.ann, 3), 2, nil, false}, {"of nobody", save(nobody, 3), nil, db.ErrDeleted, true},
		{"read", answers(func() (linnet.ID, error) { m, err := s.Inbox.Markers(s.ctx, s.ann); return m["home"].LastRead, err }), 3, nil, true},
		{"note", does(func() error { return s.Relations.SetNote(s.ctx, s.ann, s.bob, "tall") }), "", nil, false}, {"read note", note, "tall", nil, true},
		{"note of nobody", does(func() error { return s.Relations.SetNote(s.ctx, nobody, s.bob, "tall") }), "", nil, true},
		{"end note", does(func() error { return s.Relations.SetNote(s.ctx, s.ann, s.bob, "") }), "", nil, false}, {"no note", note, "", nil, true},
		{"end again", does(func() error { return s.Relations.SetNote(s.ctx, s.ann, s.bob, "") }), "", nil, true},
	}
}

func pinSteps(s *stage) []step {
	st := posted(s.T, s.Store, linnet.Status{Author: s.ann, Text: "x", Visibility: linnet.Public})
	pin := func(who, id linnet.ID, on bool) func() (any, error) {
		return does(func() error { return s.Statuses.Pin(s.ctx, who, id, on) })
	}
	pins := func() (any, error) { ids, err := s.Statuses.Pins(s.ctx, s.ann); return len(ids), err }
	steps := []step{
		{"pin", pin(s.ann, st.ID, true), "", nil, false}, {"again", pin(s.ann, st.ID, true), "", nil, true}, {"read", pins, 1, nil, true},
		{"another's", pin(s.bob, st.ID, true), nil, db.ErrDeleted, true}, {"none", pin(s.ann, nobody, true), nil, db.ErrDeleted, true},
	}
	for range linnet.MaxPins - 1 {
		steps = append(steps, step{"more", pin(s.ann, posted(s.T, s.Store, linnet.Status{Author: s.ann, Text: "x", Visibility: linnet.Public}).ID, true), "", nil, false})
	}
	last := posted(s.T, s.Store, linnet.Status{Author: s.ann, Text: "x", Visibility: linnet.Public})
	return append(steps, step{"one too many", pin(s.ann, last.ID, true), nil, statuses.ErrFullPins, true},
		step{"unpin", pin(s.ann, st.ID, false), "", nil, false}, step{"again", pin(s.ann, st.ID, false), "", nil, true},
		step{"room", pin(s.ann, last.ID, true), "", nil, false},
		step{"delete", answers(func() (bool, error) {
			now, err := s.Statuses.Status(s.ctx, last.ID)
			if err != nil {
				return false, err
			}
			return s.Statuses.DeleteStatus(s.ctx, now, nil, false, s.taskOf(last.ID))
		}), true, nil, false},
		step{"clean up", does(func() error { return s.Statuses.Unpin(s.ctx, s.ann, last.ID) }), "", nil, false},
		step{"again", does(func() error { return s.Statuses.Unpin(s.ctx, s.ann, last.ID) }), "", nil, true}, step{"left", pins, linnet.MaxPins - 1, nil, true})
}

func muteSteps(s *stage) []step {
	mute := func(other linnet.ID, hours int, below int64) func() (any, error) {
		return does(func() error {
			return s.Relations.Mute(s.ctx, s.ann, other, s.Now().Add(time.Duration(hours)*time.Hour), true, below)
		})
	}
	thread := func(on bool) func() (any, error) {
		return does(func() error { return s.Relations.MuteThread(s.ctx, s.ann, s.bob, on) })
	}
	return []step{
		{"mute", mute(s.bob, 1, 1), "", nil, false}, {"for longer, at the limit", mute(s.bob, 2, 1), "", nil, false},
		{"one too many", mute(nobody, 1, 1), nil, relations.ErrLimit, true},
		{"unmute", does(func() error { return s.Relations.Unmute(s.ctx, s.ann, s.bob) }), "", nil, false},
		{"again", does(func() error { return s.Relations.Unmute(s.ctx, s.ann, s.bob) }), "", nil, true},
		{"room", mute(nobody, 1, 1), "", nil, false},
		{"the first has ended", func() (any, error) { s.clock.turn(2 * time.Hour); return mute(s.bob, 1, 1)() }, "", nil, false},
		{"thread", thread(true), "", nil, false}, {"thread again", thread(true), "", nil, true}, {"end thread", thread(false), "", nil, false}, {"end again", thread(false), "", nil, true},
	}
}

func inviteSteps(s *stage) []step {
	i := linnet.Invite{Code: "code", By: s.ann, Most: 1, Created: s.Now()}
	create := answers(func() (bool, error) { return s.Accounts.CreateInvite(s.ctx, i) })
	revoke := func(code string) func() (any, error) {
		return answers(func() (bool, error) { return s.Accounts.RevokeInvite(s.ctx, code) })
	}
	drop := does(func() error { return s.Accounts.DropInvite(s.ctx, "code") })
	all := func() (any, error) { is, err := s.Accounts.Invites(s.ctx); return len(is), err }
	return []step{
		{"create", create, true, nil, false}, {"the same code", create, false, nil, true}, {"read", all, 1, nil, true},
		{"revoke none", revoke("other"), false, nil, true}, {"revoke", revoke("code"), true, nil, false},
		{"revoked", answers(func() (bool, error) { i, ok, err := s.Accounts.Invite(s.ctx, "code"); return ok && i.Revoked, err }), true, nil, true},
		{"drop", drop, "", nil, false}, {"again", drop, "", nil, true}, {"gone", all, 0, nil, true},
	}
}

func setupSteps(s *stage) []step {
	hold := func(hash string) func() (any, error) {
		return answers(func() (bool, error) { return s.Instance.HoldSetup(s.ctx, hash) })
	}
	claim := func(who linnet.ID) func() (any, error) {
		return answers(func() (bool, error) { return s.Instance.ClaimAdmin(s.ctx, who) })
	}
	put := does(func() error { return s.Instance.PutSetup(s.ctx, "h", s.Now().Add(time.Hour)) })
	return []step{
		{"before", hold("h"), false, nil, true}, {"put", put, "", nil, false}, {"another token", hold("g"), false, nil, true},
		{"hold", hold("h"), true, nil, false}, {"held", hold("h"), false, nil, true},
		{"release", does(func() error { return s.Instance.ReleaseSetup(s.ctx, "h") }), "", nil, false}, {"hold again", hold("h"), true, nil, false},
		{"claim", claim(s.ann), true, nil, false}, {"again", claim(s.ann), true, nil, true}, {"another", claim(s.bob), false, nil, true}, {"used up", hold("h"), false, nil, true},
		{"state", answers(func() (bool, error) {
			st, err := s.Instance.Setup(s.ctx)
			return st.Admin == s.ann && st.Hash == "", err
		}), true, nil, true},
	}
}

func instanceSteps(s *stage) []step {
	set := func(version uint64) func() (any, error) {
		return answers(func() (bool, error) {
			return s.Instance.Set(s.ctx, linnet.Instance{Title: "t", Version: version})
		})
	}
	active := does(func() error { return s.Accounts.MarkActive(s.ctx, s.ann) })
	totals := func() (any, error) { t, err := s.Instance.Totals(s.ctx); return []int64{t.People, t.ActiveMonth}, err }
	return []step{
		{"first", set(0), true, nil, false}, {"as if it were the first", set(0), false, nil, true}, {"second", set(1), true, nil, false},
		{"read", answers(func() (uint64, error) { in, _, err := s.Instance.Get(s.ctx); return in.Version, err }), 2, nil, true},
		{"active", active, "", nil, false}, {"again", active, "", nil, true}, {"totals", totals, []int64{2, 1}, nil, true},
	}
}

func resetSteps(s *stage) []step {
	token := sessions.NewReset(s.ann)
	var link record.Reset
	put := func(who linnet.ID) func() (any, error) {
		return answers(func() (bool, error) {
			return s.Sessions.PutReset(s.ctx, token, record.Reset{User: who, Expires: s.Now().Add(time.Hour)})
		})
	}
	find := func(token string) func() (any, error) {
		return func() (any, error) {
			r, ok, err := s.Sessions.Reset(s.ctx, token)
			if ok {
				link = r
			}
			return ok, err
		}
	}
	use := answers(func() (bool, error) { return s.Sessions.UseReset(s.ctx, link, "hash") })
	return []step{
		{"of nobody", put(nobody), false, nil, true}, {"put", put(s.ann), true, nil, false},
		{"another token", find(sessions.NewReset(s.ann)), false, nil, true}, {"no token", find("x"), false, nil, true}, {"find", find(token), true, nil, true},
		{"use", use, true, nil, false}, {"again", use, false, nil, true}, {"used up", find(token), false, nil, true},
		{"the hash", answers(func() (string, error) { sec, err := s.Accounts.Secret(s.ctx, s.ann); return sec.Hash, err }), "hash", nil, true},
		{"another", put(s.ann), true, nil, false},
		{"late", func() (any, error) { s.clock.turn(2 * time.Hour); return find(token)() }, false, nil, false},
	}
}

func factorSteps(s *stage) []step {
	ticket, session := sessions.NewSecret(s.ann.Shard()), sessions.NewSecret(s.ann.Shard())
	set := func(who linnet.ID, version uint64) func() (any, error) {
		return answers(func() (bool, error) {
			return s.Sessions.SetTwoFactor(s.ctx, who, record.TwoFactor{Secret: "x", Version: version})
		})
	}
	use := func(version uint64) func() (any, error) {
		return answers(func() (bool, error) {
			return s.Sessions.UseTicket(s.ctx, ticket, session, record.TwoFactor{Secret: "x", Step: 9, Version: version}, record.TokenRecord{Web: true, Created: s.Now()})
		})
	}
	return []step{
		{"of nobody", set(nobody, 0), false, nil, true}, {"set", set(s.ann, 0), true, nil, false}, {"an older version", set(s.ann, 0), false, nil, true},
		{"ticket", does(func() error {
			sec, err := s.Accounts.Secret(s.ctx, s.ann)
			if err != nil {
				return err
			}
			return s.Sessions.PutTicket(s.ctx, ticket, s.ann, sec.Version)
		}), "", nil, false},
		{"whose", answers(func() (bool, error) { u, ok, err := s.Sessions.Ticket(s.ctx, ticket); return ok && u == s.ann, err }), true, nil, true},
		{"a factor that has changed", use(7), false, nil, true}, {"use", use(1), true, nil, false}, {"again", use(2), false, nil, true},
		{"session", answers(func() (bool, error) {
			t, ok, err := s.Sessions.Token(s.ctx, session)
			return ok && t.User == s.ann && t.Web, err
		}), true, nil, true},
		{"version", answers(func() (uint64, error) { f, err := s.Sessions.TwoFactor(s.ctx, s.ann); return f.Version, err }), 2, nil, true},
		{"end", does(func() error { return s.Sessions.EndTwoFactor(s.ctx, s.ann) }), "", nil, false},
		{"end again", does(func() error { return s.Sessions.EndTwoFactor(s.ctx, s.ann) }), "", nil, true},
	}
}

func tokenSteps(s *stage) []step {
	first, second := sessions.NewSecret(s.ann.Shard()), sessions.NewSecret(s.ann.Shard())
	token := func() record.TokenRecord { return record.TokenRecord{User: s.ann, Web: true, Created: s.Now()} }
	stands := func(secret string) func() (any, error) {
		return answers(func() (bool, error) { return s.Sessions.TokenValid(s.ctx, s.ann, record.Hash(secret)) })
	}
	revoke := does(func() error { return s.Sessions.RevokeToken(s.ctx, second, s.ann) })
	return []step{
		{"a password that has changed", answers(func() (bool, error) { return s.Sessions.IssueSession(s.ctx, first, token(), 99) }), false, nil, true},
		{"issue", answers(func() (bool, error) { return s.Sessions.IssueToken(s.ctx, first, token(), nil) }), true, nil, false},
		{"another", answers(func() (bool, error) { return s.Sessions.IssueToken(s.ctx, second, token(), nil) }), true, nil, false},
		{"stands", stands(second), true, nil, true}, {"no token", answers(func() (bool, error) { _, ok, err := s.Sessions.Token(s.ctx, "x"); return ok, err }), false, nil, true},
		{"sessions", answers(func() (int, error) { ss, err := s.Sessions.Sessions(s.ctx, s.ann, 10); return len(ss), err }), 2, nil, true},
		{"revoke the others", answers(func() (int, error) {
			hs, err := s.Sessions.RevokeOthers(s.ctx, s.ann, record.Hash(second))
			return len(hs), err
		}), 1, nil, false},
		{"ended", stands(first), false, nil, true}, {"kept", stands(second), true, nil, true},
		{"revoke", revoke, "", nil, false}, {"again", revoke, "", nil, true},
		{"third", answers(func() (bool, error) { return s.Sessions.IssueToken(s.ctx, first, token(), nil) }), true, nil, false},
		{"session of another", answers(func() (bool, error) { return s.Sessions.RevokeSession(s.ctx, s.bob, record.Hash(first)) }), false, nil, true},
		{"revoke all", answers(func() (int, error) { hs, err := s.Sessions.RevokeAll(s.ctx, s.ann); return len(hs), err }), 1, nil, false},
	}
}

func codeSteps(s *stage) []step {
	code := sessions.NewSecret(s.ann.Shard())
	use := func(version uint64) func() (any, error) {
		return answers(func() (bool, error) {
			sec, err := s.Accounts.Secret(s.ctx, s.ann)
			if err != nil {
				return false, err
			}
			return s.Sessions.UseCode(s.ctx, code, sessions.NewSecret(s.ann.Shard()), record.TokenRecord{User: s.ann, Created: s.Now()}, sec.Version+version)
		})
	}
	put := does(func() error {
		return s.Sessions.PutCode(s.ctx, code, record.Code{User: s.ann, App: s.bob, RedirectURI: "https://a.test/"})
	})
	find := func() (any, error) {
		c, ok, err := s.Sessions.GetCode(s.ctx, code)
		return ok && c.User == s.ann && c.Token == "", err
	}
	spent := func() (any, error) {
		c, ok, err := s.Sessions.GetCode(s.ctx, code)
		return ok && c.User == s.ann && c.Token != "" && c.App == 0, err
	}
	return []step{
		{"none", find, false, nil, true}, {"put", put, "", nil, false}, {"find", find, true, nil, true},
		{"a password that has changed", use(1), false, nil, true}, {"use", use(0), true, nil, false}, {"again", use(0), false, nil, true}, {"used up", spent, true, nil, true},
		{"another", put, "", nil, false}, {"late", func() (any, error) { s.clock.turn(sessions.CodeTTL + time.Second); return find() }, false, nil, false},
	}
}

func appSteps(s *stage) []step {
	a := linnet.App{Name: "a", RedirectURIs: []string{"https://a.test/"}, CreatedAt: s.Now()}
	keep := func(other linnet.ID) func() (any, error) {
		return answers(func() (bool, error) { return s.Sessions.KeepApp(s.ctx, a.ID+other) })
	}
	find := func() (any, error) {
		got, hash, ok, err := s.Sessions.App(s.ctx, a.ID)
		return ok && got.Name == "a" && hash == "h", err
	}
	return []step{
		{"create", does(func() error { return s.Sessions.CreateApp(s.ctx, 7, &a, "h") }), "", nil, false}, {"find", find, true, nil, true},
		{"none", keep(64), false, nil, true}, {"keep", keep(0), true, nil, false}, {"again", keep(0), true, nil, true},
		{"after long", func() (any, error) { s.clock.turn(2 * sessions.UnusedAppTTL); return find() }, true, nil, true},
	}
}

func daySteps(s *stage) []step {
	add := does(func() error {
		return s.Staff.AddDay(s.ctx, s.Now(), linnet.Day{Posts: 2, Queue: 5}, new(staff.DaySketch))
	})
	hide := func(names ...string) func() (any, error) {
		return answers(func() (bool, error) {
			return s.Statuses.Tags.DecideTrend(s.ctx, record.TrendTags, s.taskOf(0), func(d *record.Untrended) bool {
				same := slices.Equal(d.Names, names)
				d.Names = names
				return !same
			})
		})
	}
	return []step{
		{"add", add, "", nil, false}, {"add more", add, "", nil, false},
		{"read", answers(func() ([]int64, error) {
			d, err := s.Staff.Days(s.ctx, []time.Time{s.Now(), s.Now().AddDate(0, 0, -1)})
			return []int64{d[0].Posts, d[0].Queue, d[1].Posts}, err
		}), []int64{4, 5, 0}, nil, true},
		{"hide", hide("t"), true, nil, false}, {"hide again", hide("t"), false, nil, true},
		{"hidden", answers(func() (int, error) {
			h, err := s.Statuses.Tags.HiddenTrends(s.ctx)
			return len(h[record.TrendTags].Names), err
		}), 1, nil, true},
		{"show", hide(), true, nil, false}, {"show again", hide(), false, nil, true},
	}
}
