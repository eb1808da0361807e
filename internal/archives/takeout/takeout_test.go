package takeout

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
)

func zipped1(t testing.TB, files ...string) []byte {
	t.Helper()
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	for i := 0; i < len(files); i += 2 {
		w, err := z.Create(files[i])
		if err == nil {
			_, err = io.WriteString(w, files[i+1])
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

func tarred1(t testing.TB, files ...string) []byte {
	t.Helper()
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	w := tar.NewWriter(z)
	for i := 0; i < len(files); i += 2 {
		err := w.WriteHeader(&tar.Header{Name: files[i], Size: int64(len(files[i+1])), Mode: 0o600})
		if err == nil {
			_, err = io.WriteString(w, files[i+1])
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := errors.Join(w.Close(), z.Close()); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// read returns the posts of an archive, as far as it can be read.
func read(b []byte) (posts []*Post, left Left, err error) {
	a, err := Open(bytes.NewReader(b), int64(len(b)))
	if err != nil {
		return nil, left, err
	}
	left, err = a.Posts(func(p *Post) error { posts = append(posts, p); return nil })
	if err != nil {
		return posts, left, err
	}
	want, has := map[string]bool{}, a.Has()
	for _, p := range posts {
		for i := range p.Media {
			if n := has(&p.Media[i]); n != "" {
				want[n] = true
			}
		}
	}
	return posts, left, a.Media(want, func(_ string, _ int64, r io.Reader) error {
		_, err := io.Copy(io.Discard, io.LimitReader(r, 1<<20))
		return err
	})
}

const aTweet = `{"tweet":{"id_str":"%d","full_text":"%s","created_at":"Wed May 01 12:00:00 +0000 2013"}}`

func tweets(text ...string) string {
	var all []string
	for i, s := range text {
		all = append(all, fmt.Sprintf(aTweet, i+1, s))
	}
	return "window.YTD.tweets.part0 = [" + strings.Join(all, ",") + "]"
}

// TestHostileArchives checks that malicious archives are refused or their malicious parts skipped,
// and that the reason is a Refusal.
func TestHostileArchives(t *testing.T) {
	deep := strings.Repeat("[", 20_000)
	for name, c := range map[string]struct {
		file  []byte
		posts int
		wrong string
	}{
		"nothing":           {nil, 0, "not an archive"},
		"text":              {[]byte("hello, world"), 0, "not an archive"},
		"ZIP cut off":       {zipped1(t, "data/tweets.js", tweets("a"))[:60], 0, "damaged"},
		"tar cut off":       {tarred1(t, "outbox.json", `{"orderedItems":[]}`)[:40], 0, "damaged"},
		"other files":       {zipped1(t, "a.txt", "b"), 0, "are missing"},
		"paths":             {zipped1(t, "../../data/tweets.js", tweets("a"), "/etc/passwd", "x"), 1, ""},
		"below a directory": {zipped1(t, "twitter-2022/data/tweets.js", tweets("a", "b")), 2, ""},
		"older name":        {zipped1(t, "data/tweet.js", strings.ReplaceAll(strings.ReplaceAll(tweets("a"), `{"tweet":`, ""), "}}", "}")), 1, ""},
		"not a program":     {zipped1(t, "data/tweets.js", strings.Repeat("x", 10_000)), 0, "form"},
		"nested":            {zipped1(t, "data/tweets.js", "window.YTD.tweets.part0 = ["+deep), 0, "depth"},
		"large item":        {zipped1(t, "data/tweets.js", tweets(strings.Repeat("a", 5<<20))), 0, "larger than 1 MB"},
		"half an item":      {zipped1(t, "data/tweets.js", tweets("a", "b")[:150]), 1, "Can't read"},
		"other types":       {zipped1(t, "data/tweets.js", `x = [7, {"tweet":{"id_str":7}}, {"tweet":null}, `+fmt.Sprintf(aTweet, 9, "a")+"]"), 1, ""},
		"no list":           {zipped1(t, "outbox.json", `{"a":{"orderedItems":[1]}}`), 0, "no list"},
		"items not a list":  {zipped1(t, "outbox.json", `{"orderedItems":7}`), 0, "form"},
		"large before it":   {tarred1(t, "outbox.json", `{"a":"`+strings.Repeat("x", 3<<20)+`","orderedItems":[]}`), 0, "larger than 1 MB"},
	} {
		t.Run(name, func(t *testing.T) {
			posts, _, err := read(c.file)
			var r Refusal
			if len(posts) != c.posts || (err == nil) != (c.wrong == "") || err != nil && (!errors.As(err, &r) || !strings.Contains(string(r), c.wrong)) {
				t.Errorf("%d posts, %v", len(posts), err)
			}
		})
	}
}

// TestManyEntries checks that a directory with too many entries is refused before it takes memory.
func TestManyEntries(t *testing.T) {
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	name := strings.Repeat("n", 900)
	for i := range MaxDirectory / 900 {
		if _, err := z.CreateRaw(&zip.FileHeader{Name: fmt.Sprint(name, i)}); err != nil {
			t.Fatal(err)
		}
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := Open(bytes.NewReader(b.Bytes()), int64(b.Len())); !errors.Is(err, errDirectory) {
		t.Errorf("%v", err)
	}
}

func FuzzArchive(f *testing.F) {
	f.Add(zipped1(f, "data/tweets.js", tweets("a", "b"), "data/tweets_media/1-a.jpg", "x"))
	f.Add(zipped1(f, "outbox.json", `{"orderedItems":[{"type":"Create","object":{"id":"https://a/1","type":"Note","published":"2020-01-01T00:00:00Z","content":"<p>a</p>"}}]}`))
	f.Add(tarred1(f, "outbox.json", `{"orderedItems":[]}`))
	f.Fuzz(func(t *testing.T, b []byte) {
		posts, _, err := read(b)
		var r Refusal
		if err != nil && !errors.As(err, &r) && !strings.Contains(err.Error(), "zip") && !strings.Contains(err.Error(), "flate") {
			t.Logf("%T %v", err, err)
		}
		for _, p := range posts {
			if p.Source == "" || len(p.Source) > 40 || p.At.IsZero() {
				t.Errorf("%+v", p)
			}
		}
	})
}

func FuzzDocuments(f *testing.F) {
	f.Add("window.YTD.tweets.part0 = [" + fmt.Sprintf(aTweet, 1, "a") + "]")
	f.Add(`{"orderedItems":[{"type":"Create","object":{"id":"https://a/1","type":"Note","published":"2020-01-01T00:00:00Z","content":"<a href='https://b'>c</a>","to":"as:Public","attachment":[{"url":"/a"}]}}]}`)
	f.Fuzz(func(t *testing.T, s string) {
		for _, kind := range []Kind{Mastodon, Twitter} {
			a := &Archive{Kind: kind, docs: []string{"outbox.json"}}
			read := map[Kind]func(io.Reader, func(*Post) error) error{Mastodon: a.readOutbox, Twitter: a.readTweets}[kind]
			_ = read(strings.NewReader(s), func(p *Post) error {
				if p.Source == "" || len(p.Source) > 40 {
					t.Errorf("%+v", p)
				}
				return nil
			})
		}
	})
}

func noteTweets(at, text string) string {
	return `window.YTD.note_tweet.part0 = [{"noteTweet":{"createdAt":"` + at + `","core":{"text":"` + text + `","urls":[{"shortUrl":"https://t.co/u","expandedUrl":"https://example.org/whole"}]}}}]`
}

// TestLongTweets checks that long posts have their whole text or are marked as cut off.
func TestLongTweets(t *testing.T) {
	long := "A long post &amp; more. " + strings.Repeat("word ", 100) + "END https://t.co/u"
	whole := strings.ReplaceAll(strings.ReplaceAll(long, "&amp;", "&"), "https://t.co/u", "https://example.org/whole")
	begin := long[:270]
	for name, c := range map[string]struct {
		tweet, at, note string
		text            string
		cut             bool
		left            int64
	}{
		"ellipsis and link":         {begin + "… https://t.co/abc", "2013-05-01T12:00:01.000Z", long, whole, false, 0},
		"without ellipsis":          {begin, "2013-05-01T12:00:00.000Z", long, whole, false, 0},
		"white space differs":       {strings.Replace(begin, "post ", "post\\n", 1) + "…", "2013-05-01T12:00:00.000Z", strings.Replace(long, "post ", "post  ", 1), strings.Replace(whole, "post ", "post  ", 1), false, 0},
		"names before the text":     {"@ann @bob " + begin + "…", "2013-05-01T12:00:00.000Z", long, "@ann @bob " + whole, false, 0},
		"time of an edit":           {begin + "…", "2013-05-01T12:40:00.000Z", long, whole, false, 0},
		"time unknown":              {begin + "…", "?", long, whole, false, 0},
		"another text":              {begin + "…", "2013-05-01T12:00:00.000Z", "Another post " + long, strings.ReplaceAll(begin, "&amp;", "&") + "…", true, 1},
		"complete, another time":    {"Good morning to all of you", "2014-05-01T12:00:00.000Z", "Good morning to all of you and " + long, "Good morning to all of you", false, 1},
		"complete with an ellipsis": {"well…", "2014-05-01T12:00:00.000Z", long, "well…", false, 1},
	} {
		t.Run(name, func(t *testing.T) {
			posts, left, err := read(zipped1(t, "data/tweets.js", tweets(c.tweet), "data/note-tweet.js", noteTweets(c.at, c.note)))
			if err != nil || len(posts) != 1 || posts[0].Text != c.text || posts[0].Cut != c.cut || left.LongTexts != c.left {
				t.Errorf("%v, %+v\n%+v", err, left, posts[0])
			}
		})
	}
}

// TestProtected checks that an account is protected by the latest entry of its history, or if the
// history is damaged.
func TestProtected(t *testing.T) {
	item := func(at, action string) string {
		return `{"protectedHistory":{"protectedAt":"` + at + `","action":"` + action + `"}}`
	}
	early, late := "2012-01-01T00:00:00.000Z", "2020-01-01T00:00:00.000Z"
	for name, c := range map[string]struct {
		doc  string
		want bool
	}{
		"never":              {"[]", false},
		"protected":          {"[" + item(early, "Protect") + "]", true},
		"unprotected":        {"[" + item(early, "Protect") + "," + item(late, "Unprotect") + "]", false},
		"latest first":       {"[" + item(late, "Unprotect") + "," + item(early, "Protect") + "]", false},
		"protected again":    {"[" + item(late, "Protect") + "," + item(early, "Unprotect") + "]", true},
		"damaged":            {"[" + item(early, "Unprotect")[:20], true},
		"without a time":     {`[{"protectedHistory":{"action":"Unprotect"}}]`, true},
		"of another program": {`[{"x":1}]`, true},
	} {
		t.Run(name, func(t *testing.T) {
			b := zipped1(t, "x/data/tweets.js", tweets("a"), "x/data/protected-history.js", "window.YTD.protected_history.part0 = "+c.doc)
			a, err := Open(bytes.NewReader(b), int64(len(b)))
			if err != nil || a.Protected() != c.want {
				t.Errorf("%v, protected: %v", err, !c.want)
			}
		})
	}
}
