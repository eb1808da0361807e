package archives_test

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

	"linnet/internal/app/apptest"
	"linnet/internal/kv/memkv"
	"linnet/internal/linnet"
	"linnet/internal/store"
)

// csvOf exports one of a user's lists as CSV.
func csvOf(w *apptest.World, me linnet.ID, kind linnet.CSVKind) string {
	w.Helper()
	var b bytes.Buffer
	w.OK(w.Archives.WriteCSV(w.Ctx, me, kind, &b))
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
func archiveOf(w *apptest.World, me linnet.ID) map[string]string {
	w.Helper()
	f, a, err := w.Archives.OpenArchive(w.Ctx, me)
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
	apptest.OnEngines(t, func(w *apptest.World) {
		ann, bob, cat, dan := w.Person("ann"), w.Person("bob"), w.Person("cat"), w.Person("dan")
		for _, kind := range linnet.CSVKinds() {
			if got := csvOf(w, ann, kind); strings.Count(got, "\n") > 1 {
				w.Errorf("empty %s: %q", kind, got)
			}
		}
		w.Follow(ann, bob)
		no, yes := false, true
		apptest.Must(w.Social.Follow(w.Ctx, ann, cat, linnet.FollowOptions{Reposts: &no, Notify: &yes, Languages: &[]string{"en", "de"}}))(w)
		apptest.Equal(w, "following", strings.Split(csvOf(w, ann, linnet.FollowingCSV), "\n"),
			[]string{"Account address,Show boosts,Notify on new posts,Languages", "bob@linnet.test,true,false,", `cat@linnet.test,false,true,"de, en"`, ""})
		apptest.Must(w.Social.Mute(w.Ctx, ann, bob, linnet.MuteOptions{Notices: true}))(w)
		apptest.Must(w.Social.Mute(w.Ctx, ann, cat, linnet.MuteOptions{}))(w)
		apptest.Equal(w, "muted", strings.Split(csvOf(w, ann, linnet.MutesCSV), "\n"), []string{"Account address,Hide notifications", "bob@linnet.test,true", "cat@linnet.test,false", ""})
		apptest.Must(w.Social.Block(w.Ctx, ann, dan))(w)
		apptest.Equal(w, "blocked", []string{csvOf(w, ann, linnet.BlocksCSV)}, []string{"dan@linnet.test\n"})
		title := `News, "and" more`
		l := apptest.Must(w.Lists.CreateList(w.Ctx, ann, linnet.ListChange{Title: &title}))(w)
		w.OK(w.Lists.AddToList(w.Ctx, ann, l.ID, []linnet.ID{bob}))
		w.OK(w.Lists.AddToList(w.Ctx, ann, l.ID, []linnet.ID{cat}))
		apptest.Equal(w, "lists", strings.Split(csvOf(w, ann, linnet.ListsCSV), "\n"), []string{`"News, ""and"" more",bob@linnet.test`, `"News, ""and"" more",cat@linnet.test`, ""})
		seen, hidden := w.Post(bob, "seen"), w.Draft(cat, linnet.Draft{Text: "hidden", Visibility: new(linnet.Private)})
		apptest.Must(w.Posting.Marks.Bookmark(w.Ctx, ann, seen.ID))(w)
		apptest.Must(w.Posting.Marks.Bookmark(w.Ctx, ann, hidden.ID))(w)
		apptest.Must(w.Social.Unfollow(w.Ctx, ann, cat))(w)
		apptest.Equal(w, "bookmarks", []string{csvOf(w, ann, linnet.BookmarksCSV)}, []string{"https://linnet.test/users/bob/statuses/" + seen.ID.String() + "\n"})
		var b bytes.Buffer
		apptest.WantKind(w, w.Archives.WriteCSV(w.Ctx, ann, "secrets", &b), linnet.NotFound)
	})
}

// TestLongListAsCSV checks that a list longer than one read is exported completely.
func TestLongListAsCSV(t *testing.T) {
	w := apptest.InMemory(t)
	ann := w.Person("ann")
	for i := range 450 {
		w.Follow(ann, w.Person(fmt.Sprintf("u%03d", i)))
	}
	rows := strings.Split(csvOf(w, ann, linnet.FollowingCSV), "\n")
	slices.Sort(rows)
	if rows = slices.Compact(rows); len(rows) != 452 || rows[2] != "u000@linnet.test,true,false," || rows[451] != "u449@linnet.test,true,false," {
		t.Errorf("%d rows: %q … %q", len(rows), rows[2], rows[len(rows)-1])
	}
}

// TestArchive checks that an archive contains all of its owner's posts and none of other users,
// that only the owner can open it, and that it expires after a week.
func TestArchive(t *testing.T) {
	clock := &apptest.Clock{}
	opt := store.Options{Now: clock.Now}
	e := memkv.New(memkv.Options{Now: clock.Now})
	w := apptest.Idle(t, e, opt)
	ann, bob := w.Person("ann"), w.Person("bob")
	_, _, err := w.Archives.OpenArchive(w.Ctx, ann)
	apptest.WantKind(t, err, linnet.NotFound)
	pic := apptest.Must(w.Upload(ann))(t)
	root := w.Draft(bob, linnet.Draft{Text: "@ann look", Visibility: new(linnet.Direct)})
	for i := range 450 {
		w.Post(ann, "post %d #Birds", i)
	}
	w.Draft(ann, linnet.Draft{Text: "seen, @bob", Warning: "careful", InReplyTo: root.ID, Visibility: new(linnet.Direct), Language: "en", Media: []linnet.ID{pic.ID}})
	w.Draft(ann, linnet.Draft{Text: "which?", Poll: apptest.PollOf(300, "a", "b")})
	theirs := w.Post(bob, "by bob")
	apptest.Must(w.Posting.Repost(w.Ctx, ann, theirs.ID, nil))(t)
	apptest.Must(w.Posting.Marks.Favourite(w.Ctx, ann, theirs.ID))(t)
	apptest.Must(w.Posting.Marks.Bookmark(w.Ctx, ann, root.ID))(t)
	w.OK(w.Moderation.Moderate(w.Ctx, linnet.Operator(), linnet.Measure{On: ann, Act: linnet.Warn, Reason: "too loud"}))
	w.OK(w.Archives.RequestArchive(w.Ctx, ann))
	apptest.WantKind(t, w.Archives.RequestArchive(w.Ctx, ann), linnet.TooMany)
	if a := apptest.Must(w.Archives.Archive(w.Ctx, ann))(t); !a.Made.IsZero() || a.Of != 452 {
		t.Errorf("at the beginning: %+v", a)
	}
	w.Collection(ann, "birds", bob)
	w.Check()
	w = apptest.Serve(t, e, opt)
	for _, who := range []linnet.ID{bob, 0} {
		_, _, err := w.Archives.OpenArchive(w.Ctx, who)
		apptest.WantKind(t, err, linnet.NotFound)
	}
	files := archiveOf(w, ann)
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
	w.Check()
	made, _, err := w.Store.Archives.Archive(w.Ctx, ann)
	w.OK(err)
	part := made.Parts[0].Name // an aborted batch can leave other files
	w.OK(w.Files().Put(w.Ctx, part, "application/zip", strings.NewReader("short")))
	_, _, err = w.Archives.OpenArchive(w.Ctx, ann)
	apptest.WantKind(t, err, linnet.Unavailable)
	w.OK(w.Files().Delete(w.Ctx, part))
	_, _, err = w.Archives.OpenArchive(w.Ctx, ann)
	apptest.WantKind(t, err, linnet.Unavailable)
}

// TestArchiveEnds checks that the files of an archive are deleted after a week, or together with
// the account.
func TestArchiveEnds(t *testing.T) {
	clock := &apptest.Clock{}
	opt := store.Options{Now: clock.Now}
	e := memkv.New(memkv.Options{Now: clock.Now})
	w := apptest.Idle(t, e, opt)
	ann := w.Person("ann")
	w.Post(ann, "here")
	w.OK(w.Archives.RequestArchive(w.Ctx, ann))
	w = apptest.Serve(t, e, opt)
	kept := len(w.FileNames())
	clock.Advance(linnet.ArchiveLife - time.Hour)
	w = apptest.ServeDue(t, e, opt)
	apptest.WantKind(t, w.Archives.RequestArchive(w.Ctx, ann), linnet.TooMany)
	archiveOf(w, ann)
	clock.Advance(2 * time.Hour)
	w = apptest.ServeDue(t, e, opt)
	_, _, err := w.Archives.OpenArchive(w.Ctx, ann)
	apptest.WantKind(t, err, linnet.NotFound)
	if left := w.FileNames(); len(left) >= kept || slices.ContainsFunc(left, func(n string) bool { return strings.HasSuffix(n, ".zip") }) {
		t.Errorf("files left: %v", left)
	}
	w.OK(w.Archives.RequestArchive(w.Ctx, ann))
	w = apptest.Serve(t, e, opt)
	archiveOf(w, ann)
	w.Check()
	w.OK(w.Social.Deletion.DeleteUser(w.Ctx, ann)) // which deletes the archive
	w = apptest.Serve(t, e, opt)
	if left := w.FileNames(); slices.ContainsFunc(left, func(n string) bool { return strings.HasSuffix(n, ".zip") }) {
		t.Errorf("files left after the account: %v", left)
	}
	w.Check()
}

// TestArchivesAtOnce checks that concurrent requests make one archive, and that another server
// completes it after a crash.
func TestArchivesAtOnce(t *testing.T) {
	apptest.OnEngines(t, func(w *apptest.World) {
		ann := w.Person("ann")
		for i := range 250 {
			w.Post(ann, "post %d", i)
		}
		var all sync.WaitGroup
		var mu sync.Mutex
		made := 0
		for range 8 {
			all.Go(func() {
				err := w.Archives.RequestArchive(w.Ctx, ann)
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
		w.Drain()
		if made != 1 {
			w.Errorf("%d were asked for", made)
		}
		if items, _ := collection(w, archiveOf(w, ann)["outbox.json"]); len(items) != 250 {
			w.Errorf("%d items", len(items))
		}
		var b bytes.Buffer
		w.OK(w.Archives.Exported(w.Ctx, linnet.Operator(), "ann", "archive", &b))
		if items, _ := collection(w, unpacked(w, b.Bytes())["outbox.json"]); len(items) != 250 {
			w.Errorf("%d items by the command", len(items))
		}
		apptest.WantKind(w, w.Archives.Exported(w.Ctx, linnet.By(ann), "ann", "archive", &b), linnet.Forbidden)
		w.Check()
	})
}

// TestArchiveIsResumed checks that a batch that is repeated after a crash adds nothing twice.
func TestArchiveIsResumed(t *testing.T) {
	e := memkv.New(memkv.Options{})
	w := apptest.Idle(t, e, store.Options{})
	ann := w.Person("ann")
	for i := range 700 {
		w.Post(ann, "post %d", i)
	}
	w.OK(w.Archives.RequestArchive(w.Ctx, ann))
	asked := apptest.Must(w.Archives.Archive(w.Ctx, ann))(t).Asked.UnixMilli()
	for range 3 { // all batches of one archive
		w.RepeatTask("make-archive", map[string]any{"user": ann, "asked": asked})
	}
	w.RepeatTask("make-archive", map[string]any{"user": ann, "asked": asked - 1})
	w = apptest.Serve(t, e, store.Options{})
	if items, total := collection(t, archiveOf(w, ann)["outbox.json"]); len(items) != 700 || total != 700 {
		t.Errorf("%d items of %d", len(items), total)
	}
	named := 0
	for _, n := range w.FileNames() {
		if strings.HasSuffix(n, ".zip") {
			named++
		}
	}
	if a, _, err := w.Store.Archives.Archive(w.Ctx, ann); err != nil || len(a.Files()) != named {
		t.Errorf("%d files are there, the record names %v: %v", named, a.Files(), err)
	}
	w.Check()
}
