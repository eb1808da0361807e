package app_test

import (
	"archive/zip"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"linnet/internal/kv/memkv"
	"linnet/internal/linnet"
	"linnet/internal/store"
)

// csvOf exports one of a user's lists as CSV.
func (w *world) csvOf(me linnet.ID, kind linnet.CSVKind) string {
	w.Helper()
	var b bytes.Buffer
	w.did(w.Archives.WriteCSV(w.ctx, me, kind, &b))
	return b.String()
}

// unpacked returns the contents of an archive by file name.
func unpacked(t testing.TB, b []byte) map[string]string {
	t.Helper()
	r, err := zip.NewReader(bytes.NewReader(b), int64(len(b)))
	if err != nil {
		t.Fatal(err)
	}
	out := map[string]string{}
	for _, e := range r.File {
		f, err := e.Open()
		if err != nil {
			t.Fatalf("%s: %v", e.Name, err)
		}
		text, err := io.ReadAll(f) // compares the checksum
		if err != nil {
			t.Fatalf("%s: %v", e.Name, err)
		}
		if _, twice := out[e.Name]; twice {
			t.Errorf("%s is there twice", e.Name)
		}
		out[e.Name] = string(text)
	}
	return out
}

// archiveOf opens a user's archive.
func (w *world) archiveOf(me linnet.ID) map[string]string {
	w.Helper()
	f, a, err := w.Archives.OpenArchive(w.ctx, me)
	if err != nil {
		w.Fatal(err)
	}
	defer f.Close()
	b, err := io.ReadAll(f)
	if err != nil || int64(len(b)) != a.Bytes {
		w.Fatalf("read %d of %d bytes: %v", len(b), a.Bytes, err)
	}
	if _, err := f.Seek(int64(len(b)/2), io.SeekStart); err != nil {
		w.Fatal(err)
	}
	if half, err := io.ReadAll(f); err != nil || !bytes.Equal(half, b[len(b)/2:]) {
		w.Errorf("from the middle: %d bytes, %v", len(half), err)
	}
	return unpacked(w, b)
}

// collection parses a collection document of an archive.
func collection(t testing.TB, text string) (items []map[string]any, total int) {
	t.Helper()
	var c struct {
		Type  string           `json:"type"`
		Items []map[string]any `json:"orderedItems"`
		Total int              `json:"totalItems"`
	}
	if err := json.Unmarshal([]byte(text), &c); err != nil || c.Type != "OrderedCollection" {
		t.Fatalf("%v: %.300s", err, text)
	}
	return c.Items, c.Total
}

// TestListsAsCSV checks that lists are exported in the columns that Mastodon reads.
func TestListsAsCSV(t *testing.T) {
	onEngines(t, func(w *world) {
		ann, bob, cat, dan := w.person("ann"), w.person("bob"), w.person("cat"), w.person("dan")
		for _, kind := range linnet.CSVKinds() {
			if got := w.csvOf(ann, kind); strings.Count(got, "\n") > 1 {
				w.Errorf("empty %s: %q", kind, got)
			}
		}
		w.follow(ann, bob)
		no, yes := false, true
		must(w.Social.Follow(w.ctx, ann, cat, linnet.FollowOptions{Reposts: &no, Notify: &yes, Languages: &[]string{"en", "de"}}))(w)
		equal(w, "following", strings.Split(w.csvOf(ann, linnet.FollowingCSV), "\n"),
			[]string{"Account address,Show boosts,Notify on new posts,Languages", "bob@linnet.test,true,false,", `cat@linnet.test,false,true,"de, en"`, ""})
		must(w.Social.Mute(w.ctx, ann, bob, linnet.MuteOptions{Notices: true}))(w)
		must(w.Social.Mute(w.ctx, ann, cat, linnet.MuteOptions{}))(w)
		equal(w, "muted", strings.Split(w.csvOf(ann, linnet.MutesCSV), "\n"), []string{"Account address,Hide notifications", "bob@linnet.test,true", "cat@linnet.test,false", ""})
		must(w.Social.Block(w.ctx, ann, dan))(w)
		equal(w, "blocked", []string{w.csvOf(ann, linnet.BlocksCSV)}, []string{"dan@linnet.test\n"})
		title := `News, "and" more`
		l := must(w.Lists.CreateList(w.ctx, ann, linnet.ListChange{Title: &title}))(w)
		w.did(w.Lists.AddToList(w.ctx, ann, l.ID, []linnet.ID{bob}))
		w.did(w.Lists.AddToList(w.ctx, ann, l.ID, []linnet.ID{cat}))
		equal(w, "lists", strings.Split(w.csvOf(ann, linnet.ListsCSV), "\n"), []string{`"News, ""and"" more",bob@linnet.test`, `"News, ""and"" more",cat@linnet.test`, ""})
		seen, hidden := w.post(bob, "seen"), w.draft(cat, linnet.Draft{Text: "hidden", Visibility: new(linnet.Private)})
		must(w.Posting.Marks.Bookmark(w.ctx, ann, seen.ID))(w)
		must(w.Posting.Marks.Bookmark(w.ctx, ann, hidden.ID))(w)
		must(w.Social.Unfollow(w.ctx, ann, cat))(w)
		equal(w, "bookmarks", []string{w.csvOf(ann, linnet.BookmarksCSV)}, []string{"https://linnet.test/users/bob/statuses/" + seen.ID.String() + "\n"})
		var b bytes.Buffer
		kindIs(w, w.Archives.WriteCSV(w.ctx, ann, "secrets", &b), linnet.NotFound)
	})
}

// TestLongListAsCSV checks that a list longer than one read is exported completely.
func TestLongListAsCSV(t *testing.T) {
	w := memWorld(t)
	ann := w.person("ann")
	for i := range 450 {
		w.follow(ann, w.person(fmt.Sprintf("u%03d", i)))
	}
	rows := strings.Split(w.csvOf(ann, linnet.FollowingCSV), "\n")
	slices.Sort(rows)
	if rows = slices.Compact(rows); len(rows) != 452 || rows[2] != "u000@linnet.test,true,false," || rows[451] != "u449@linnet.test,true,false," {
		t.Errorf("%d rows: %q … %q", len(rows), rows[2], rows[len(rows)-1])
	}
}

// TestArchive checks that an archive contains all of its owner's posts and none of other users,
// that only the owner can open it, and that it expires after a week.
func TestArchive(t *testing.T) {
	clock := &clocked{}
	opt := store.Options{Now: clock.now}
	e := memkv.New(memkv.Options{Now: clock.now})
	w := idleWorld(t, e, opt)
	ann, bob := w.person("ann"), w.person("bob")
	_, _, err := w.Archives.OpenArchive(w.ctx, ann)
	kindIs(t, err, linnet.NotFound)
	pic := must(w.upload(ann))(t)
	root := w.draft(bob, linnet.Draft{Text: "@ann look", Visibility: new(linnet.Direct)})
	for i := range 450 {
		w.post(ann, "post %d #Birds", i)
	}
	w.draft(ann, linnet.Draft{Text: "seen, @bob", Warning: "careful", InReplyTo: root.ID, Visibility: new(linnet.Direct), Language: "en", Media: []linnet.ID{pic.ID}})
	w.draft(ann, linnet.Draft{Text: "which?", Poll: pollOf(300, "a", "b")})
	theirs := w.post(bob, "by bob")
	must(w.Posting.Repost(w.ctx, ann, theirs.ID, nil))(t)
	must(w.Posting.Marks.Favourite(w.ctx, ann, theirs.ID))(t)
	must(w.Posting.Marks.Bookmark(w.ctx, ann, root.ID))(t)
	w.did(w.Moderation.Moderate(w.ctx, linnet.Operator(), linnet.Measure{On: ann, Act: linnet.Warn, Reason: "too loud"}))
	w.did(w.Archives.RequestArchive(w.ctx, ann))
	kindIs(t, w.Archives.RequestArchive(w.ctx, ann), linnet.TooMany)
	if a := must(w.Archives.Archive(w.ctx, ann))(t); !a.Made.IsZero() || a.Of != 452 {
		t.Errorf("at the beginning: %+v", a)
	}
	w.collection(ann, "birds", bob)
	w.check()
	w = serve(t, e, opt)
	for _, who := range []linnet.ID{bob, 0} {
		_, _, err := w.Archives.OpenArchive(w.ctx, who)
		kindIs(t, err, linnet.NotFound)
	}
	files := w.archiveOf(ann)
	items, total := collection(t, files["outbox.json"])
	if len(items) != 453 || total != 453 {
		t.Errorf("the outbox has %d items of %d", len(items), total)
	}
	note := items[450]["object"].(map[string]any)
	if items[0]["type"] != "Create" || items[450]["type"] != "Create" || note["summary"] != "careful" || note["inReplyTo"] != "https://linnet.test/users/bob/statuses/"+root.ID.String() ||
		!strings.Contains(fmt.Sprint(note["content"]), "seen, ") || items[451]["object"].(map[string]any)["type"] != "Question" ||
		items[452]["type"] != "Announce" || items[452]["object"] != "https://linnet.test/users/bob/statuses/"+theirs.ID.String() {
		t.Errorf("items %v %v", items[450], items[452])
	}
	path := note["attachment"].([]any)[0].(map[string]any)["url"].(string)
	if len(files[path]) != int(pic.Bytes) || !strings.Contains(files["likes.json"], "statuses/"+theirs.ID.String()) || !strings.Contains(files["bookmarks.json"], "statuses/"+root.ID.String()) ||
		!strings.Contains(files["actor.json"], `"preferredUsername":"ann"`) || !strings.Contains(files["collections.json"], `"accounts":["bob@linnet.test"]`) ||
		!strings.Contains(files["strikes.json"], `"action":"none","text":"too loud"`) {
		t.Errorf("there are %d bytes at %q", len(files[path]), path)
	}
	if strings.Contains(files["outbox.json"], "by bob") {
		t.Error("another's text is in the archive")
	}
	w.check()
	made, _, err := w.store.Archives.Archive(w.ctx, ann)
	w.did(err)
	part := made.Parts[0].Name // an aborted batch can leave other files
	w.did(w.Files().Put(w.ctx, part, "application/zip", strings.NewReader("short")))
	_, _, err = w.Archives.OpenArchive(w.ctx, ann)
	kindIs(t, err, linnet.Unavailable)
	w.did(w.Files().Delete(w.ctx, part))
	_, _, err = w.Archives.OpenArchive(w.ctx, ann)
	kindIs(t, err, linnet.Unavailable)
}

// TestArchiveEnds checks that the files of an archive are deleted after a week, or together with
// the account.
func TestArchiveEnds(t *testing.T) {
	clock := &clocked{}
	opt := store.Options{Now: clock.now}
	e := memkv.New(memkv.Options{Now: clock.now})
	w := idleWorld(t, e, opt)
	ann := w.person("ann")
	w.post(ann, "here")
	w.did(w.Archives.RequestArchive(w.ctx, ann))
	w = serve(t, e, opt)
	kept := len(w.files())
	clock.turn(linnet.ArchiveLife - time.Hour)
	w = closes(t, e, opt)
	kindIs(t, w.Archives.RequestArchive(w.ctx, ann), linnet.TooMany)
	w.archiveOf(ann)
	clock.turn(2 * time.Hour)
	w = closes(t, e, opt)
	_, _, err := w.Archives.OpenArchive(w.ctx, ann)
	kindIs(t, err, linnet.NotFound)
	if left := w.files(); len(left) >= kept || slices.ContainsFunc(left, func(n string) bool { return strings.HasSuffix(n, ".zip") }) {
		t.Errorf("files left: %v", left)
	}
	w.did(w.Archives.RequestArchive(w.ctx, ann))
	w = serve(t, e, opt)
	w.archiveOf(ann)
	w.check()
	w.did(w.Social.Deletion.DeleteUser(w.ctx, ann)) // which deletes the archive
	w = serve(t, e, opt)
	if left := w.files(); slices.ContainsFunc(left, func(n string) bool { return strings.HasSuffix(n, ".zip") }) {
		t.Errorf("files left after the account: %v", left)
	}
	w.check()
}

// TestArchivesAtOnce checks that concurrent requests make one archive, and that another server
// completes it after a crash.
func TestArchivesAtOnce(t *testing.T) {
	onEngines(t, func(w *world) {
		ann := w.person("ann")
		for i := range 250 {
			w.post(ann, "post %d", i)
		}
		var all sync.WaitGroup
		var mu sync.Mutex
		made := 0
		for range 8 {
			all.Go(func() {
				err := w.Archives.RequestArchive(w.ctx, ann)
				mu.Lock()
				defer mu.Unlock()
				if err == nil {
					made++
				} else if k := linnet.KindOf(err); k != linnet.TooMany && k != linnet.Unavailable {
					w.Error(err)
				}
			})
		}
		all.Wait()
		w.drain()
		if made != 1 {
			w.Errorf("%d were asked for", made)
		}
		if items, _ := collection(w, w.archiveOf(ann)["outbox.json"]); len(items) != 250 {
			w.Errorf("%d items", len(items))
		}
		var b bytes.Buffer
		w.did(w.Archives.Exported(w.ctx, linnet.Operator(), "ann", "archive", &b))
		if items, _ := collection(w, unpacked(w, b.Bytes())["outbox.json"]); len(items) != 250 {
			w.Errorf("%d items by the command", len(items))
		}
		kindIs(w, w.Archives.Exported(w.ctx, linnet.By(ann), "ann", "archive", &b), linnet.Forbidden)
		w.check()
	})
}

// TestArchiveIsResumed checks that a batch that is repeated after a crash adds nothing twice.
func TestArchiveIsResumed(t *testing.T) {
	e := memkv.New(memkv.Options{})
	w := idleWorld(t, e, store.Options{})
	ann := w.person("ann")
	for i := range 700 {
		w.post(ann, "post %d", i)
	}
	w.did(w.Archives.RequestArchive(w.ctx, ann))
	asked := must(w.Archives.Archive(w.ctx, ann))(t).Asked.UnixMilli()
	for range 3 { // all batches of one archive
		w.again("make-archive", map[string]any{"user": ann, "asked": asked})
	}
	w.again("make-archive", map[string]any{"user": ann, "asked": asked - 1})
	w = serve(t, e, store.Options{})
	if items, total := collection(t, w.archiveOf(ann)["outbox.json"]); len(items) != 700 || total != 700 {
		t.Errorf("%d items of %d", len(items), total)
	}
	named := 0
	for _, n := range w.files() {
		if strings.HasSuffix(n, ".zip") {
			named++
		}
	}
	if a, _, err := w.store.Archives.Archive(w.ctx, ann); err != nil || len(a.Files()) != named {
		t.Errorf("%d files are there, the record names %v: %v", named, a.Files(), err)
	}
	w.check()
}
