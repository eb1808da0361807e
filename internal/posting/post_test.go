package posting_test

import (
	"fmt"
	"strings"
	"sync"
	"testing"

	"linnet/internal/app/apptest"
	"linnet/internal/linnet"
)

// TestPostWithOneKey checks that attempts with one Idempotency-Key, in sequence and concurrent,
// make one status. Other keys and authors make others.
func TestPostWithOneKey(t *testing.T) { apptest.OnEngines(t, postWithOneKey) }

func postWithOneKey(w *apptest.World) {
	ann, bob := w.Person("ann"), w.Person("bob")
	var mu sync.Mutex
	got := map[linnet.ID]int{}
	var wg sync.WaitGroup
	for range 20 {
		wg.Go(func() {
			v, err := w.Posting.Post(w.Ctx, ann, linnet.Draft{Text: "once", IdempotencyKey: "key"})
			mu.Lock()
			defer mu.Unlock()
			if err != nil {
				w.Error(err)
				return
			}
			got[v.ID]++
		})
	}
	wg.Wait()
	again := w.Draft(ann, linnet.Draft{Text: "once", IdempotencyKey: "key"})
	if len(got) != 1 || got[again.ID] != 20 {
		w.Errorf("statuses %v, and later %v", got, again.ID)
	}
	if other := w.Draft(ann, linnet.Draft{Text: "once", IdempotencyKey: "other"}); other.ID == again.ID {
		w.Error("another key gave the same status")
	}
	if other := w.Draft(bob, linnet.Draft{Text: "once", IdempotencyKey: "key"}); other.ID == again.ID {
		w.Error("another author got the same status")
	}
	w.Drain()
	if v := apptest.Must(w.View.User(w.Ctx, 0, ann))(w); v.Statuses != 2 {
		w.Errorf("%d statuses are counted", v.Statuses)
	}
	w.Check()
}

// TestPostAtOnce checks that concurrent statuses of one author all exist once, in order for each
// client.
func TestPostAtOnce(t *testing.T) { apptest.OnEngines(t, postAtOnce) }

func postAtOnce(w *apptest.World) {
	ann, bob := w.Person("ann"), w.Person("bob")
	w.Follow(bob, ann)
	w.Home(bob, 20)
	var wg sync.WaitGroup
	for c := range 8 {
		wg.Go(func() {
			last := linnet.ID(0)
			for i := range 15 {
				v, err := w.Posting.Post(w.Ctx, ann, linnet.Draft{Text: fmt.Sprintf("%d %d", c, i)})
				if err != nil || v.ID <= last {
					w.Errorf("%v after %v: %v", v.ID, last, err)
					return
				}
				last = v.ID
			}
		})
	}
	wg.Wait()
	w.Drain()
	mine := w.Pages(17, func(p linnet.Page) (linnet.Slice[linnet.StatusView], error) {
		return w.Reading.Profile(w.Ctx, 0, ann, linnet.ProfileFilter{}, p)
	})
	seen := map[string]bool{}
	for _, s := range apptest.Texts(mine) {
		seen[s] = true
	}
	if len(mine) != 120 || len(seen) != 120 {
		w.Errorf("%d statuses, %d different", len(mine), len(seen))
	}
	apptest.Equal(w, "home of a follower", apptest.IDs(w.Home(bob, 13)), apptest.IDs(mine))
	w.Check()
}

func TestPostRules(t *testing.T) {
	w := apptest.InMemory(t)
	ann, bob := w.Person("ann"), w.Person("bob")
	secret := w.Draft(bob, linnet.Draft{Text: "x", Visibility: new(linnet.Private)})
	many := func(s string, n int) string { return strings.Repeat(s, n) }
	mentions, tags := "", ""
	for i := range 51 {
		mentions += fmt.Sprintf("@user%d ", i)
		tags += fmt.Sprintf("#t%d ", i)
	}
	for name, c := range map[string]struct {
		d    linnet.Draft
		kind linnet.Kind
	}{
		"blank":           {linnet.Draft{Text: " \n\t\u2003"}, linnet.Invalid},
		"nothing":         {linnet.Draft{}, linnet.Invalid},
		"too long":        {linnet.Draft{Text: many("x", 501)}, linnet.Invalid},
		"with warning":    {linnet.Draft{Text: many("x", 300), Warning: many("y", 201)}, linnet.Invalid},
		"too many bytes":  {linnet.Draft{Text: "a" + many("\u0301", 20_000)}, linnet.Invalid},
		"many mentions":   {linnet.Draft{Text: mentions}, linnet.Invalid},
		"many tags":       {linnet.Draft{Text: tags}, linnet.Invalid},
		"long key":        {linnet.Draft{Text: "x", IdempotencyKey: many("k", 201)}, linnet.Invalid},
		"answers nothing": {linnet.Draft{Text: "x", InReplyTo: 12345}, linnet.NotFound},
		"answers secrets": {linnet.Draft{Text: "x", InReplyTo: secret.ID}, linnet.NotFound},
	} {
		if _, err := w.Posting.Post(w.Ctx, ann, c.d); err == nil || linnet.KindOf(err) != c.kind {
			t.Errorf("%s: %v", name, err)
		}
	}
	_, err := w.Posting.Post(w.Ctx, linnet.MakeID(bob.Time(), 5, 6), linnet.Draft{Text: "x"})
	apptest.WantKind(t, err, linnet.NotFound)
	if v := apptest.Must(w.View.User(w.Ctx, 0, ann))(t); v.Statuses != 0 {
		t.Errorf("%d were posted", v.Statuses)
	}
	v := w.Draft(ann, linnet.Draft{Text: many("https://linnet.test/"+many("x", 200)+" ", 15), Warning: "mind"})
	if !v.Sensitive {
		t.Error("a warning does not make a status sensitive")
	}
}

// TestPostDefaults checks that a post uses the author's defaults and the draft's settings.
func TestPostDefaults(t *testing.T) {
	w := apptest.InMemory(t)
	ann := w.Person("ann")
	apptest.Must(w.Social.Profiles.Update(w.Ctx, ann, linnet.ProfileChange{Visibility: new(linnet.Private), Sensitive: new(true), Language: new("de")}))(t)
	v := w.Post(ann, "x")
	if v.Visibility != linnet.Private || !v.Sensitive || v.Language != "de" {
		t.Errorf("%+v", v.Status)
	}
	v = w.Draft(ann, linnet.Draft{Text: "y", Visibility: new(linnet.Public), Sensitive: new(false), Language: "fr"})
	if v.Visibility != linnet.Public || v.Sensitive || v.Language != "fr" {
		t.Errorf("%+v", v.Status)
	}
}
