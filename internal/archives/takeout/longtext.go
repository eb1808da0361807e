package takeout

import (
	"cmp"
	"html"
	"io"
	"regexp"
	"slices"
	"strings"
	"time"
	"unicode/utf8"
)

// MaxLongTexts limits the long texts of an archive in memory, in bytes. Further texts count as
// missing.
const MaxLongTexts = 64 << 20

const (
	// noteSkew is the maximal difference between the times of a tweet and its long text.
	noteSkew = 10 * time.Second
	// minOverlap and sureOverlap are the numbers of runes with which a tweet and its long text must
	// begin alike: with the same time, and with any time.
	minOverlap, sureOverlap = 10, 60
	// minCut is the minimal length in bytes of a tweet that X has cut off.
	minCut = 240
	// maxCandidates limits the number of long texts that are compared with a tweet.
	maxCandidates = 200
)

// noteFile matches the documents with the texts of tweets longer than 280 characters.
var noteFile = regexp.MustCompile(`^note-tweet(-part[0-9]{1,4})?\.js$`)

// longText is the whole text of a tweet that is cut off in tweets.js. Nothing in the archive links
// the two, but their times and beginnings agree.
type longText struct {
	at   int64 // Unix seconds, 0 if unknown
	text string
	used bool
}

// longTexts contains the long texts of an archive in the order of their times.
type longTexts struct {
	all     []longText
	byStart map[string][]int // indexes into all by the first sureOverlap runes
	bytes   int
	lost    int64 // not stored or unreadable
}

type noteTweet struct {
	Note struct {
		Created string `json:"createdAt"`
		Core    struct {
			Text string `json:"text"`
			URLs []struct {
				Short    string `json:"shortUrl"`
				Expanded string `json:"expandedUrl"`
			} `json:"urls"`
		} `json:"core"`
	} `json:"noteTweet"`
}

// readLongTexts reads a document with long texts.
func (a *Archive) readLongTexts(r io.Reader) error {
	return eachItem(r, func(n *noteTweet, bad bool) error {
		core := &n.Note.Core
		if bad || core.Text == "" || a.long.bytes+len(core.Text) > MaxLongTexts {
			a.long.lost++
			return nil
		}
		var urls []tweetURL
		for _, u := range core.URLs {
			urls = append(urls, tweetURL{URL: u.Short, Expanded: u.Expanded})
		}
		l := longText{text: expand(html.UnescapeString(core.Text), urls, nil)}
		if at, err := time.Parse(time.RFC3339, n.Note.Created); err == nil {
			l.at = at.Unix()
		}
		a.long.bytes += len(l.text)
		a.long.all = append(a.long.all, l)
		return nil
	})
}

// eachItem calls f for each item of a document of X. bad is true for an item of another form.
func eachItem[T any](r io.Reader, f func(item *T, bad bool) error) error {
	r, err := script(r)
	if err != nil {
		return err
	}
	in := newItems(r)
	if err := in.open(""); err != nil {
		return err
	}
	for {
		item := new(T)
		ok, bad, err := in.next(item)
		if !ok || err != nil {
			return err
		}
		if err := f(item, bad); err != nil {
			return err
		}
	}
}

// sort orders the texts by time and indexes their beginnings.
func (l *longTexts) sort() {
	slices.SortStableFunc(l.all, func(a, b longText) int { return cmp.Compare(a.at, b.at) })
	l.byStart = map[string][]int{}
	for i := range l.all {
		key := start(squeeze(l.all[i].text))
		l.byStart[key] = append(l.byStart[key], i)
	}
}

// start returns the first sureOverlap runes of s, or "" if it has fewer.
func start(s string) string {
	n := 0
	for i := range s {
		if n == sureOverlap {
			return s[:i]
		}
		n++
	}
	return ""
}

// find returns the long text that begins like text, a tweet posted at the given time. It takes
// the one closest in time, and each only once. cut is true if X marked the tweet as cut off.
func (l *longTexts) find(text string, at time.Time, cut bool) (string, bool) {
	begin := tweetStart(text)
	if utf8.RuneCountInString(begin.text) < minOverlap {
		return "", false
	}
	best, apart := -1, int64(0)
	for _, i := range l.candidates(&begin, at, cut) {
		n := &l.all[i]
		d := max(n.at-at.Unix(), at.Unix()-n.at)
		if !n.used && (best < 0 || d < apart) && begin.begins(n.text) {
			best, apart = i, d
		}
	}
	if best < 0 {
		return "", false
	}
	l.all[best].used = true
	return begin.names(l.all[best].text) + l.all[best].text, true
}

// candidates returns the long texts of about the same time, and for a cut tweet those with the
// same beginning.
func (l *longTexts) candidates(begin *tweetStarting, at time.Time, cut bool) (out []int) {
	from := at.Add(-noteSkew).Unix()
	first, _ := slices.BinarySearchFunc(l.all, from, func(a longText, t int64) int { return cmp.Compare(a.at, t) })
	for i := first; i < len(l.all) && l.all[i].at <= at.Add(noteSkew).Unix() && len(out) < maxCandidates; i++ {
		out = append(out, i)
	}
	if !cut {
		return out
	}
	for _, s := range []string{begin.text, begin.bare} {
		if same := l.byStart[start(s)]; start(s) != "" {
			out = append(out, same[:min(len(same), maxCandidates)]...)
		}
	}
	return out
}

// leadingNames matches the names that X puts before the text of a reply.
var leadingNames = regexp.MustCompile(`^(@\w+\s+)+`)

// tweetStarting is the beginning of a long text in a tweet.
type tweetStarting struct{ text, bare, lead string }

func tweetStart(text string) tweetStarting {
	text = strings.TrimRight(trailingLinks.ReplaceAllString(text, ""), "…. \n\t")
	lead := leadingNames.FindString(text)
	return tweetStarting{squeeze(text), squeeze(text[len(lead):]), lead}
}

// begins reports whether a long text begins like the tweet, also without its leading names.
func (s *tweetStarting) begins(long string) bool {
	return s.whole(long) || s.lead != "" && s.bare != "" && prefix(long, s.bare)
}

func (s *tweetStarting) whole(long string) bool { return prefix(long, s.text) }

// names returns the leading names of the tweet if the long text lacks them.
func (s *tweetStarting) names(long string) string {
	if s.whole(long) {
		return ""
	}
	return s.lead
}

// prefix reports whether long begins with start, which has one space for each run of white
// space.
func prefix(long, start string) bool {
	return strings.HasPrefix(squeeze(long[:min(len(long), 4*len(start)+64)]), start)
}

func squeeze(s string) string { return strings.Join(strings.Fields(s), " ") }

// trailingLinks matches the short links that X appends to a tweet.
var trailingLinks = regexp.MustCompile(`(\s*https?://(t\.co/\w+|(www\.|mobile\.)?(twitter|x)\.com/(i/web|\w+)/status/\d+))+\s*$`)

// cutOff reports whether only the beginning of a tweet is in tweets.js.
func (t *tweet) cutOff() bool {
	if t.Truncated {
		return true
	}
	for _, u := range t.Entities.URLs {
		if t.ID != "" && strings.HasSuffix(u.Expanded, "/status/"+t.ID) {
			return true
		}
	}
	text := trailingLinks.ReplaceAllString(html.UnescapeString(t.Text), "")
	return len(text) >= minCut && strings.HasSuffix(text, "…")
}
