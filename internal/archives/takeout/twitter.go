package takeout

import (
	"fmt"
	"html"
	"io"
	"net/url"
	"path"
	"regexp"
	"strconv"
	"strings"
	"time"

	"linnet/internal/linnet"
)

// tweetFile matches the documents with posts. Large archives have several, and older archives use
// another name.
var tweetFile = regexp.MustCompile(`^(.*/|)data/(tweets?(-part[0-9]{1,4})?\.js)$`)

// tweetFiles returns the documents with posts in the outermost directory with any.
func tweetFiles(names []string) (docs []string) {
	for _, n := range names {
		if !tweetFile.MatchString(n) {
			continue
		}
		if len(docs) > 0 && len(path.Dir(n)) < len(path.Dir(docs[0])) {
			docs = docs[:0]
		}
		if len(docs) == 0 || path.Dir(n) == path.Dir(docs[0]) {
			docs = append(docs, n)
		}
	}
	return docs
}

// tweet contains the used fields of an item of tweets.js. Numbers are strings there.
type tweet struct {
	ID        string   `json:"id_str"`
	Text      string   `json:"full_text"`
	OldText   string   `json:"text"`
	Created   string   `json:"created_at"`
	Parent    string   `json:"in_reply_to_status_id_str"`
	Language  string   `json:"lang"`
	Sensitive bool     `json:"possibly_sensitive"`
	Truncated bool     `json:"truncated"`
	Entities  struct { // parts of the text
		URLs  []tweetURL   `json:"urls"`
		Media []tweetMedia `json:"media"`
	} `json:"entities"`
	Extended struct {
		Media []tweetMedia `json:"media"`
	} `json:"extended_entities"`
}

type tweetURL struct {
	URL      string `json:"url"`
	Expanded string `json:"expanded_url"`
}

type tweetMedia struct {
	URL   string `json:"url"` // in the text
	File  string `json:"media_url_https"`
	HTTP  string `json:"media_url"`
	Alt   string `json:"ext_alt_text"`
	Video struct {
		Variants []struct {
			URL     string `json:"url"`
			Bitrate any    `json:"bitrate"`
		} `json:"variants"`
	} `json:"video_info"`
}

// tweetItem is a tweet in archives of any age.
type tweetItem struct {
	tweet
	Tweet *tweet `json:"tweet"`
}

// readTweets reads a document with posts.
func (a *Archive) readTweets(r io.Reader, each func(*Post) error) error {
	return eachItem(r, func(item *tweetItem, bad bool) error {
		t := item.Tweet
		if t == nil {
			t = &item.tweet
		}
		if t.Text == "" {
			t.Text = t.OldText
		}
		if strings.HasPrefix(t.Text, "RT @") {
			a.left.Reposts++
			return nil
		}
		p, ok := a.tweet(t)
		if bad || !ok {
			a.left.Unreadable++
			return nil
		}
		if err := each(p); err != nil {
			return &callerError{err}
		}
		return nil
	})
}

// tweet converts a tweet to a post. ok is false for an invalid tweet.
func (a *Archive) tweet(t *tweet) (p *Post, ok bool) {
	id, err := strconv.ParseUint(t.ID, 10, 63)
	at, timeErr := time.Parse(time.RubyDate, t.Created)
	if err != nil || timeErr != nil || id == 0 {
		return nil, false
	}
	p = &Post{Source: tweetSource(id), At: at.UTC(), Visibility: linnet.Public, Sensitive: t.Sensitive, order: id}
	if ms := tweetMillis(id); ms/1000 == at.Unix() {
		p.At, p.Exact = time.UnixMilli(ms).UTC(), true
	}
	if parent, err := strconv.ParseUint(t.Parent, 10, 63); err == nil && parent != 0 {
		p.Parent = tweetSource(parent)
	}
	p.Language = t.language()
	media := t.Extended.Media
	if len(media) == 0 {
		media = t.Entities.Media
	}
	p.Text, p.Cut = a.text(t, media, p.At)
	root := strings.TrimSuffix(path.Dir(a.docs[0]), "data")
	for i := range media {
		p.Media = append(p.Media, Media{Names: media[i].names(root, t.ID), Alt: html.UnescapeString(media[i].Alt)})
	}
	return p, true
}

// noLanguage matches codes of X for texts without a natural language: undetermined, only tags, only
// links and the like.
var noLanguage = regexp.MustCompile(`^(und|zxx|mul|mis|art|q[a-t][a-z])$`)

func (t *tweet) language() string {
	if noLanguage.MatchString(t.Language) {
		return ""
	}
	return t.Language
}

func tweetSource(id uint64) string { return "t" + strconv.FormatUint(id, 10) }

// tweetMillis returns the time in the id of a tweet, in Unix milliseconds. Ids before November 2010
// contain no time. https://docs.x.com/x-ids
func tweetMillis(id uint64) int64 { return int64(id>>22) + 1288834974657 }

// text returns the whole text of a tweet, also of one longer than 280 characters. cut is true
// if only the beginning is in the archive.
func (a *Archive) text(t *tweet, media []tweetMedia, at time.Time) (text string, cut bool) {
	pictures := append(media[:len(media):len(media)], t.Entities.Media...)
	text, cut = expand(html.UnescapeString(t.Text), t.Entities.URLs, pictures), t.cutOff()
	if long, ok := a.long.find(text, at, cut); ok {
		return expand(long, t.Entities.URLs, pictures), false
	}
	return text, cut
}

// expand replaces short links in a text with full addresses, and removes links to images.
func expand(text string, urls []tweetURL, pictures []tweetMedia) string {
	var pairs []string
	for _, u := range urls {
		if u.URL != "" && safeLink(u.Expanded) {
			pairs = append(pairs, u.URL, u.Expanded)
		}
	}
	for _, m := range pictures {
		if m.URL != "" {
			pairs = append(pairs, m.URL, "")
		}
	}
	return strings.TrimSpace(strings.NewReplacer(pairs...).Replace(text))
}

func safeLink(s string) bool {
	u, err := url.Parse(s)
	return err == nil && (u.Scheme == "https" || u.Scheme == "http") && u.Host != "" && len(s) <= linnet.MaxURL
}

// names returns the possible file names of a medium: the id of the tweet followed by the original
// name.
func (m *tweetMedia) names(root, id string) (out []string) {
	all := []string{}
	for _, v := range m.Video.Variants {
		all = append(all, v.URL)
	}
	for _, u := range append(all, m.File, m.HTTP) {
		parsed, err := url.Parse(u)
		if err != nil || u == "" {
			continue
		}
		base := path.Base(parsed.Path)
		for _, dir := range []string{"tweets_media", "tweet_media"} {
			out = append(out, fmt.Sprintf("%sdata/%s/%s-%s", root, dir, id, base))
		}
	}
	return out
}
