package app_test

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"

	"linnet/internal/linnet"
	"linnet/internal/store"
)

// emoji adds a custom emoji.
func (w *world) emoji(code string) error {
	w.Helper()
	f, err := w.Uploads.Receive(bytes.NewReader(aPicture(20, 20)))
	if err != nil {
		return err
	}
	defer f.Close()
	_, err = w.Emojis.Add(w.ctx, linnet.Operator(), linnet.NewEmoji{Shortcode: code}, f)
	return err
}

// codes returns the shortcodes of the custom emoji that a text is shown with.
func codes(p *linnet.Pictured) string {
	var all []string
	for _, e := range p.Of() {
		all = append(all, e.Shortcode)
	}
	return strings.Join(all, " ")
}

// TestEmojiChangesShow checks that changes of custom emoji appear in statuses, polls, names and
// versions that were rendered before.
func TestEmojiChangesShow(t *testing.T) {
	onEngines(t, func(w *world) {
		ann := w.person("ann")
		must(w.Social.Profiles.Update(w.ctx, ann, linnet.ProfileChange{Name: new("Ann :blob:"), Note: new("note :cat:"), Fields: &[]linnet.ProfileField{{Name: "f :cat:", Value: "v :blob:"}}}))(w)
		s := w.draft(ann, linnet.Draft{Text: "one :blob: <b> :nope:", Warning: "w :cat:", Poll: &linnet.PollDraft{Options: []string{"yes :blob:", "no"}, Seconds: 600}})
		expect := func(when, status, name string) linnet.StatusView {
			w.Helper()
			return w.hasEmoji(when, ann, s.ID, status, name)
		}
		expect("without any", "", "")
		w.did(w.emoji("blob"))
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
		w.did(w.emoji("cat"))
		v = expect("with two", "cat blob", "blob cat")
		if p := v.By.Pictured; !strings.HasPrefix(p.Name, "Ann <img") || !strings.HasPrefix(p.Labels[0], "f <img") || !strings.HasPrefix(p.Lines[0], "v <img") || !strings.Contains(p.Body, "note <img") {
			w.Errorf("%+v", p)
		}
		must(w.Emojis.Change(w.ctx, linnet.Operator(), "blob", linnet.EmojiChange{Disabled: new(true)}))(w)
		expect("with one disabled", "cat", "cat")
		must(w.Emojis.Change(w.ctx, linnet.Operator(), "blob", linnet.EmojiChange{Disabled: new(false), Unlisted: new(true)}))(w)
		expect("with one not offered", "cat blob", "blob cat")
		if all := w.Core.Emojis().Offered(); len(all) != 1 || all[0].Shortcode != "cat" {
			w.Errorf("offered are %+v", all)
		}
		must(w.Emojis.Change(w.ctx, linnet.Operator(), "blob", linnet.EmojiChange{Shortcode: new("nope"), Category: new(" Blobs ")}))(w)
		expect("with one renamed", "cat nope", "cat")
		w.check()
		w.did(w.Emojis.Delete(w.ctx, linnet.Operator(), "cat"))
		expect("with one deleted", "nope", "")
		kindIs(w, w.Emojis.Delete(w.ctx, linnet.Operator(), "cat"), linnet.NotFound)
		w.did(w.Emojis.Delete(w.ctx, linnet.Operator(), "nope"))
		if got := w.files(); len(got) != 0 {
			w.Errorf("files are left: %v", got)
		}
		w.check()
	})
}

// hasEmoji compares the custom emoji of a status and its first version with status. It compares the
// custom emoji of the author's profile with name.
func (w *world) hasEmoji(when string, author, id linnet.ID, status, name string) linnet.StatusView {
	w.Helper()
	v := must(w.View.Status(w.ctx, 0, id))(w)
	_, all, err := w.View.History(w.ctx, author, id)
	w.did(err)
	for _, got := range []struct{ what, has, want string }{{"status", codes(v.Pictured), status}, {"version", codes(all[0].Pictured), status},
		{"author", codes(v.By.Pictured), name}, {"profile", codes(must(w.View.User(w.ctx, 0, author))(w).Pictured), name}} {
		if got.has != got.want {
			w.Errorf("%s: the %s has %q, want %q", when, got.what, got.has, got.want)
		}
	}
	return v
}

func TestEmojiAreRefused(t *testing.T) {
	w := memWorld(t)
	add := func(code string, data []byte) error {
		t.Helper()
		f := must(w.Uploads.Receive(bytes.NewReader(data)))(t)
		defer f.Close()
		_, err := w.Emojis.Add(w.ctx, linnet.Operator(), linnet.NewEmoji{Shortcode: code}, f)
		return err
	}
	good := aPicture(20, 20)
	for _, code := range []string{"", "a", "a b", ":a:", "ä1", strings.Repeat("a", 65), "a-b"} {
		kindIs(t, add(code, good), linnet.Invalid)
	}
	noise := append(slices.Clone(good), make([]byte, linnet.MaxEmojiBytes)...)
	for name, data := range map[string][]byte{"an SVG": []byte(`<svg xmlns="http://www.w3.org/2000/svg"/>`), "text": []byte("picture"), "nothing": nil, "a large file": noise, "a cut file": good[:30]} {
		if err := add("good", data); linnet.KindOf(err) != linnet.Invalid {
			t.Errorf("%s: %v", name, err)
		}
	}
	w.did(add("good", good))
	kindIs(t, add("good", good), linnet.Invalid)
	w.did(add("Good", good)) // codes are case-sensitive
	_, err := w.Emojis.Change(w.ctx, linnet.Operator(), "good", linnet.EmojiChange{Shortcode: new("Good")})
	kindIs(t, err, linnet.Invalid)
	_, err = w.Emojis.Change(w.ctx, linnet.Operator(), "nobody", linnet.EmojiChange{})
	kindIs(t, err, linnet.NotFound)
	_, err = w.Emojis.Change(w.ctx, linnet.Operator(), "good", linnet.EmojiChange{Category: new(strings.Repeat("x", linnet.MaxEmojiCategory+1))})
	kindIs(t, err, linnet.Invalid)
	if got := w.files(); len(got) != 2 {
		t.Errorf("what was refused left files: %v", got)
	}
	ann := w.user("ann")
	w.did(w.giveRole("ann", linnet.Moderator))
	kindIs(t, w.Emojis.Delete(w.ctx, linnet.By(ann), "good"), linnet.Forbidden) // moderators lack the permission
	w.check()
}

// TestEmojiAreBounded checks that the number of custom emoji is limited, and that a set too large
// for its record is refused.
func TestEmojiAreBounded(t *testing.T) {
	w := memWorld(t)
	fill := func(n int, category string) error {
		_, err := w.store.Instance.ChangeEmojis(w.ctx, func(*linnet.EmojiSet) ([]linnet.Emoji, error) {
			all := make([]linnet.Emoji, n)
			for i := range all {
				all[i] = linnet.Emoji{Shortcode: fmt.Sprintf("e%0*d", 62, i), Category: category, Name: "abcdefghijklmnopqrstuvwxyz.gif", Still: "abcdefghijklmnopqrstuvwxyz.png"}
			}
			return all, nil
		})
		return err
	}
	w.did(fill(linnet.MaxEmojis, ""))
	kindIs(t, w.emoji("onemore"), linnet.Invalid)
	w.did(fill(linnet.MaxEmojis-1, strings.Repeat("c", 40)))
	w.did(w.emoji("last"))
	if err := fill(linnet.MaxEmojis, strings.Repeat("<", 40)); err == nil || store.Unavailable(err) {
		t.Errorf("a record too large: %v", err)
	}
}

// TestEmojiRaces checks that concurrent additions create each emoji once.
func TestEmojiRaces(t *testing.T) {
	onEngines(t, func(w *world) {
		var group sync.WaitGroup
		var mu sync.Mutex
		won := 0
		for i := range 8 {
			group.Go(func() {
				w.did(w.emoji(fmt.Sprintf("own%d", i)))
				err := w.emoji("same")
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
		all := must(w.Emojis.All(w.ctx, linnet.Operator()))(w)
		if won != 1 || len(all) != 9 || len(w.files()) != 9 {
			w.Errorf("%d won, %d emoji, %d files", won, len(all), len(w.files()))
		}
		w.check()
	})
}

// TestEmojiReachOtherServers checks that another server shows a new emoji within seconds, also in
// texts that it has rendered before.
func TestEmojiReachOtherServers(t *testing.T) {
	notWhenShort(t)
	ws := servers(t, 2)
	ann := ws[0].person("ann")
	s := ws[0].post(ann, "a :blob:")
	settle(ws)
	shown := func() string { return codes(must(ws[1].View.Status(ws[1].ctx, 0, s.ID))(ws[1]).Pictured) }
	if got := shown(); got != "" {
		t.Fatal(got)
	}
	w := *ws[0]
	must(w.store.Instance.ChangeEmojis(w.ctx, func(*linnet.EmojiSet) ([]linnet.Emoji, error) {
		return []linnet.Emoji{{Shortcode: "blob", Name: "abcdefghijklmnopqrstuvwxyz.png"}}, nil
	}))(t)
	ws[1].comes("the emoji", shown, "blob")
}
