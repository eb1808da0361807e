package archives_test

import (
	"archive/zip"
	"bytes"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"linnet/internal/app/apptest"
	"linnet/internal/linnet"
)

// manyTweets returns an archive of n tweets. Every twentieth is a repost, and every tenth replies
// to the previous one.
func manyTweets(t testing.TB, n int) []byte {
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	writeTweets(t, z, n)
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func writeTweets(t testing.TB, z *zip.Writer, n int) {
	out, err := z.Create("data/tweets.js")
	if err != nil {
		t.Fatal(err)
	}
	began := time.Date(2009, 1, 1, 0, 0, 0, 0, time.UTC)
	at := func(i int) time.Time { return began.Add(time.Duration(i) * 53 * time.Minute) }
	id := func(i int) string {
		if at(i).Year() < 2011 {
			return fmt.Sprint(1_000_000 + i)
		}
		return tweetID(at(i), i)
	}
	tweetsFile(out, 0, n, func(i int) map[string]any {
		i = n - 1 - i // latest first, like X
		more := map[string]any{"source": strings.Repeat("x", 200), "favorite_count": "3", "entities": map[string]any{
			"urls":          []any{map[string]any{"url": "https://t.co/abc", "expanded_url": "https://example.org/a/b/c", "display_url": "example.org/a", "indices": []string{"1", "20"}}},
			"user_mentions": []any{map[string]any{"name": "Bob", "screen_name": "bob", "id_str": "1"}}}}
		text := fmt.Sprintf("Tweet number %d of many, with some words and a link https://t.co/abc for @bob #tag%d", i, i%50)
		switch {
		case i%20 == 19:
			text = "RT @" + text
		case i%10 == 5:
			more["in_reply_to_status_id_str"] = id(i - 1)
		}
		return aTweet(id(i), text, at(i), more)
	})
}

// TestPostsImportLarge checks that a large archive is imported with little memory, while other
// requests are served.
func TestPostsImportLarge(t *testing.T) {
	t.Run("disk", func(t *testing.T) { bringsMany(apptest.New(t, apptest.OpenDisk(t)), *tweets) })
}

func bringsMany(w *apptest.World, n int) {
	ann, bob := w.Person("ann"), w.Person("bob")
	w.Follow(bob, ann)
	for i := range 40 {
		w.Post(ann, "recent %d", i)
	}
	path := filepath.Join(w.TempDir(), "t.zip")
	f := apptest.Must(os.Create(path))(w)
	z := zip.NewWriter(f)
	writeTweets(w, z, n)
	w.OK(z.Close())
	apptest.Must(f.Seek(0, io.SeekStart))(w)
	sent := apptest.Must(w.Uploads.ReceiveArchive(f))(w)
	defer sent.Close()
	began := time.Now()
	i := apptest.Must(w.Archives.AddPosts(w.Ctx, ann, "t.zip", sent, nil))(w)
	looked := time.Since(began)
	peak := peakMemory()
	began = time.Now()
	w.OK(w.Archives.ConfirmImport(w.Ctx, ann, i.ID, nil))
	var took []time.Duration
	for i.State == linnet.ImportInProgress || i.State == linnet.ImportUnconfirmed {
		at := time.Now()
		apptest.Must(w.Reading.Home(w.Ctx, bob, linnet.Page{Limit: 20}))(w)
		took = append(took, time.Since(at))
		peak = max(peak, peakMemory())
		i = apptest.Must(w.Archives.Import(w.Ctx, ann, i.ID))(w)
		time.Sleep(5 * time.Millisecond)
	}
	slices.Sort(took)
	w.Logf("%d tweets, %d imported: looked through in %v, imported in %v; heap %d MB; home meanwhile: p50 %v, p99 %v of %d",
		n, i.Imported, looked.Round(time.Millisecond), time.Since(began).Round(time.Millisecond), peak>>20, took[len(took)/2], took[len(took)*99/100], len(took))
	if i.Imported != i.Rows || i.Rows != int64(n)*19/20 {
		w.Errorf("%+v", i)
	}
	w.Drain()
	w.Check()
	began = time.Now()
	w.OK(w.Archives.UndoImport(w.Ctx, ann, i.ID))
	for i.State != linnet.ImportUndone {
		time.Sleep(20 * time.Millisecond)
		i = apptest.Must(w.Archives.Import(w.Ctx, ann, i.ID))(w)
	}
	w.Drain()
	w.Logf("undone in %v", time.Since(began).Round(time.Millisecond))
	if v := apptest.Must(w.View.User(w.Ctx, ann, ann))(w); v.Statuses != 40 {
		w.Errorf("%d statuses are left", v.Statuses)
	}
	w.Check()
}

func peakMemory() uint64 {
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapInuse
}
