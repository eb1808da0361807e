package posting_test

import (
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"linnet/internal/app/apptest"
	"linnet/internal/kv"
	"linnet/internal/linnet"
	"linnet/internal/posting"
	"linnet/internal/store"
)

// saves saves a text as a draft.
func saves(w *apptest.World, by linnet.ID, text string, d linnet.Draft) (*linnet.Scheduled, posting.SavedAs) {
	w.Helper()
	d.Text = text
	sc, as, err := w.Posting.Drafts.Save(w.Ctx, by, linnet.Unfinished{Draft: d})
	if err != nil {
		w.Fatal(err)
	}
	return sc, as
}

// draftsOf returns the texts of a user's drafts, the last changed first.
func draftsOf(w *apptest.World, me linnet.ID) (out string) {
	w.Helper()
	all, of, err := w.Posting.Drafts.List(w.Ctx, me, 0, 99)
	if err != nil || of != len(all) {
		w.Fatal(of, err)
	}
	for _, s := range all {
		out += "[" + s.Draft.Text + "]"
	}
	return out
}

func asSeen(s *linnet.Scheduled) linnet.DraftID { return linnet.DraftID{ID: s.ID, Version: s.Version} }

// TestDraftIsPostedOnce checks that a draft stores all fields, is not a scheduled status, and is
// posted once with its media.
func TestDraftIsPostedOnce(t *testing.T) {
	apptest.OnClockedEngines(t, func(t *testing.T, clock *apptest.Clock, e kv.Engine) {
		w := apptest.Idle(t, e, store.Options{Now: clock.Now})
		ann, bob := w.Person("ann"), w.Person("bob")
		root := w.Post(bob, "root").ID
		pic, more, never := apptest.Must(w.Upload(ann))(t), apptest.Must(w.Upload(ann))(t), apptest.Must(w.Upload(ann))(t)
		at := w.Store.Now().Add(time.Hour).Truncate(time.Millisecond)
		d := linnet.Draft{Text: " unfinished ", Warning: "w", Visibility: new(linnet.Private), Language: "de", InReplyTo: root, QuoteOf: root, Sensitive: new(true), QuotePolicy: new(linnet.QuoteNobody),
			Media: []linnet.ID{pic.ID, never.ID}, Poll: &linnet.PollDraft{Options: []string{"one", ""}}, Describe: map[linnet.ID]linnet.AttachmentChange{pic.ID: {Description: new("a square")}}}
		sc, as, err := w.Posting.Drafts.Save(w.Ctx, ann, linnet.Unfinished{Draft: d, Group: 77, Edits: 78, PublishAt: at})
		if err != nil || as != posting.SavedHere {
			t.Fatal(as, err)
		}
		got := apptest.Must(w.Posting.Drafts.Get(w.Ctx, ann, sc.ID))(t)
		if g := got.Draft; g.Warning != "w" || *g.Visibility != linnet.Private || g.Language != "de" || g.InReplyTo != root || g.QuoteOf != root || !*g.Sensitive || *g.QuotePolicy != linnet.QuoteNobody ||
			len(g.Poll.Options) != 2 || len(got.Media) != 2 || got.Media[0].Description != "a square" || got.Group != 77 || got.Edits != 78 || !got.PublishAt.Equal(at) || got.Saved.IsZero() || !got.At.IsZero() {
			t.Errorf("kept is %+v", got)
		}
		noSchedule(w, ann, sc.ID)
		_, err = w.Posting.Drafts.Get(w.Ctx, bob, sc.ID)
		apptest.WantKind(t, err, linnet.NotFound)
		apptest.WantKind(t, w.Posting.Drafts.Delete(w.Ctx, bob, asSeen(sc)), linnet.NotFound)
		w.Check()
		clock.Advance(30 * 24 * time.Hour) // media of drafts do not expire
		w = apptest.ServeDue(t, e, store.Options{Now: clock.Now})
		post := linnet.Draft{Text: "done", From: asSeen(sc), Media: []linnet.ID{more.ID, pic.ID}, Describe: map[linnet.ID]linnet.AttachmentChange{pic.ID: {Description: new("a red square")}}}
		_, err = w.Posting.Post(w.Ctx, ann, post)
		apptest.WantKind(t, err, linnet.Invalid) // never was not in the saved draft and has expired
		if got := draftsOf(w, ann); got != "[ unfinished ]" {
			t.Errorf("after what was refused: %s", got)
		}
		post.Media = post.Media[1:]
		var all sync.WaitGroup
		var mu sync.Mutex
		posted := 0
		for range 8 { // one of eight devices can post it
			all.Go(func() {
				_, err := w.Posting.Post(w.Ctx, ann, post)
				mu.Lock()
				defer mu.Unlock()
				if err == nil {
					posted++
				} else if linnet.KindOf(err) != linnet.Conflict {
					t.Error(err)
				}
			})
		}
		all.Wait()
		v := apptest.Must(w.Reading.Profile(w.Ctx, ann, ann, linnet.ProfileFilter{}, linnet.Page{}))(t).Items
		if posted != 1 || len(v) != 1 || len(v[0].Media) != 1 || v[0].Media[0].Description != "a red square" || draftsOf(w, ann) != "" {
			t.Errorf("posted %d times: %+v, left %s", posted, v, draftsOf(w, ann))
		}
		apptest.Must(w.Uploads.Attachment(w.Ctx, ann, never.ID))(t) // usable in another post
		w.Check()
	})
}

// noSchedule fails if a draft is listed as a scheduled status or can be handled as one.
func noSchedule(w *apptest.World, me, id linnet.ID) {
	w.Helper()
	if page := apptest.Must(w.Posting.Scheduled.Page(w.Ctx, me, linnet.Page{Limit: 40}))(w); len(page.Items) != 0 || w.ScheduledPosts(me) != "" {
		w.Errorf("scheduled are %+v", page.Items)
	}
	_, err := w.Posting.Scheduled.Get(w.Ctx, me, id)
	apptest.WantKind(w, err, linnet.NotFound)
	_, err = w.Posting.Scheduled.Reschedule(w.Ctx, me, id, w.Store.Now().Add(time.Hour))
	apptest.WantKind(w, err, linnet.NotFound)
	apptest.WantKind(w, w.Posting.Scheduled.Cancel(w.Ctx, me, id), linnet.NotFound)
}

// TestDraftInTwoPlaces checks that concurrent changes to a draft on two devices lose nothing: the
// later one is saved as a second draft. Retries make no second draft.
func TestDraftInTwoPlaces(t *testing.T) {
	apptest.OnEngines(t, func(w *apptest.World) {
		ann := w.Person("ann")
		one, _ := saves(w, ann, "one", linnet.Draft{IdempotencyKey: "A"})
		lost, _ := saves(w, ann, "one more", linnet.Draft{IdempotencyKey: "A"})                                     // a retry without a response
		two, as := saves(w, ann, "one, twice", linnet.Draft{IdempotencyKey: "A", From: asSeen(one)})                // another one
		three, _ := saves(w, ann, "one, thrice", linnet.Draft{IdempotencyKey: "B", From: linnet.DraftID{Key: "A"}}) // from a page opened again
		if lost.ID != one.ID || two.ID != one.ID || three.ID != one.ID || three.Version != 4 || as != posting.SavedHere {
			w.Errorf("%+v %+v %+v %v", lost, two, three, as)
		}
		aside, as := saves(w, ann, "other", linnet.Draft{IdempotencyKey: "A", From: asSeen(two)})
		if as != posting.SavedSeparately || aside.ID == one.ID || draftsOf(w, ann) != "[other][one, thrice]" {
			w.Errorf("changed elsewhere: %v %s", as, draftsOf(w, ann))
		}
		_, err := w.Posting.Post(w.Ctx, ann, linnet.Draft{Text: "x", From: asSeen(two)})
		if !errors.Is(err, posting.ErrDraftChanged) || !errors.Is(w.Posting.Drafts.Delete(w.Ctx, ann, asSeen(two)), posting.ErrDraftChanged) {
			w.Errorf("posted unseen: %v", err)
		}
		w.OK(w.Posting.Drafts.Delete(w.Ctx, ann, asSeen(three)))
		apptest.WantKind(w, w.Posting.Drafts.Delete(w.Ctx, ann, asSeen(three)), linnet.NotFound)
		_, err = w.Posting.Post(w.Ctx, ann, linnet.Draft{Text: "x", From: asSeen(three)})
		if !errors.Is(err, posting.ErrDraftDeleted) {
			w.Errorf("posted what is gone: %v", err)
		}
		if _, as = saves(w, ann, "anew", linnet.Draft{IdempotencyKey: "C", From: asSeen(three)}); as != posting.SavedAgain {
			w.Errorf("what is gone was saved as %v", as)
		}
		apptest.Must(w.Posting.Post(w.Ctx, ann, linnet.Draft{Text: "anew", IdempotencyKey: "C", From: linnet.DraftID{Key: "C"}}))(w)
		if sc, as := saves(w, ann, "ane", linnet.Draft{IdempotencyKey: "C"}); sc != nil || as != posting.SavedNever || draftsOf(w, ann) != "[other]" {
			w.Errorf("a save that came late: %v %s", as, draftsOf(w, ann))
		}
		plan := apptest.Must(w.Posting.Scheduled.Create(w.Ctx, ann, linnet.Draft{Text: "later", From: asSeen(aside)}, w.Store.Now().Add(time.Hour)))(w)
		if draftsOf(w, ann) != "" || w.ScheduledPosts(ann) != "[later]" || plan.Draft.From.Given() {
			w.Errorf("scheduled: %s %s", draftsOf(w, ann), w.ScheduledPosts(ann))
		}
		w.Check()
	})
}

// TestDraftsAtOnce checks that the limit of drafts holds for concurrent saves, and that all saved
// texts are listed.
func TestDraftsAtOnce(t *testing.T) {
	apptest.OnEngines(t, func(w *apptest.World) {
		ann := w.Person("ann")
		first, _ := saves(w, ann, "0", linnet.Draft{IdempotencyKey: "0"})
		var all sync.WaitGroup
		var mu sync.Mutex
		full, saved := 0, map[string]bool{"[0]": true}
		for i := 1; i <= linnet.MaxDrafts+4; i++ {
			all.Go(func() {
				d := linnet.Draft{Text: fmt.Sprint(i), IdempotencyKey: fmt.Sprint(i), From: asSeen(first)}
				for {
					_, _, err := w.Posting.Drafts.Save(w.Ctx, ann, linnet.Unfinished{Draft: d})
					if err != nil && linnet.KindOf(err) == linnet.Unavailable {
						continue
					}
					mu.Lock()
					defer mu.Unlock()
					if err == nil {
						saved["["+d.Text+"]"] = true
					} else if full++; !strings.Contains(err.Error(), "50 drafts") {
						w.Error(err)
					}
					return
				}
			})
		}
		all.Wait()
		got := draftsOf(w, ann)
		for text := range saved {
			if text != "[0]" && !strings.Contains(got, text) {
				w.Errorf("%s is lost", text)
			}
		}
		if n := strings.Count(got, "["); n != linnet.MaxDrafts || full != 4 {
			w.Errorf("%d drafts, %d were refused: %s", n, full, got)
		}
		apptest.Must(w.Posting.Scheduled.Create(w.Ctx, ann, linnet.Draft{Text: "has room of its own"}, w.Store.Now().Add(time.Hour)))(w)
		w.Check()
	})
}

// TestDraftLimits checks that incomplete drafts are saved, and that too large ones are refused with
// the limit.
func TestDraftLimits(t *testing.T) {
	w := apptest.InMemory(t)
	ann := w.Person("ann")
	saves(w, ann, strings.Repeat("x", linnet.MaxStatusBytes), linnet.Draft{})
	saves(w, ann, strings.Repeat("@a #b ", 500), linnet.Draft{Poll: &linnet.PollDraft{Options: []string{"", "", strings.Repeat("x", 400)}}})
	for says, d := range map[string]linnet.Draft{
		"16386 bytes, maximum is 16384":   {Text: strings.Repeat("é", linnet.MaxStatusBytes/2), Warning: "é"},
		"not a language":                  {Language: "{de}"},
		"has 5 options":                   {Poll: &linnet.PollDraft{Options: make([]string, 5)}},
		"at most 4 attachments (5 given)": {Media: make([]linnet.ID, 5)},
	} {
		if _, _, err := w.Posting.Drafts.Save(w.Ctx, ann, linnet.Unfinished{Draft: d}); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%v does not say %q", err, says)
		}
	}
	w.Check()
}

// TestDraftsOfADeletedAccount checks that drafts and their media are deleted with the account.
func TestDraftsOfADeletedAccount(t *testing.T) {
	apptest.OnClockedEngines(t, func(t *testing.T, clock *apptest.Clock, e kv.Engine) {
		opt := store.Options{Now: clock.Now}
		w := apptest.Idle(t, e, opt)
		ann := w.Person("ann")
		pic := apptest.Must(w.Upload(ann))(t)
		saves(w, ann, "", linnet.Draft{Media: []linnet.ID{pic.ID}})
		for i := range 24 {
			saves(w, ann, fmt.Sprint(i), linnet.Draft{})
		}
		w.OK(w.Social.Deletion.DeleteUser(w.Ctx, ann))
		w = apptest.Serve(t, e, opt)
		w.Check()
		clock.Advance(2 * time.Hour)
		w = apptest.ServeDue(t, e, opt)
		if left := keysOfPolls(w); len(left) > 0 {
			t.Errorf("%v are left", left)
		}
		w.Check()
	})
}
