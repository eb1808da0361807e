package identity_test

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"

	"linnet/internal/app/apptest"
	"linnet/internal/linnet"
	"linnet/internal/store"
)

// TestEmojiChangesShow checks that changes of custom emoji appear in statuses, polls, names and
// versions that were rendered before.
func TestEmojiChangesShow(t *testing.T) {
	apptest.OnEngines(t, func(w *apptest.World) {
		ann := w.Person("ann")
		apptest.Must(w.Social.Profiles.Update(w.Ctx, ann, linnet.ProfileChange{Name: new("Ann :blob:"), Note: new("note :cat:"), Fields: &[]linnet.ProfileField{{Name: "f :cat:", Value: "v :blob:"}}}))(w)
		s := w.Draft(ann, linnet.Draft{Text: "one :blob: <b> :nope:", Warning: "w :cat:", Poll: &linnet.PollDraft{Options: []string{"yes :blob:", "no"}, Seconds: 600}})
		expect := func(when, status, name string) linnet.StatusView {
			w.Helper()
			return hasEmoji(w, when, ann, s.ID, status, name)
		}
		expect("without any", "", "")
		w.OK(w.Emoji("blob"))
		v := expect("with one", "blob", "blob")
		if b := v.Pictured.Body; !strings.HasPrefix(b, `<p>one <img class="emoji" src="/media/`) || !strings.Contains(b, `alt=":blob:" title=":blob:"`) || !strings.HasSuffix(b, "&lt;b&gt; :nope:</p>") {
			w.Errorf("the text is %s", b)
		}
		if v.HTML != "<p>one :blob: &lt;b&gt; :nope:</p>" {
			w.Errorf("apps get %s", v.HTML)
		}
		if p := v.Pictured; p.Warning != "w :cat:" || !strings.Contains(p.Lines[0], "yes <img") || p.Lines[1] != "no" {
			w.Errorf("%+v", p)
		}
		w.OK(w.Emoji("cat"))
		v = expect("with two", "cat blob", "blob cat")
		if p := v.By.Pictured; !strings.HasPrefix(p.Name, "Ann <img") || !strings.HasPrefix(p.Labels[0], "f <img") || !strings.HasPrefix(p.Lines[0], "v <img") || !strings.Contains(p.Body, "note <img") {
			w.Errorf("%+v", p)
		}
		apptest.Must(w.Emojis.Change(w.Ctx, linnet.Operator(), "blob", linnet.EmojiChange{Disabled: new(true)}))(w)
		expect("with one disabled", "cat", "cat")
		apptest.Must(w.Emojis.Change(w.Ctx, linnet.Operator(), "blob", linnet.EmojiChange{Disabled: new(false), Unlisted: new(true)}))(w)
		expect("with one not offered", "cat blob", "blob cat")
		if all := w.Core.Emojis().Offered(); len(all) != 1 || all[0].Shortcode != "cat" {
			w.Errorf("offered are %+v", all)
		}
		apptest.Must(w.Emojis.Change(w.Ctx, linnet.Operator(), "blob", linnet.EmojiChange{Shortcode: new("nope"), Category: new(" Blobs ")}))(w)
		expect("with one renamed", "cat nope", "cat")
		w.Check()
		w.OK(w.Emojis.Delete(w.Ctx, linnet.Operator(), "cat"))
		expect("with one deleted", "nope", "")
		apptest.WantKind(w, w.Emojis.Delete(w.Ctx, linnet.Operator(), "cat"), linnet.NotFound)
		w.OK(w.Emojis.Delete(w.Ctx, linnet.Operator(), "nope"))
		if got := w.FileNames(); len(got) != 0 {
			w.Errorf("files are left: %v", got)
		}
		w.Check()
	})
}

// hasEmoji compares the custom emoji of a status and its first version with status. It compares the
// custom emoji of the author's profile with name.
func hasEmoji(w *apptest.World, when string, author, id linnet.ID, status, name string) linnet.StatusView {
	w.Helper()
	v := apptest.Must(w.View.Status(w.Ctx, 0, id))(w)
	_, all, err := w.View.History(w.Ctx, author, id)
	w.OK(err)
	for _, got := range []struct{ what, has, want string }{{"status", apptest.Shortcodes(v.Pictured), status}, {"version", apptest.Shortcodes(all[0].Pictured), status},
		{"author", apptest.Shortcodes(v.By.Pictured), name}, {"profile", apptest.Shortcodes(apptest.Must(w.View.User(w.Ctx, 0, author))(w).Pictured), name}} {
		if got.has != got.want {
			w.Errorf("%s: the %s has %q, want %q", when, got.what, got.has, got.want)
		}
	}
	return v
}

func TestEmojiAreRefused(t *testing.T) {
	w := apptest.InMemory(t)
	add := func(code string, data []byte) error {
		t.Helper()
		f := apptest.Must(w.Uploads.Receive(bytes.NewReader(data)))(t)
		defer f.Close()
		_, err := w.Emojis.Add(w.Ctx, linnet.Operator(), linnet.NewEmoji{Shortcode: code}, f)
		return err
	}
	good := apptest.Picture(20, 20)
	for _, code := range []string{"", "a", "a b", ":a:", "ä1", strings.Repeat("a", 65), "a-b"} {
		apptest.WantKind(t, add(code, good), linnet.Invalid)
	}
	noise := append(slices.Clone(good), make([]byte, linnet.MaxEmojiBytes)...)
	for name, data := range map[string][]byte{"an SVG": []byte(`<svg xmlns="http://www.w3.org/2000/svg"/>`), "text": []byte("picture"), "nothing": nil, "a large file": noise, "a cut file": good[:30]} {
		if err := add("good", data); linnet.KindOf(err) != linnet.Invalid {
			t.Errorf("%s: %v", name, err)
		}
	}
	w.OK(add("good", good))
	apptest.WantKind(t, add("good", good), linnet.Invalid)
	w.OK(add("Good", good)) // codes are case-sensitive
	_, err := w.Emojis.Change(w.Ctx, linnet.Operator(), "good", linnet.EmojiChange{Shortcode: new("Good")})
	apptest.WantKind(t, err, linnet.Invalid)
	_, err = w.Emojis.Change(w.Ctx, linnet.Operator(), "nobody", linnet.EmojiChange{})
	apptest.WantKind(t, err, linnet.NotFound)
	_, err = w.Emojis.Change(w.Ctx, linnet.Operator(), "good", linnet.EmojiChange{Category: new(strings.Repeat("x", linnet.MaxEmojiCategory+1))})
	apptest.WantKind(t, err, linnet.Invalid)
	if got := w.FileNames(); len(got) != 2 {
		t.Errorf("what was refused left files: %v", got)
	}
	ann := w.User("ann")
	w.OK(w.GiveRole("ann", linnet.Moderator))
	apptest.WantKind(t, w.Emojis.Delete(w.Ctx, linnet.By(ann), "good"), linnet.Forbidden) // moderators lack the permission
	w.Check()
}

// TestEmojiAreBounded checks that the number of custom emoji is limited, and that a set too large
// for its record is refused.
func TestEmojiAreBounded(t *testing.T) {
	w := apptest.InMemory(t)
	fill := func(n int, category string) error {
		_, err := w.Store.Instance.ChangeEmojis(w.Ctx, func(*linnet.EmojiSet) ([]linnet.Emoji, error) {
			all := make([]linnet.Emoji, n)
			for i := range all {
				all[i] = linnet.Emoji{Shortcode: fmt.Sprintf("e%0*d", 62, i), Category: category, Name: "abcdefghijklmnopqrstuvwxyz.gif", Still: "abcdefghijklmnopqrstuvwxyz.png"}
			}
			return all, nil
		})
		return err
	}
	w.OK(fill(linnet.MaxEmojis, ""))
	apptest.WantKind(t, w.Emoji("onemore"), linnet.Invalid)
	w.OK(fill(linnet.MaxEmojis-1, strings.Repeat("c", 40)))
	w.OK(w.Emoji("last"))
	if err := fill(linnet.MaxEmojis, strings.Repeat("<", 40)); err == nil || store.Unavailable(err) {
		t.Errorf("a record too large: %v", err)
	}
}

// TestEmojiRaces checks that concurrent additions create each emoji once.
func TestEmojiRaces(t *testing.T) {
	apptest.OnEngines(t, func(w *apptest.World) {
		var group sync.WaitGroup
		var mu sync.Mutex
		won := 0
		for i := range 8 {
			group.Go(func() {
				w.OK(w.Emoji(fmt.Sprintf("own%d", i)))
				err := w.Emoji("same")
				mu.Lock()
				defer mu.Unlock()
				if err == nil {
					won++
				} else if linnet.KindOf(err) != linnet.Invalid {
					w.Error(err)
				}
			})
		}
		group.Wait()
		all := apptest.Must(w.Emojis.All(w.Ctx, linnet.Operator()))(w)
		if won != 1 || len(all) != 9 || len(w.FileNames()) != 9 {
			w.Errorf("%d won, %d emoji, %d files", won, len(all), len(w.FileNames()))
		}
		w.Check()
	})
}

// TestEmojiReachOtherServers checks that another server shows a new emoji within seconds, also in
// texts that it has rendered before.
func TestEmojiReachOtherServers(t *testing.T) {
	apptest.SkipShort(t)
	ws := apptest.Servers(t, 2)
	ann := ws[0].Person("ann")
	s := ws[0].Post(ann, "a :blob:")
	apptest.Settle(ws)
	shown := func() string {
		return apptest.Shortcodes(apptest.Must(ws[1].View.Status(ws[1].Ctx, 0, s.ID))(ws[1]).Pictured)
	}
	if got := shown(); got != "" {
		t.Fatal(got)
	}
	w := *ws[0]
	apptest.Must(w.Store.Instance.ChangeEmojis(w.Ctx, func(*linnet.EmojiSet) ([]linnet.Emoji, error) {
		return []linnet.Emoji{{Shortcode: "blob", Name: "abcdefghijklmnopqrstuvwxyz.png"}}, nil
	}))(t)
	ws[1].WaitFor("the emoji", shown, "blob")
}
