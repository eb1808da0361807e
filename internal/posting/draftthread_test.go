package posting_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"linnet/internal/app/apptest"
	"linnet/internal/kv/faultkv"
	"linnet/internal/kv/memkv"
	"linnet/internal/linnet"
	"linnet/internal/posting"
	"linnet/internal/store"
)

// adds saves a text as the last part of the thread t.
func adds(w *apptest.World, by linnet.ID, text string, d linnet.Draft) *linnet.Scheduled {
	w.Helper()
	d.Text, d.IdempotencyKey = text, "key of "+text
	sc, as, err := w.Posting.Threads.Add(w.Ctx, by, linnet.Unfinished{Draft: d, Thread: "t"})
	if err != nil || as != posting.SavedHere {
		w.Fatal(as, err)
	}
	return sc
}

// chain returns the texts of a user's posts, oldest first, each with the text of its parent.
func chain(w *apptest.World, me linnet.ID) (out string) {
	w.Helper()
	all := apptest.Must(w.Reading.Profile(w.Ctx, me, me, linnet.ProfileFilter{}, linnet.Page{Limit: 40}))(w).Items
	texts := map[linnet.ID]string{}
	for _, st := range slices.Backward(all) {
		texts[st.ID] = st.Text
		out += "[" + st.Text
		if st.InReplyTo != 0 {
			out += " to " + texts[st.InReplyTo]
		}
		out += "]"
	}
	return out
}

// TestDraftThread checks that the parts of a thread are posted in order, each as a reply to the one
// before, with the audience of the first one. If a part is refused, none is posted.
func TestDraftThread(t *testing.T) {
	apptest.OnEngines(t, func(w *apptest.World) {
		ann, bob := w.Person("ann"), w.Person("bob")
		root := w.Post(bob, "root").ID
		pic := apptest.Must(w.Upload(ann))(w)
		saves(w, ann, "alone", linnet.Draft{})
		adds(w, ann, "one", linnet.Draft{Visibility: new(linnet.Private), InReplyTo: root})
		two := adds(w, ann, "two", linnet.Draft{InReplyTo: root, Media: []linnet.ID{pic.ID}})
		adds(w, ann, "three", linnet.Draft{InReplyTo: root, Poll: &linnet.PollDraft{Options: []string{"a", "b"}, Seconds: 3600}})
		if got := allDrafts(w, ann); got != "2 [one][two][three][alone]" {
			w.Errorf("drafts are %s", got)
		}
		if second, n, err := w.Posting.Drafts.List(w.Ctx, ann, 1, 1); err != nil || n != 2 || len(second) != 1 || second[0].Draft.Text != "alone" {
			w.Errorf("the second one: %+v, %d, %v", second, n, err)
		}
		d := two.Draft
		d.Text, d.From = strings.Repeat("x", 501), asSeen(two)
		if _, _, err := w.Posting.Threads.Add(w.Ctx, ann, linnet.Unfinished{Draft: d, Thread: "t", Part: two.Part}); linnet.KindOf(err) != linnet.Invalid {
			w.Errorf("too long: %v", err)
		}
		d.Media = []linnet.ID{pic.ID}
		long := apptest.Must(save(w, ann, linnet.Unfinished{Draft: d, Thread: "t", Part: two.Part}))(w)
		_, err := w.Posting.Threads.Post(w.Ctx, ann, "t", "")
		var part *posting.PartError
		if !errors.As(err, &part) || part.Number != 2 || part.Draft != two.ID || part.Posted != 0 || linnet.KindOf(err) != linnet.Invalid || chain(w, ann) != "" {
			w.Errorf("%+v, posted %s", err, chain(w, ann))
		}
		d.Text, d.From = "second", asSeen(long)
		apptest.Must(save(w, ann, linnet.Unfinished{Draft: d, Thread: "t", Part: two.Part}))(w)
		if _, err := w.Posting.Threads.Post(w.Ctx, bob, "t", ""); linnet.KindOf(err) != linnet.Conflict {
			w.Errorf("by another user: %v", err)
		}
		var all sync.WaitGroup
		for range 6 { // a form that is sent again makes no second thread
			all.Go(func() {
				st, err := w.Posting.Threads.Post(w.Ctx, ann, "t", "key of three")
				if err != nil && linnet.KindOf(err) != linnet.Unavailable || err == nil && st.Visibility != linnet.Private {
					w.Errorf("%+v, %v", st.SharedStatus, err)
				}
			})
		}
		all.Wait()
		if got := chain(w, ann); got != "[one to ][second to one][three to second]" || draftsOf(w, ann) != "[alone]" {
			w.Errorf("posted %s, left %s", got, draftsOf(w, ann))
		}
		for _, st := range apptest.Must(w.Reading.Profile(w.Ctx, ann, ann, linnet.ProfileFilter{}, linnet.Page{}))(w).Items {
			if st.Visibility != linnet.Private || (st.Text == "second") != (len(st.Media) == 1) || (st.Text == "three") != (st.Poll != nil) {
				w.Errorf("%+v", st.Status)
			}
		}
		if st := apptest.Must(w.Posting.Threads.Post(w.Ctx, ann, "t", "key of three"))(w); st.Text != "three" {
			w.Errorf("posted again: %s", st.Text)
		}
		w.Check()
	})
}

// save saves a draft.
func save(w *apptest.World, by linnet.ID, in linnet.Unfinished) (*linnet.Scheduled, error) {
	sc, _, err := w.Posting.Drafts.Save(w.Ctx, by, in)
	return sc, err
}

// allDrafts returns the number of a user's drafts, and the texts of all their parts.
func allDrafts(w *apptest.World, me linnet.ID) (out string) {
	w.Helper()
	all, of, err := w.Posting.Drafts.List(w.Ctx, me, 0, 20)
	if err != nil {
		w.Fatal(err)
	}
	for _, s := range all {
		out += "[" + s.Draft.Text + "]"
	}
	return fmt.Sprint(of, " ", out)
}

// TestDraftThreadRules checks what can't be a part of a thread, and the order of unfinished parts.
func TestDraftThreadRules(t *testing.T) {
	w := apptest.InMemory(t)
	ann := w.Person("ann")
	for says, in := range map[string]linnet.Unfinished{
		"mentioned people only": {Draft: linnet.Draft{Text: "x", Visibility: new(linnet.Direct)}, Thread: "t"},
		"can't be set":          {Draft: linnet.Draft{Text: "x"}, Thread: "t", PublishAt: w.Store.Now().Add(time.Hour)},
		"posts in groups":       {Draft: linnet.Draft{Text: "x"}, Thread: "t", Group: 7},
		"Edits":                 {Draft: linnet.Draft{Text: "x"}, Thread: "t", Edits: 7},
		"can't be blank":        {Draft: linnet.Draft{Text: " "}, Thread: "t"},
		"posted or deleted":     {Draft: linnet.Draft{Text: "x"}},
	} {
		if _, _, err := w.Posting.Threads.Add(w.Ctx, ann, in); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%v does not say %q", err, says)
		}
	}
	open := apptest.Must(save(w, ann, linnet.Unfinished{Draft: linnet.Draft{Text: "open"}, Thread: "t"}))(t)
	for i := 1; i < linnet.MaxThreadPosts; i++ {
		adds(w, ann, fmt.Sprint(i), linnet.Draft{})
	}
	if _, err := save(w, ann, linnet.Unfinished{Draft: linnet.Draft{Text: "more"}, Thread: "t"}); err == nil || !strings.Contains(err.Error(), "at most 25 posts") {
		t.Errorf("the 26th: %v", err)
	}
	parts := apptest.Must(w.Posting.Threads.Parts(w.Ctx, ann, "t"))(t)
	if len(parts) != linnet.MaxThreadPosts || parts[0].Draft.Text != "1" || parts[24].ID != open.ID || parts[24].Part != 0 {
		t.Errorf("%d parts: %+v", len(parts), parts)
	}
	late := apptest.Must(save(w, ann, linnet.Unfinished{Draft: linnet.Draft{Text: "1", IdempotencyKey: "key of 1"}}))(t) // saved before it became a part
	if late.ID != parts[0].ID || late.Thread != "t" || late.Part != 1 {
		t.Errorf("%+v", late)
	}
	if all := apptest.Must(w.Posting.Threads.Parts(w.Ctx, ann, ""))(t); len(all) != 0 {
		t.Errorf("no thread has %d parts", len(all))
	}
	apptest.Must(w.Posting.Threads.Post(w.Ctx, ann, "t", ""))(t)
	if got := chain(w, ann); !strings.HasPrefix(got, "[1][2 to 1][3 to 2]") || !strings.HasSuffix(got, "[open to 24]") {
		t.Errorf("posted %s", got)
	}
	w.Check()
}

// TestDraftThreadParentDeleted checks that a thread whose parent is deleted can be posted after its
// first part was saved without the parent.
func TestDraftThreadParentDeleted(t *testing.T) {
	w := apptest.InMemory(t)
	ann, bob := w.Person("ann"), w.Person("bob")
	root := w.Post(bob, "root").ID
	one := adds(w, ann, "one", linnet.Draft{InReplyTo: root})
	adds(w, ann, "two", linnet.Draft{InReplyTo: root})
	apptest.Must(w.Posting.Delete(w.Ctx, bob, root))(t)
	var part *posting.PartError
	if _, err := w.Posting.Threads.Post(w.Ctx, ann, "t", ""); !errors.As(err, &part) || part.Number != 1 || chain(w, ann) != "" {
		t.Errorf("%v, posted %s", err, chain(w, ann))
	}
	apptest.Must(save(w, ann, linnet.Unfinished{Draft: linnet.Draft{Text: "one", From: asSeen(one)}, Thread: "t", Part: 1}))(t)
	apptest.Must(w.Posting.Threads.Post(w.Ctx, ann, "t", ""))(t)
	if got := chain(w, ann); got != "[one][two to one]" || draftsOf(w, ann) != "" {
		t.Errorf("posted %s, left %s", got, draftsOf(w, ann))
	}
	w.Check()
}

// TestDraftThreadIsInterrupted fails each write of posting a thread once. Posting it again
// continues it, and each post is created once.
func TestDraftThreadIsInterrupted(t *testing.T) {
	for _, when := range []faultkv.When{faultkv.Before, faultkv.After} {
		for n := 1; ; n++ {
			e := faultkv.New(memkv.New(memkv.Options{}))
			w := apptest.Idle(t, e, store.Options{})
			ann := w.Person("ann")
			for _, text := range []string{"one", "two", "three"} {
				adds(w, ann, text, linnet.Draft{})
			}
			e.Reset()
			e.FailAt(n, when)
			_, err := w.Posting.Threads.Post(w.Ctx, ann, "t", "key of three")
			if writes := e.Stats().Writes(); writes < n {
				break
			}
			if err != nil {
				if got := chain(w, ann) + allDrafts(w, ann); !strings.Contains(got, "three") || !strings.Contains(got, "two") || !strings.Contains(got, "one") {
					t.Errorf("write %d, %v: %v, left are %s", n, when, err, got)
				}
				apptest.Must(w.Posting.Threads.Post(w.Ctx, ann, "t", "key of three"))(t)
			}
			if got := chain(w, ann); got != "[one][two to one][three to two]" || draftsOf(w, ann) != "" {
				t.Errorf("write %d, %v: %s, left %s", n, when, got, draftsOf(w, ann))
			}
			apptest.Serve(t, e, store.Options{}).Check()
		}
	}
}
