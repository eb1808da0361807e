package app_test

import (
	"fmt"
	"maps"
	"sync/atomic"
	"testing"
	"time"

	"linnet/internal/app/apptest"
	"linnet/internal/kv/faultkv"
	"linnet/internal/kv/memkv"
	"linnet/internal/linnet"
	"linnet/internal/store"
)

// stage is the setting of an action: bob and cat follow ann, and ann follows bob. dan follows no
// one.
type stage struct {
	*apptest.World
	engine             *faultkv.Engine
	memory             *memkv.Engine // the engine below
	ahead              *atomic.Int64 // nanoseconds added to its clock
	ann, bob, cat, dan linnet.ID
	byAnn, byBob       linnet.ID // a status of each, reposted by cat
	byDan              linnet.ID // with a favourite and a repost by ann
	answer             linnet.ID // dan's reply to byAnn
	list               linnet.ID // ann's, contains bob
	toBob              linnet.ID // the second direct status of ann to bob
}

func newStage(t *testing.T) *stage {
	t.Helper()
	ahead := new(atomic.Int64)
	memory := memkv.New(memkv.Options{Now: func() time.Time { return time.Now().Add(time.Duration(ahead.Load())) }})
	e := faultkv.New(memory)
	w := apptest.Idle(t, e, store.Options{})
	s := &stage{World: w, engine: e, memory: memory, ahead: ahead, ann: w.Person("ann"), bob: w.Person("bob"), cat: w.Person("cat"), dan: w.Person("dan")}
	w.Follow(s.bob, s.ann)
	w.Follow(s.cat, s.ann)
	w.Follow(s.ann, s.bob)
	s.byAnn, s.byBob, s.byDan = w.Post(s.ann, "by ann #Old @dan").ID, w.Post(s.bob, "by bob").ID, w.Post(s.dan, "by dan").ID
	for _, id := range []linnet.ID{s.byAnn, s.byBob} {
		apptest.Must(w.Posting.Repost(w.Ctx, s.cat, id, nil))(t)
		apptest.Must(w.Posting.Marks.Favourite(w.Ctx, s.cat, id))(t)
	}
	apptest.Must(w.Posting.Marks.Favourite(w.Ctx, s.ann, s.byDan))(t)
	apptest.Must(w.Posting.Repost(w.Ctx, s.ann, s.byDan, nil))(t)
	s.answer = w.Draft(s.dan, linnet.Draft{Text: "answer", InReplyTo: s.byAnn}).ID
	l := apptest.Must(w.Lists.CreateList(w.Ctx, s.ann, linnet.ListChange{Title: new("list")}))(t)
	s.list = l.ID
	if err := w.Lists.AddToList(w.Ctx, s.ann, s.list, []linnet.ID{s.bob}); err != nil {
		t.Fatal(err)
	}
	w.Direct(s.ann, "@bob one")
	s.toBob = w.Direct(s.ann, "@bob two").ID
	for _, who := range []linnet.ID{s.ann, s.bob, s.cat, s.dan} {
		w.Home(who, 20) // warm
	}
	w.OK(w.GiveRole("cat", linnet.Moderator))
	apptest.Serve(t, e, store.Options{})
	w.Check()
	return s
}

// faultyAct is an action and the expected state after its acknowledgement and all tasks.
type faultyAct struct {
	do   func(s *stage) error
	once func(s *stage) error  // do without its other steps, or nil for do
	want func(s *stage) string // returns "" if the state is correct
}

// homes returns the number of times that a text is in each home timeline.
func (s *stage) homes(text string) string {
	out := ""
	for _, who := range []linnet.ID{s.ann, s.bob, s.cat, s.dan} {
		n := 0
		for _, v := range s.Home(who, 7) {
			if v.Text == text || v.Repost != nil && "RT "+v.Repost.Text == text {
				n++
			}
		}
		out += fmt.Sprint(n)
	}
	return out
}

// differs returns "" if got equals want, or a message.
func differs(got, want string) string {
	if got == want {
		return ""
	}
	return fmt.Sprintf("got %q, want %q", got, want)
}

func (s *stage) counts(id linnet.ID) string {
	v := apptest.Must(s.View.Status(s.Ctx, s.ann, id))(s)
	return fmt.Sprint(v.Replies, v.Reposts, v.Favourites)
}

func (s *stage) person(id linnet.ID) string {
	v := apptest.Must(s.View.User(s.Ctx, s.ann, id))(s)
	return fmt.Sprint(v.Followers, v.Following, v.Statuses)
}

func (s *stage) notices(of linnet.ID) string {
	out := ""
	for _, n := range apptest.Must(s.Notify.Notifications(s.Ctx, of, linnet.NotificationFilter{}, linnet.Page{}))(s).Items {
		out += string(n.Type) + " "
	}
	return out
}

func faultyActs() map[string]faultyAct {
	return map[string]faultyAct{
		"post": {
			do: func(s *stage) error {
				return apptest.Err(s.Posting.Post(s.Ctx, s.ann, linnet.Draft{Text: "new #New @dan", InReplyTo: s.byBob, IdempotencyKey: "k"}))
			},
			want: func(s *stage) string {
				tag := apptest.Must(s.Reading.Tag(s.Ctx, 0, linnet.TagQuery{Tag: "new"}, linnet.Page{}))(s)
				return differs(s.homes("new #New @dan")+s.counts(s.byBob)+s.person(s.ann)+fmt.Sprint(len(tag.Items))+s.notices(s.dan),
					"11001 1 1"+"2 1 3"+"1"+"mention reblog favourite mention ")
			},
		},
		"report": {
			do: func(s *stage) error {
				return apptest.Err(s.Moderation.Report(s.Ctx, s.dan, linnet.ReportDraft{On: s.ann, Statuses: []linnet.ID{s.byAnn}, Comment: "odd"}))
			},
			want: func(s *stage) string {
				open := apptest.Must(s.Moderation.Reports(s.Ctx, linnet.Operator(), linnet.ReportFilter{}, linnet.Page{}))(s).Items
				return differs(fmt.Sprint(len(open), len(open[0].StatusViews))+" "+s.notices(s.cat), "1 1 admin.report ")
			},
		},
		"suspend": {
			do: func(s *stage) error { return s.Operate("ann", linnet.Measure{Act: linnet.Suspend, Reason: "spam"}) },
			want: func(s *stage) string {
				acts := apptest.Must(s.Moderation.Acts(s.Ctx, linnet.Operator(), linnet.Page{}))(s).Items
				found := apptest.Must(s.Store.Accounts.UsersByPrefix(s.Ctx, "ann", 5))(s)
				return differs(fmt.Sprint(len(acts), acts[0].Reason, len(found))+s.homes("by ann #Old @dan"), "2spam00000")
			},
		},
		"repost": {
			do: func(s *stage) error { return apptest.Err(s.Posting.Repost(s.Ctx, s.bob, s.byDan, nil)) },
			want: func(s *stage) string {
				return differs(s.homes("RT by dan")+s.counts(s.byDan)+s.person(s.bob)+s.notices(s.dan), "11100 2 11 1 2reblog reblog favourite mention ")
			},
		},
		"unrepost": {
			do: func(s *stage) error { return apptest.Err(s.Posting.Unrepost(s.Ctx, s.ann, s.byDan)) },
			want: func(s *stage) string {
				return differs(s.homes("RT by dan")+s.counts(s.byDan)+s.person(s.ann)+s.notices(s.dan), "00000 0 12 1 1favourite mention ")
			},
		},
		"favourite": {
			do: func(s *stage) error { return apptest.Err(s.Posting.Marks.Favourite(s.Ctx, s.bob, s.byDan)) },
			want: func(s *stage) string {
				return differs(s.counts(s.byDan)+s.notices(s.dan), "0 1 2favourite reblog favourite mention ")
			},
		},
		"unfavourite": {
			do:   func(s *stage) error { return apptest.Err(s.Posting.Marks.Unfavourite(s.Ctx, s.ann, s.byDan)) },
			want: func(s *stage) string { return differs(s.counts(s.byDan)+s.notices(s.dan), "0 1 0reblog mention ") },
		},
		"follow": {
			do: func(s *stage) error { return apptest.Err(s.Social.Follow(s.Ctx, s.bob, s.dan, linnet.FollowOptions{})) },
			want: func(s *stage) string {
				return differs(s.homes("by dan")+s.person(s.bob)+s.person(s.dan)+s.notices(s.dan), "01011 2 11 0 2follow reblog favourite mention ")
			},
		},
		"unfollow": {
			do: func(s *stage) error { return apptest.Err(s.Social.Unfollow(s.Ctx, s.bob, s.ann)) },
			want: func(s *stage) string {
				return differs(s.homes("by ann #Old @dan")+s.person(s.bob)+s.person(s.ann), "10101 0 11 1 2")
			},
		},
		"delete": {
			do: func(s *stage) error {
				_, err := s.Posting.Delete(s.Ctx, s.ann, s.byAnn)
				if linnet.KindOf(err) == linnet.NotFound {
					return nil // a retry
				}
				return err
			},
			want: func(s *stage) string {
				fav := apptest.Must(s.Posting.Marks.Favourites(s.Ctx, s.cat, linnet.Page{}))(s)
				return differs(s.homes("by ann #Old @dan")+s.homes("RT by ann #Old @dan")+s.person(s.ann)+s.person(s.cat)+fmt.Sprint(len(fav.Items))+s.notices(s.dan)+
					fmt.Sprint(apptest.Must(s.View.Status(s.Ctx, s.dan, s.answer))(s).Orphaned), "0000"+"0000"+"2 1 1"+"0 1 1"+"1"+"reblog favourite "+"true")
			},
		},
		"add to list": {
			do: func(s *stage) error { return s.Lists.AddToList(s.Ctx, s.ann, s.list, []linnet.ID{s.dan}) },
			want: func(s *stage) string {
				return differs(fmt.Sprint(apptest.Texts(apptest.Must(s.Feeds.ListTimeline(s.Ctx, s.ann, s.list, linnet.Page{}))(s).Items)), "[answer by dan by bob]")
			},
		},
		"remove from list": {
			do: func(s *stage) error { return s.Lists.RemoveFromList(s.Ctx, s.ann, s.list, []linnet.ID{s.bob}) },
			want: func(s *stage) string {
				return differs(fmt.Sprint(apptest.Texts(apptest.Must(s.Feeds.ListTimeline(s.Ctx, s.ann, s.list, linnet.Page{}))(s).Items)), "[]")
			},
		},
		"delete list": {
			do: func(s *stage) error {
				err := s.Lists.DeleteList(s.Ctx, s.ann, s.list)
				if linnet.KindOf(err) == linnet.NotFound {
					return nil
				}
				return err
			},
			want: func(s *stage) string {
				return differs(fmt.Sprint(len(apptest.Must(s.Lists.Lists(s.Ctx, s.ann))(s))), "0")
			},
		},
		"rename": {
			do: func(s *stage) error {
				return apptest.Err(s.Social.Profiles.Update(s.Ctx, s.ann, linnet.ProfileChange{Name: new("Annabel")}))
			},
			want: func(s *stage) string {
				return differs(fmt.Sprint(len(apptest.Must(s.Discovery.SearchUsers(s.Ctx, 0, apptest.SearchFor("annabel")))(s))), "1")
			},
		},
	}
}

func allFaultyActs() map[string]faultyAct {
	all := faultyActs()
	maps.Copy(all, accountActs())
	maps.Copy(all, blockActs())
	maps.Copy(all, requestActs())
	maps.Copy(all, registerActs())
	maps.Copy(all, faultyGroupActs())
	maps.Copy(all, inviteActs())
	maps.Copy(all, faultyConversationActs())
	maps.Copy(all, promotionActs())
	maps.Copy(all, rankingActs())
	maps.Copy(all, pollActs())
	maps.Copy(all, scheduledActs())
	maps.Copy(all, mediaActs())
	maps.Copy(all, editActs())
	maps.Copy(all, quoteActs())
	return all
}

// manyWrites is the number of writes of an action above which each write fails in only one of the
// three ways.
const manyWrites = 20

// TestEachWriteOfEachAct checks that each action is done exactly once although each of its writes
// fails in turn, before or after it is made. The client retries, and another server runs the tasks.
func TestEachWriteOfEachAct(t *testing.T) {
	for name, act := range allFaultyActs() {
		t.Run(name, func(t *testing.T) {
			s := newStage(t)
			s.engine.Reset()
			if err := act.do(s); err != nil {
				t.Fatal(err)
			}
			writes := s.engine.Stats().Writes()
			t.Logf("%d writes before the answer", writes)
			for _, when := range []faultkv.When{faultkv.Before, faultkv.After, faultkv.Half} {
				if testing.Short() && when != faultkv.After {
					continue
				}
				for n := 1; n <= writes; n++ {
					if writes > manyWrites && n%3 != int(when)%3 {
						continue
					}
					failAt(t, act, n, when)
				}
			}
		})
	}
}

func failAt(t *testing.T, act faultyAct, n int, when faultkv.When) {
	t.Helper()
	s := newStage(t)
	s.engine.Reset()
	s.engine.FailAt(n, when)
	for try := 0; ; try++ {
		err := act.do(s)
		if err == nil {
			break
		}
		if linnet.KindOf(err) != linnet.Unavailable || try == 3 {
			t.Fatalf("write %d fails (%v), try %d: %v", n, when, try, err)
		}
	}
	s.engine.Reset()
	fresh := *s
	fresh.World = apptest.Serve(t, s.engine, store.Options{})
	if diff := act.want(&fresh); diff != "" {
		t.Errorf("write %d fails (%v): %s", n, when, diff)
	}
	fresh.Check()
	if t.Failed() {
		t.FailNow()
	}
}

// TestStoreIsAway checks that each action reports an unavailable store and changes nothing.
func TestStoreIsAway(t *testing.T) {
	for name, act := range allFaultyActs() {
		t.Run(name, func(t *testing.T) {
			s := newStage(t)
			s.engine.Away(true)
			apptest.WantKind(t, act.do(s), linnet.Unavailable)
			s.engine.Away(false)
			if err := act.do(s); err != nil {
				t.Fatal(err)
			}
			fresh := *s
			fresh.World = apptest.Serve(t, s.engine, store.Options{})
			if diff := act.want(&fresh); diff != "" {
				t.Error(diff)
			}
			fresh.Check()
		})
	}
}

// TestPostWithoutKey checks that a post without an Idempotency-Key finds out whether a write
// without a response was made. A failed post does not exist.
func TestPostWithoutKey(t *testing.T) {
	for when, want := range map[faultkv.When]int{faultkv.Before: 0, faultkv.After: 1} {
		e := faultkv.New(memkv.New(memkv.Options{}))
		w := apptest.Idle(t, e, store.Options{})
		ann := w.Person("ann")
		e.Reset()
		e.FailAt(1, when)
		_, err := w.Posting.Post(w.Ctx, ann, linnet.Draft{Text: "once"})
		if (err == nil) != (want == 1) {
			t.Errorf("%v: %v", when, err)
		}
		apptest.Serve(t, e, store.Options{})
		p := apptest.Must(w.Reading.Profile(w.Ctx, 0, ann, linnet.ProfileFilter{}, linnet.Page{}))(t)
		if len(p.Items) != want || apptest.Must(w.View.User(w.Ctx, 0, ann))(t).Statuses != int64(want) {
			t.Errorf("%v: %d statuses", when, len(p.Items))
		}
		w.Check()
	}
}
