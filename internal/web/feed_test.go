package web_test

import (
	"encoding/json"
	"encoding/xml"
	"net/http"
	"slices"
	"strings"
	"testing"

	"linnet/internal/linnet"
	"linnet/internal/web/paths"
)

// feedSeen is the content of a feed in any format.
type feedSeen struct {
	titles, links, texts []string
	self                 string
}

// formatsOfFeeds lists the file extensions of feeds and their media types.
var formatsOfFeeds = []struct{ ext, kind string }{{".rss", "application/rss+xml"}, {".atom", "application/atom+xml"}, {".json", "application/feed+json"}}

// atomFeed has the parts of an Atom feed that the tests compare.
type atomFeed struct {
	XMLName xml.Name `xml:"http://www.w3.org/2005/Atom feed"`
	ID      string   `xml:"id"`
	Updated string   `xml:"updated"`
	Links   []struct {
		Rel  string `xml:"rel,attr"`
		Href string `xml:"href,attr"`
	} `xml:"link"`
	Entries []struct {
		ID      string `xml:"id"`
		Title   string `xml:"title"`
		Updated string `xml:"updated"`
		Author  struct {
			Name string `xml:"name"`
		} `xml:"author"`
		Links []struct {
			Href string `xml:"href,attr"`
		} `xml:"link"`
		Content struct {
			Type string `xml:"type,attr"`
			HTML string `xml:",chardata"`
		} `xml:"content"`
	} `xml:"entry"`
}

// jsonFeed has the parts of a JSON feed that the tests compare.
type jsonFeed struct {
	Version string `json:"version"`
	Self    string `json:"feed_url"`
	Items   []struct {
		URL   string `json:"url"`
		Title string `json:"title"`
		HTML  string `json:"content_html"`
	} `json:"items"`
}

// readFeed parses a feed strictly.
func readFeed(t *testing.T, ext, body string) (f feedSeen) {
	t.Helper()
	var err error
	switch ext {
	case ".rss":
		f, err = readRSS(t, body)
	case ".atom":
		var d atomFeed
		err = xml.Unmarshal([]byte(body), &d)
		if d.ID == "" || d.Updated == "" || len(d.Links) != 2 {
			t.Errorf("feed %+v", d)
		}
		for _, l := range d.Links {
			if l.Rel == "self" {
				f.self = l.Href
			}
		}
		for _, e := range d.Entries {
			if e.ID == "" || e.Updated == "" || e.Content.Type != "html" || e.Author.Name == "" {
				t.Errorf("entry %+v", e)
			}
			f.titles, f.links, f.texts = append(f.titles, e.Title), append(f.links, e.Links[0].Href), append(f.texts, e.Content.HTML)
		}
	case ".json":
		var d jsonFeed
		err = json.Unmarshal([]byte(body), &d)
		if d.Version != "https://jsonfeed.org/version/1.1" || d.Items == nil {
			t.Errorf("feed %+v", d)
		}
		f.self = d.Self
		for _, i := range d.Items {
			f.titles, f.links, f.texts = append(f.titles, i.Title), append(f.links, i.URL), append(f.texts, i.HTML)
		}
	}
	if err != nil {
		t.Errorf("%s does not parse: %v\n%s", ext, err, body)
	}
	return f
}

// readRSS parses an RSS 2.0 feed.
func readRSS(t *testing.T, body string) (f feedSeen, err error) {
	t.Helper()
	var d struct {
		XMLName xml.Name
		Version string `xml:"version,attr"`
		Channel struct {
			Link []struct {
				Href string `xml:"href,attr"`
			} `xml:"link"`
			Items []struct {
				Title string `xml:"title"`
				Link  string `xml:"link"`
				GUID  string `xml:"guid"`
				Date  string `xml:"pubDate"`
				Text  string `xml:"description"`
			} `xml:"item"`
		} `xml:"channel"`
	}
	err = xml.Unmarshal([]byte(body), &d)
	if d.XMLName.Local != "rss" || d.Version != "2.0" {
		t.Errorf("no RSS 2.0: %s", body)
	}
	for _, l := range d.Channel.Link {
		f.self += l.Href
	}
	for _, i := range d.Channel.Items {
		if _, err := http.ParseTime(i.Date); err != nil || i.GUID != i.Link {
			t.Errorf("item %+v, %v", i, err)
		}
		f.titles, f.links, f.texts = append(f.titles, i.Title), append(f.links, i.Link), append(f.texts, i.Text)
	}
	return f, err
}

func feedsTell(t *testing.T) {
	w := newWorld(t, publicURL)
	ann, bob := w.user("Ann"), w.user("bob")
	open := w.post(ann.ID, linnet.Draft{Text: "A linnet & a <finch> ]]> #birds", Language: "en"})
	hidden := w.post(ann.ID, linnet.Draft{Text: "the fox did it #birds", Warning: "dead \"chicken\""})
	for _, v := range []linnet.Visibility{linnet.Unlisted, linnet.Private, linnet.Direct} {
		w.post(ann.ID, linnet.Draft{Text: "not for all #birds", Visibility: vis(v)})
	}
	other := w.post(bob.ID, linnet.Draft{Text: "bob was here #birds"})
	if _, err := w.svc.Posting.Repost(t.Context(), ann.ID, other.ID, nil); err != nil {
		t.Fatal(err)
	}
	eventually(t, "the tag is complete", func() bool { return strings.Count(w.browser().get("/tags/birds").body, "<article") == 3 })
	b := w.browser()
	for _, f := range formatsOfFeeds {
		for page, most := range map[string]int{"/@Ann": 2, "/tags/birds": 3} {
			path := page + f.ext
			a := b.get(path)
			want(t, a, http.StatusOK)
			if got := a.Header.Get("Content-Type"); got != f.kind+"; charset=utf-8" {
				t.Errorf("%s is %s", path, got)
			}
			if a.Header.Get("X-Frame-Options") != "DENY" || a.Header.Get("X-Robots-Tag") != "noindex" {
				t.Errorf("%s: headers %v", path, a.Header)
			}
			got := readFeed(t, f.ext, a.body)
			if len(got.links) != most || !slices.Contains(got.links, open.URL) || !strings.Contains(got.self, publicURL+path) {
				t.Errorf("%s has %d entries of %d: %+v", path, len(got.links), most, got)
			}
			if strings.Contains(strings.Join(got.titles, "|"), "fox") || !slices.Contains(got.titles, `CW: dead "chicken"`) {
				t.Errorf("%s: titles %q", path, got.titles)
			}
			text := got.texts[slices.Index(got.links, hidden.URL)]
			if !strings.HasPrefix(text, "<p><strong>Content warning:</strong> dead &#34;chicken&#34;</p><details>") || !strings.Contains(text, "the fox did it") {
				t.Errorf("%s: %q", path, text)
			}
			if text := got.texts[slices.Index(got.links, open.URL)]; !strings.Contains(text, "A linnet &amp; a &lt;finch&gt; ]]&gt;") {
				t.Errorf("%s: %q", path, text)
			}
			if strings.Contains(a.body, "not for all") {
				t.Errorf("%s tells what is not public:\n%s", path, a.body)
			}
		}
	}
	wantTo(t, b.get("/@ann.rss"), "/@Ann.rss")
	want(t, b.get("/@nobody.rss"), http.StatusNotFound)
	want(t, b.get("/@Ann.xml"), http.StatusNotFound)
	want(t, b.get("/tags/no/tag.rss"), http.StatusNotFound)
	want(t, b.get("/tags/nothinghere.atom"), http.StatusOK)
}

// TestFeedsMatchPages checks that feeds contain the same posts as profile pages, with attachments,
// descriptions and polls.
func TestFeedsMatchPages(t *testing.T) {
	w := newWorld(t, publicURL)
	ann, bob := w.user("ann"), w.user("bob")
	other := w.post(ann.ID, linnet.Draft{Text: "a question"})
	w.post(bob.ID, linnet.Draft{Text: "plain #Finch"})
	w.post(bob.ID, linnet.Draft{Text: "an answer #finch", InReplyTo: other.ID})
	w.post(bob.ID, linnet.Draft{Text: "which?", Poll: &linnet.PollDraft{Options: []string{"Owl", "Gull & co"}, Seconds: 3600}})
	shot := w.pictured(bob.ID, linnet.Draft{}, `A "grey" owl`)
	file := publicURL + filePath(shot.Media[0].Name)
	b := w.browser()
	for _, f := range formatsOfFeeds {
		for page, want := range map[string][]string{"": {"pictures", "poll", "plain"}, "/with_replies": {"pictures", "poll", "answer", "plain"}, "/media": {"pictures"}, "/tagged/finch": {"answer", "plain"}} {
			a := b.get("/@bob" + page + f.ext)
			got := readFeed(t, f.ext, a.body)
			var have []string
			for _, text := range got.texts {
				for name, part := range map[string]string{"pictures": `<img src="` + file + `" alt="A &#34;grey&#34; owl">`, "poll": "<li>Gull &amp; co</li>", "answer": "an answer", "plain": "plain "} {
					if strings.Contains(text, part) {
						have = append(have, name)
					}
				}
			}
			if a.StatusCode != http.StatusOK || !slices.Equal(have, want) || !strings.Contains(got.self, "/@bob"+page+f.ext) {
				t.Errorf("%s%s: %d, %v, want %v\n%s", page, f.ext, a.StatusCode, have, want, a.body)
			}
			if slices.Contains(want, "pictures") && (strings.Count(a.body, file) < 2 || !slices.Contains(got.titles, `A "grey" owl`)) {
				t.Errorf("%s%s does not name the attachment apart from the text:\n%s", page, f.ext, a.body)
			}
		}
		for limit, want := range map[string]int{"2": 2, "0": 3, "-1": 3, "x": 3, "1000": 3} {
			if got := readFeed(t, f.ext, b.get("/@bob"+f.ext+"?limit="+limit).body); len(got.links) != want {
				t.Errorf("limit=%s: %d posts", limit, len(got.links))
			}
		}
		wantTo(t, b.get("/@Bob/media"+f.ext), "/@bob/media"+f.ext)
		for _, path := range []string{"/@bob/followers", "/@bob/tagged/", "/@bob/tagged/a/b", "/@bob/7"} {
			want(t, b.get(path+f.ext), http.StatusNotFound)
		}
	}
	want(t, b.get("/@bob/replies"), http.StatusOK, `href="`+publicURL+`/@bob/with_replies.rss"`)
	want(t, b.get("/@bob/tagged/finch"), http.StatusOK, `href="`+publicURL+`/@bob/tagged/finch.atom"`)
	want(t, b.get(strings.TrimPrefix(shot.URL, publicURL)), http.StatusOK, `<meta property="og:image:alt" content="A &#34;grey&#34; owl"`)
}

// TestFeedLimit checks that long feeds contain several pages of their timeline, newest first, and
// that hidden posts do not count.
func TestFeedLimit(t *testing.T) {
	w := newWorld(t, publicURL)
	ann := w.user("ann")
	var urls []string
	for range linnet.MaxPage + 5 {
		urls = append(urls, w.post(ann.ID, linnet.Draft{Text: "again #song"}).URL)
		w.post(ann.ID, linnet.Draft{Text: "hidden #song", Visibility: vis(linnet.Unlisted)})
	}
	slices.Reverse(urls)
	w.settle()
	for _, feed := range []string{"/@ann", "/@ann/tagged/song", "/tags/song"} {
		for query, want := range map[string]int{"": 20, "?limit=1": 1, "?limit=43": 43, "?limit=0": 20, "?limit=x": 20, "?limit=1000": len(urls)} {
			for _, f := range formatsOfFeeds {
				path := feed + f.ext + query
				if got := readFeed(t, f.ext, w.browser().get(path).body); !slices.Equal(got.links, urls[:want]) {
					t.Errorf("%s has %d posts, want the newest %d: %v", path, len(got.links), want, got.links)
				}
			}
		}
	}
}

// TestTagFeedsOmitHiddenPosts checks that tag feeds contain only public posts, for every viewer.
// Posts by limited or suspended authors and by authors without feeds are omitted.
func TestTagFeedsOmitHiddenPosts(t *testing.T) {
	w := newWorld(t, publicURL)
	ann, bob := w.user("ann"), w.user("bob")
	w.follows(bob.ID, ann.ID)
	if _, err := w.svc.Groups.CreateGroup(t.Context(), ann.ID, linnet.NewGroup{Login: "club", Name: "Club", Kind: linnet.PrivateGroup}); err != nil {
		t.Fatal(err)
	}
	open := w.post(ann.ID, linnet.Draft{Text: "open #song"})
	answer := w.post(bob.ID, linnet.Draft{Text: "answer #song", InReplyTo: open.ID})
	for _, v := range []linnet.Visibility{linnet.Unlisted, linnet.Private, linnet.Direct} {
		w.post(ann.ID, linnet.Draft{Text: "hidden @bob #song", Visibility: vis(v)})
		w.post(bob.ID, linnet.Draft{Text: "hidden @ann #song", Visibility: vis(v), InReplyTo: open.ID})
	}
	w.post(ann.ID, linnet.Draft{Text: "hidden @club #song"})
	deleted := w.post(ann.ID, linnet.Draft{Text: "hidden #song"})
	if _, err := w.svc.Posting.Delete(t.Context(), ann.ID, deleted.ID); err != nil {
		t.Fatal(err)
	}
	for _, login := range []string{"silenced", "suspended", "feedless"} {
		w.post(w.user(login).ID, linnet.Draft{Text: "hidden #song"})
	}
	w.operate("silenced", linnet.Measure{Act: linnet.Silence})
	w.operate("suspended", linnet.Measure{Act: linnet.Suspend})
	off := true
	if _, err := w.svc.Social.Profiles.Update(t.Context(), w.named("feedless"), linnet.ProfileChange{NoFeeds: &off}); err != nil {
		t.Fatal(err)
	}
	w.settle()
	for reader, b := range map[string]*browser{"a stranger": w.browser(), "the author": w.browser().logIn("ann"), "a follower": w.browser().logIn("bob")} {
		for _, f := range formatsOfFeeds {
			a := b.get("/tags/song" + f.ext)
			if got := readFeed(t, f.ext, a.body); !slices.Equal(got.links, []string{answer.URL, open.URL}) || strings.Contains(a.body, "hidden") {
				t.Errorf("%s gets in %s: %v\n%s", reader, f.ext, got.links, a.body)
			}
		}
	}
}

// feedsEndAndStay checks that unchanged feeds return 304. A feed disappears as soon as its author
// disables it, from tag feeds too.
func feedsEndAndStay(t *testing.T) {
	w := newWorld(t, publicURL)
	ann := w.user("ann")
	w.post(ann.ID, linnet.Draft{Text: "one #birds"})
	eventually(t, "tasks end", w.svc.Idle)
	b := w.browser()
	for _, path := range []string{"/@ann.rss", "/@ann.atom", "/@ann.json", "/tags/birds.rss"} {
		b.header.Del("If-None-Match")
		tag := b.get(path).Header.Get("ETag")
		for have, code := range map[string]int{tag: http.StatusNotModified, `"x", ` + strings.TrimPrefix(tag, "W/"): http.StatusNotModified,
			"*": http.StatusNotModified, `W/"x"`: http.StatusOK} {
			b.header.Set("If-None-Match", have)
			if a := b.get(path); a.StatusCode != code || a.Header.Get("ETag") != tag || (a.body == "") != (code == http.StatusNotModified) {
				t.Errorf("%s with %s: %d %s", path, have, a.StatusCode, a.body)
			}
		}
		b.header.Set("If-None-Match", tag)
		w.post(ann.ID, linnet.Draft{Text: "another #birds"})
		eventually(t, path+" is sent anew", func() bool { return b.get(path).StatusCode == http.StatusOK })
	}
	b.header.Del("If-None-Match")
	off := true
	if _, err := w.svc.Social.Profiles.Update(t.Context(), ann.ID, linnet.ProfileChange{NoFeeds: &off}); err != nil {
		t.Fatal(err)
	}
	for _, f := range formatsOfFeeds {
		want(t, b.get("/@ann"+f.ext), http.StatusNotFound)
	}
	if a := b.get("/tags/birds.json"); strings.Contains(a.body, "another") {
		t.Error("the tag's feed shows who has none")
	}
	want(t, b.get("/@ann"), http.StatusOK, "another")
}

// TestFeedsOfHostileTexts checks that suspended and deleted accounts have no feed, and that hostile
// texts do not break one.
func TestFeedsOfHostileTexts(t *testing.T) {
	w := newWorld(t, publicURL)
	ann := w.user("ann")
	b := w.browser()
	for _, evil := range hostile(t) {
		name := evil[:min(len(evil), 30)]
		if _, err := w.svc.Social.Profiles.Update(t.Context(), ann.ID, linnet.ProfileChange{Name: &name}); err != nil {
			continue // too long for a name, but tested as a text
		}
		w.post(ann.ID, linnet.Draft{Text: "x" + evil, Warning: evil})
		for _, f := range formatsOfFeeds {
			readFeed(t, f.ext, b.get("/@ann"+f.ext).body)
		}
	}
	if err := w.svc.Moderation.Moderate(t.Context(), linnet.Operator(), linnet.Measure{On: ann.ID, Act: linnet.Suspend}); err != nil {
		t.Fatal(err)
	}
	want(t, b.get("/@ann.rss"), http.StatusNotFound)
}

func TestWellKnown(t *testing.T) {
	w := newWorld(t, publicURL)
	b := w.browser()
	want(t, b.get("/robots.txt"), http.StatusOK, "User-agent: *\n", "Disallow: /settings/\n")
	hostMeta := b.get("/.well-known/host-meta")
	want(t, hostMeta, http.StatusOK, `template="https://birds.example/.well-known/webfinger?resource={uri}"`)
	if got := hostMeta.Header.Get("Access-Control-Allow-Origin"); got != "*" {
		t.Errorf("host-meta is open to %q, want *", got)
	}
	icon := b.get("/favicon.ico")
	want(t, icon, http.StatusOK, "\x89PNG")
	if got := icon.Header.Get("Content-Type"); got != "image/x-icon" || !strings.HasPrefix(icon.body, "\x00\x00\x01\x00") {
		t.Errorf("the icon is of type %q", got)
	}
	wantTo(t, b.get("/.well-known/change-password"), "/settings/security#password")
	want(t, b.get("/.well-known/security.txt"), http.StatusNotFound)
	contact, private := "ann%b@birds.example", true
	if _, err := w.svc.Settings.ChangeInstance(t.Context(), linnet.Operator(), linnet.InstanceChange{Contact: &contact, Private: &private}); err != nil {
		t.Fatal(err)
	}
	want(t, b.get("/.well-known/security.txt"), http.StatusOK, "Contact: mailto:ann%25b@birds.example\nExpires: 20")
	want(t, b.get("/robots.txt"), http.StatusOK, "Disallow: /\n")
	for _, path := range []string{"/robots.txt", "/.well-known/host-meta", "/.well-known/change-password", "/.well-known/security.txt"} {
		if strings.HasPrefix(path, "/.well-known/") != paths.WellKnown(path) {
			t.Errorf("%s: %v", path, paths.WellKnown(path))
		}
	}
	if paths.WellKnown("/.well-known/webfinger") {
		t.Error("the API's document is taken for a page")
	}
}
