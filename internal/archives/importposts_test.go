package archives_test

import (
	"archive/tar"
	"archive/zip"
	"bufio"
	"bytes"
	"compress/gzip"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"slices"
	"testing"
	"time"

	"linnet/internal/app/apptest"
	"linnet/internal/discovery"
	"linnet/internal/kv/memkv"
	"linnet/internal/linnet"
	"linnet/internal/store"
	"linnet/internal/uploads"
)

// aTweet returns an item of tweets.js.
func aTweet(id, text string, at time.Time, more map[string]any) map[string]any {
	t := map[string]any{"id_str": id, "full_text": text, "created_at": at.UTC().Format(time.RubyDate), "lang": "en"}
	for k, v := range more {
		t[k] = v
	}
	return map[string]any{"tweet": t}
}

func tweetID(at time.Time, n int) string {
	return fmt.Sprint((at.UnixMilli()-1288834974657)<<22 | int64(n&0xfff))
}

// tweetsFile writes data/tweets.js.
func tweetsFile(w io.Writer, part int, n int, item func(i int) map[string]any) {
	out := bufio.NewWriter(w)
	fmt.Fprintf(out, "window.YTD.tweets.part%d = [ ", part)
	for i := range n {
		if i > 0 {
			out.WriteString(", ")
		}
		b, _ := json.Marshal(item(i))
		out.Write(b)
	}
	out.WriteString(" ]")
	out.Flush()
}

// zipOf returns a ZIP archive of files.
func zipOf(t testing.TB, files ...any) []byte {
	t.Helper()
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	for i := 0; i < len(files); i += 2 {
		w, err := z.Create(files[i].(string))
		if err == nil {
			_, err = w.Write(files[i+1].([]byte))
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// tarOf returns a compressed tar archive of files.
func tarOf(t testing.TB, files ...any) []byte {
	t.Helper()
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	w := tar.NewWriter(z)
	for i := 0; i < len(files); i += 2 {
		data := files[i+1].([]byte)
		err := w.WriteHeader(&tar.Header{Name: files[i].(string), Size: int64(len(data)), Mode: 0o644})
		if err == nil {
			_, err = w.Write(data)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	w.Close()
	z.Close()
	return b.Bytes()
}

// received receives a file like an upload.
func received(w *apptest.World, b []byte) *uploads.File {
	w.Helper()
	f := apptest.Must(w.Uploads.ReceiveArchive(bytes.NewReader(b)))(w)
	w.Cleanup(f.Close)
	return f
}

// bringsPosts imports an archive and waits until it is done.
func bringsPosts(w *apptest.World, me linnet.ID, b []byte) *linnet.Import {
	w.Helper()
	i := apptest.Must(w.Archives.AddPosts(w.Ctx, me, "archive.zip", received(w, b), nil))(w)
	w.OK(w.Archives.ConfirmImport(w.Ctx, me, i.ID, nil))
	w.Drain()
	return apptest.Must(w.Archives.Import(w.Ctx, me, i.ID))(w)
}

// profileOf returns the statuses of a profile, the earliest first: date, visibility, text.
func profileOf(w *apptest.World, viewer, of linnet.ID) (out []string) {
	w.Helper()
	p := linnet.Page{Limit: 40}
	for {
		got := apptest.Must(w.Reading.Profile(w.Ctx, viewer, of, linnet.ProfileFilter{}, p))(w)
		for _, v := range got.Items {
			s := v.ID.Time().Format("2006-01-02 15:04:05") + " " + v.Visibility.String() + " " + v.Text
			if len(v.Media) > 0 {
				s += fmt.Sprintf(" [%d %s]", len(v.Media), v.Media[0].Description)
			}
			out = append(out, s)
		}
		if got.Last == "" || len(got.Items) == 0 {
			slices.Reverse(out)
			return out
		}
		p.Max = got.Last
	}
}

func theTweets(t testing.TB) []byte {
	at := time.Date(2013, 5, 1, 12, 0, 0, 0, time.UTC)
	id := func(n int) string { return tweetID(at.Add(time.Duration(n)*time.Hour), n) }
	when := func(n int) time.Time { return at.Add(time.Duration(n) * time.Hour) }
	first := []map[string]any{
		aTweet(id(3), "@ann and so on &lt;3", when(3), map[string]any{"in_reply_to_status_id_str": id(1)}),
		aTweet(id(1), "@Bob see https://t.co/a &amp; https://t.co/b", when(1), map[string]any{
			"entities": map[string]any{"urls": []any{map[string]any{"url": "https://t.co/a", "expanded_url": "https://example.org/?a=1&b=2"}},
				"media": []any{map[string]any{"url": "https://t.co/b"}}},
			"extended_entities": map[string]any{"media": []any{map[string]any{"url": "https://t.co/b", "media_url_https": "https://pbs.twimg.com/media/X.png", "type": "photo", "ext_alt_text": "a field"}}}}),
		aTweet(id(2), "RT @bob: not mine", when(2), nil),
	}
	second := []map[string]any{
		aTweet("20", "just setting up", time.Date(2006, 3, 21, 20, 50, 14, 0, time.UTC), nil),
		aTweet(id(5), "@stranger an answer #tag", when(5), map[string]any{"in_reply_to_status_id_str": "123456"}),
		aTweet("x", "no id", when(6), nil),
		aTweet(id(7), "https://t.co/c", when(7), map[string]any{"entities": map[string]any{"media": []any{map[string]any{"url": "https://t.co/c", "media_url_https": "https://pbs.twimg.com/media/gone.png"}}}}),
	}
	file := func(part int, all []map[string]any) []byte {
		var b bytes.Buffer
		tweetsFile(&b, part, len(all), func(i int) map[string]any { return all[i] })
		return b.Bytes()
	}
	return zipOf(t, "Your archive.html", []byte("<p>"), "data/tweets.js", file(0, first), "data/tweets-part1.js", file(1, second),
		"data/direct-messages.js", []byte("window.YTD = []"), "data/tweets_media/"+id(1)+"-X.png", apptest.Picture(300, 200))
}

// TestPostsWithUnusableTag checks that posts with a hashtag that the server doesn't allow are not
// imported.
func TestPostsWithUnusableTag(t *testing.T) {
	w := apptest.InMemory(t)
	ann := w.Person("ann")
	w.OK(w.Trends.ChangeTag(w.Ctx, linnet.Operator(), "Tag", linnet.TagChange{Usable: new(false)}))
	i := bringsPosts(w, ann, theTweets(t))
	if got := profileOf(w, ann, ann); len(got) != 3 || i.Failed != 2 {
		t.Errorf("imported %q, %d failed", got, i.Failed)
	}
	w.Check()
}

// TestPostsFromTwitter checks that posts from an archive of X appear on the profile with their
// dates, and neither notify nor enter timelines.
func TestPostsFromTwitter(t *testing.T) {
	apptest.OnEngines(t, func(w *apptest.World) {
		ann, bob := w.Person("ann"), w.Person("bob")
		w.Follow(bob, ann)
		now := w.Post(ann, "now")
		i := apptest.Must(w.Archives.AddPosts(w.Ctx, ann, `C:\my\twitter.zip`, received(w, theTweets(w)), nil))(w)
		if i.Kind != linnet.TwitterArchive || i.State != linnet.ImportUnconfirmed || i.Rows != 4 || i.Posts.Reposts != 1 || i.Posts.Unreadable != 1 || i.Failed != 1 || i.Posts.Pictures != 1 || i.File != "twitter.zip" {
			w.Errorf("looked through: %+v %+v", i, i.Posts)
		}
		if got := profileOf(w, bob, ann); len(got) != 1 {
			w.Errorf("before it was confirmed: %q", got)
		}
		w.OK(w.Archives.ConfirmImport(w.Ctx, ann, i.ID, nil))
		w.Drain()
		want := []string{"2006-03-21 20:50:14 unlisted just setting up", "2013-05-01 13:00:00 unlisted @Bob see https://example.org/?a=1&b=2 & [1 a field]",
			"2013-05-01 15:00:00 unlisted @ann and so on <3", "2013-05-01 17:00:00 unlisted @stranger an answer #tag", now.ID.Time().Format("2006-01-02 15:04:05") + " public now"}
		apptest.Equal(w, "profile", profileOf(w, bob, ann), want)
		quietImport(w, ann, bob, now.ID)
		w.Check()
		again := bringsPosts(w, ann, theTweets(w))
		if again.Imported != 0 || again.Posts.Already != 4 {
			w.Errorf("again: %+v %+v", again, again.Posts)
		}
		undoes(w, ann, again)
		apptest.Equal(w, "profile after undoing what was there", profileOf(w, bob, ann), want)
		undoes(w, ann, i)
		apptest.Equal(w, "profile after undoing", profileOf(w, bob, ann), want[4:])
		if v := apptest.Must(w.View.User(w.Ctx, ann, ann))(w); v.Statuses != 1 {
			w.Errorf("%d statuses are counted", v.Statuses)
		}
		if left := w.FileNames(); len(left) != 0 {
			w.Errorf("files are left: %q", left)
		}
		w.Check()
	})
}

// TestPostsVisibility checks that posts from X have the chosen visibility, or else followers-only
// for protected accounts and unlisted for others. Archives of Mastodon contain a visibility per
// post.
func TestPostsVisibility(t *testing.T) {
	w := apptest.New(t, memkv.New(memkv.Options{}))
	tweet := func(history string) []byte {
		var b bytes.Buffer
		tweetsFile(&b, 0, 1, func(int) map[string]any {
			return aTweet("20", "hello", time.Date(2006, 3, 21, 20, 50, 14, 0, time.UTC), nil)
		})
		return zipOf(t, "data/tweets.js", b.Bytes(), "data/protected-history.js", []byte(`window.YTD.protected_history.part0 = [`+history+`]`))
	}
	protected := tweet(`{"protectedHistory":{"protectedAt":"2012-01-01T00:00:00.000Z","action":"Protect"}}`)
	outbox := zipOf(t, "outbox.json", theOutbox("https://old.example/users/a"), "media_attachments/files/1/2/original/a.png", apptest.Picture(30, 20))
	public, unlisted, private, direct := linnet.Public, linnet.Unlisted, linnet.Private, linnet.Direct
	for n, c := range []struct {
		file          []byte
		sent, confirm *linnet.Visibility
		shown, want   [linnet.Direct]int64
	}{
		{tweet(""), nil, nil, [3]int64{0, 1, 0}, [3]int64{0, 1, 0}},
		{protected, nil, nil, [3]int64{0, 0, 1}, [3]int64{0, 0, 1}},
		{protected, &public, nil, [3]int64{1, 0, 0}, [3]int64{1, 0, 0}},
		{protected, nil, &unlisted, [3]int64{0, 0, 1}, [3]int64{0, 1, 0}},
		{tweet(""), &private, &public, [3]int64{0, 0, 1}, [3]int64{1, 0, 0}},
		{outbox, nil, nil, [3]int64{2, 1, 1}, [3]int64{2, 1, 1}},
		{outbox, &unlisted, nil, [3]int64{0, 3, 1}, [3]int64{0, 3, 1}},
		{outbox, nil, &private, [3]int64{2, 1, 1}, [3]int64{0, 0, 4}},
	} {
		me := w.Person(fmt.Sprint("user", n))
		i := apptest.Must(w.Archives.AddPosts(w.Ctx, me, "a.zip", received(w, c.file), c.sent))(t)
		apptest.WantKind(t, w.Archives.ConfirmImport(w.Ctx, me, i.ID, &direct), linnet.Invalid)
		w.OK(w.Archives.ConfirmImport(w.Ctx, me, i.ID, c.confirm))
		w.Drain()
		var got [linnet.Direct]int64
		for _, v := range apptest.Must(w.Reading.Profile(w.Ctx, me, me, linnet.ProfileFilter{}, linnet.Page{Limit: 40}))(t).Items {
			got[v.Visibility]++
		}
		if after := apptest.Must(w.Archives.Import(w.Ctx, me, i.ID))(t); i.Posts.Counts != c.shown || got != c.want || after.Posts.Counts != c.want {
			t.Errorf("%d: preview %v, imported %v", n, i.Posts.Counts, got)
		}
	}
	_, err := w.Archives.AddPosts(w.Ctx, w.Person("last"), "a.zip", received(w, protected), &direct)
	apptest.WantKind(t, err, linnet.Invalid)
}

// TestTwitterNamesAreOthers checks that names in posts from X are not mentions of local users, also
// after an edit. Names that an edit adds are.
func TestTwitterNamesAreOthers(t *testing.T) {
	w := apptest.New(t, memkv.New(memkv.Options{}))
	ann, carl, dora := w.Person("ann"), w.Person("carl"), w.Person("dora")
	var b bytes.Buffer
	tweetsFile(&b, 0, 1, func(int) map[string]any {
		return aTweet("20", "thanks @carl and @Carl", time.Date(2006, 3, 21, 20, 50, 14, 0, time.UTC), map[string]any{"lang": "iw"})
	})
	bringsPosts(w, ann, zipOf(t, "data/tweets.js", b.Bytes()))
	st := apptest.Must(w.Reading.Profile(w.Ctx, ann, ann, linnet.ProfileFilter{}, linnet.Page{Limit: 40}))(t).Items[0]
	if len(st.Mentions) != 0 || st.Language != "he" {
		t.Errorf("%+v", st.Status)
	}
	edited := apptest.Must(w.Posting.Edit(w.Ctx, ann, st.ID, linnet.Edit{Text: "many thanks @carl, @dora"}))(t)
	w.Drain()
	if len(edited.Mentions) != 1 || edited.Mentions[0].ID != dora {
		t.Errorf("mentions after an edit: %+v", edited.Mentions)
	}
	if got := w.NoticesOf(carl, linnet.NotificationFilter{}, 40); len(got) != 0 {
		t.Errorf("carl is notified: %+v", got)
	}
	w.Check()
}

// quietImport checks that ann's import has notified no one.
func quietImport(w *apptest.World, ann, bob, now linnet.ID) {
	w.Helper()
	for _, n := range w.NoticesOf(bob, linnet.NotificationFilter{}, 40) {
		if n.Type == linnet.NotifyMention {
			w.Errorf("bob is notified: %+v", n)
		}
	}
	for what, got := range map[string]linnet.Slice[linnet.StatusView]{
		"home":   apptest.Must(w.Reading.Home(w.Ctx, bob, linnet.Page{Limit: 40}))(w),
		"public": apptest.Must(w.Reading.Public(w.Ctx, bob, linnet.PublicQuery{}, linnet.Page{Limit: 40}))(w),
		"tag":    apptest.Must(w.Reading.Tag(w.Ctx, bob, linnet.TagQuery{Tag: "tag"}, linnet.Page{Limit: 40}))(w),
	} {
		if len(got.Items) > 1 || len(got.Items) == 1 && got.Items[0].ID != now {
			w.Errorf("%s: %d statuses, from %q on", what, len(got.Items), got.Items[0].Text)
		}
	}
	var found []linnet.StatusView
	for end := time.Now().Add(time.Minute); len(found) != 1; time.Sleep(50 * time.Millisecond) { // servers look for it at intervals
		if found = apptest.Must(w.Discovery.SearchStatuses(w.Ctx, ann, discovery.SearchQuery{Text: "setting"}))(w).Statuses; time.Now().After(end) {
			w.Fatalf("%d found", len(found))
		}
	}
	thread := apptest.Must(w.Reading.Thread(w.Ctx, bob, found[0].ID, linnet.ThreadQuery{}))(w)
	if len(thread.Descendants) != 0 {
		w.Errorf("answers: %+v", thread.Descendants)
	}
}

func theOutbox(own string) []byte {
	n := 100
	item := func(at string, more map[string]any) map[string]any {
		n++
		o := map[string]any{"id": own + "/statuses/" + fmt.Sprint(n), "type": "Note", "published": at, "summary": nil, "inReplyTo": nil, "sensitive": false,
			"to": []string{"https://www.w3.org/ns/activitystreams#Public"}, "cc": []string{own + "/followers"}, "attachment": []any{}, "tag": []any{}}
		for k, v := range more {
			o[k] = v
		}
		return map[string]any{"type": "Create", "object": o}
	}
	b, _ := json.Marshal(map[string]any{"@context": "https://www.w3.org/ns/activitystreams", "type": "OrderedCollection", "totalItems": 8, "orderedItems": []any{
		item("2020-01-01T10:00:00Z", map[string]any{"content": `<p>Hello <span class="h-card"><a href="https://far.example/@bob" class="u-url mention">@<span>bob</span></a></span>,</p><p>see <a href="https://example.org/a?b=1&amp;c"><span class="invisible">https://</span><span class="ellipsis">example.org/</span></a><br/>1 &lt; 2</p>`,
			"tag": []any{map[string]any{"type": "Mention", "href": "https://far.example/@bob", "name": "@bob"}}, "contentMap": map[string]string{"de": "x"}, "summary": "Careful"}),
		item("2020-01-02T10:00:00Z", map[string]any{"content": "<p>thread</p>", "inReplyTo": own + "/statuses/101", "to": []string{own + "/followers"}, "cc": []string{}}),
		item("2020-01-03T10:00:00Z", map[string]any{"content": "<p>seen</p>", "to": []string{own + "/followers"}, "cc": []string{"as:Public"},
			"attachment": []any{map[string]any{"type": "Document", "mediaType": "image/png", "url": "/media_attachments/files/1/2/original/a.png", "name": "the sea", "focalPoint": []float64{0.5, -0.5}}}}),
		item("2020-01-04T10:00:00Z", map[string]any{"type": "Question", "content": "<p>Tea?</p>", "oneOf": []any{map[string]any{"name": "yes", "replies": map[string]any{"totalItems": 3}}, map[string]any{"name": "no"}}}),
		item("2020-01-05T10:00:00Z", map[string]any{"content": "<p>secret</p>", "to": []string{"https://far.example/users/bob"}, "cc": []string{}}),
		map[string]any{"type": "Announce", "object": "https://far.example/1", "published": "2020-01-06T10:00:00Z"},
		item("2999-01-01T10:00:00Z", map[string]any{"content": "<p>later</p>"}), map[string]any{"type": 7},
	}})
	return b
}

// TestPostsFromMastodon checks that an archive of Mastodon restores visibility, warnings,
// languages, media and threads.
func TestPostsFromMastodon(t *testing.T) {
	apptest.OnEngines(t, func(w *apptest.World) {
		ann, bob := w.Person("ann"), w.Person("bob")
		w.Follow(bob, ann)
		files := []any{"outbox.json", theOutbox("https://old.example/users/anna"), "media_attachments/files/1/2/original/a.png", apptest.Picture(300, 200)}
		i := bringsPosts(w, ann, zipOf(w, files...))
		if i.Kind != linnet.MastodonArchive || i.Rows != 4 || i.Imported != 4 || i.Posts.Reposts != 1 || i.Posts.Messages != 1 || i.Posts.Unreadable != 1 || i.Failed != 1 {
			w.Errorf("%+v %+v", i, i.Posts)
		}
		want := []string{"2020-01-01 10:00:00 public Hello @bob@far.example,\n\nsee https://example.org/a?b=1&c\n1 < 2", "2020-01-02 10:00:00 private thread",
			"2020-01-03 10:00:00 unlisted seen [1 the sea]", "2020-01-04 10:00:00 public Tea?\n\n– yes (3)\n– no (0)"}
		apptest.Equal(w, "profile", profileOf(w, bob, ann), want)
		all := apptest.Must(w.Reading.Profile(w.Ctx, ann, ann, linnet.ProfileFilter{}, linnet.Page{Limit: 40}))(w).Items
		if first := all[3]; first.Warning != "Careful" || !first.Sensitive || first.Language != "de" || len(first.Mentions) != 0 || all[2].InReplyTo != first.ID || all[2].Conversation != first.ID || all[1].Media[0].Focus.X != 0.5 {
			w.Errorf("%+v", all)
		}
		thread := apptest.Must(w.Reading.Thread(w.Ctx, ann, all[3].ID, linnet.ThreadQuery{}))(w)
		if len(thread.Descendants) != 1 {
			w.Errorf("%d answers", len(thread.Descendants))
		}
		if again := bringsPosts(w, ann, tarOf(w, append([]any{"./actor.json", []byte("{}")}, files...)...)); again.Imported != 0 || again.Posts.Already != 4 {
			w.Errorf("as a tar file: %+v %+v", again, again.Posts)
		}
		apptest.Must(w.Posting.Delete(w.Ctx, ann, all[3].ID))(w)
		w.Drain()
		w.Check()
		if again := bringsPosts(w, ann, zipOf(w, files...)); again.Imported != 1 || again.Posts.Already != 3 {
			w.Errorf("after one was deleted: %+v %+v", again, again.Posts)
		}
		w.Check()
	})
}

// TestPostsImportIsResumed checks that an import of posts continues after restarts and ends with
// the account. The file of an unconfirmed import is deleted.
func TestPostsImportIsResumed(t *testing.T) {
	clock := &apptest.Clock{}
	opt := store.Options{Now: clock.Now}
	e := memkv.New(memkv.Options{Now: clock.Now})
	w := apptest.Idle(t, e, opt)
	ann := w.Person("ann")
	i := apptest.Must(w.Archives.AddPosts(w.Ctx, ann, "a.zip", received(w, manyTweets(t, 1000)), nil))(t)
	_, err := w.Archives.AddPosts(w.Ctx, ann, "a.zip", received(w, []byte("PK\x03\x04")), nil)
	apptest.WantKind(t, err, linnet.Invalid)
	w.OK(w.Archives.ConfirmImport(w.Ctx, ann, i.ID, nil))
	_, err = w.Archives.AddPosts(w.Ctx, ann, "a.zip", received(w, manyTweets(t, 1)), nil)
	apptest.WantKind(t, err, linnet.Invalid)
	args := map[string]any{"user": ann, "id": i.ID}
	for range 3 {
		w.RepeatTask("import-csv", args)
	}
	w = apptest.Serve(t, e, opt)
	i = apptest.Must(w.Archives.Import(w.Ctx, ann, i.ID))(t)
	if want := int64(950); i.State != linnet.ImportFinished || i.Imported != want || i.Posts.Already != 0 {
		t.Errorf("%+v %+v", i, i.Posts)
	}
	if v := apptest.Must(w.View.User(w.Ctx, ann, ann))(t); v.Statuses != i.Imported {
		t.Errorf("%d statuses of %d", v.Statuses, i.Imported)
	}
	w.Check()
	apptest.Must(w.Archives.AddPosts(w.Ctx, ann, "b.zip", received(w, manyTweets(t, 10)), nil))(t)
	clock.Advance(linnet.PostImportTTL + time.Hour)
	w = apptest.ServeDue(t, e, opt)
	if all := apptest.Must(w.Archives.Imports(w.Ctx, ann))(t); len(all) != 1 {
		t.Errorf("%d imports", len(all))
	}
	w.OK(w.Archives.UndoImport(w.Ctx, ann, i.ID))
	w.RepeatTask("import-csv", args)
	w = apptest.Serve(t, e, opt)
	w.OK(w.Social.Deletion.DeleteUser(w.Ctx, ann))
	w.Drain()
	w.Check()
}

// tweets is the number of tweets in TestPostsImportLarge. For a measurement:
//
//	go test -run TestPostsImportLarge -v ./internal/app -tweets 100000
var tweets = flag.Int("tweets", 2000, "how many tweets a large archive has")
