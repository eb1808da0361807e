package takeout

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"net/url"
	"path"
	"slices"
	"strconv"
	"strings"
	"time"

	"linnet/internal/linnet"
)

// outboxes returns the document with posts, the outermost one if there are several.
func outboxes(names []string) (doc []string) {
	for _, n := range names {
		if path.Base(n) == "outbox.json" && (len(doc) == 0 || len(n) < len(doc[0])) {
			doc = []string{n}
		}
	}
	return doc
}

// activity is an item of outbox.json.
type activity struct {
	Type   string          `json:"type"`
	Object json.RawMessage `json:"object"`
}

type note struct {
	ID         string            `json:"id"`
	Type       string            `json:"type"`
	Summary    string            `json:"summary"`
	InReplyTo  string            `json:"inReplyTo"`
	Published  time.Time         `json:"published"`
	To         several           `json:"to"`
	CC         several           `json:"cc"`
	Sensitive  bool              `json:"sensitive"`
	Content    string            `json:"content"`
	ContentMap map[string]string `json:"contentMap"`
	Source     struct {
		Content   string `json:"content"`
		MediaType string `json:"mediaType"`
	} `json:"source"`
	Attachment []struct {
		URL        string    `json:"url"`
		Name       string    `json:"name"`
		FocalPoint []float64 `json:"focalPoint"`
	} `json:"attachment"`
	Tag []struct {
		Type string `json:"type"`
		Href string `json:"href"`
		Name string `json:"name"`
	} `json:"tag"`
	OneOf []option `json:"oneOf"`
	AnyOf []option `json:"anyOf"`
}

type option struct {
	Name    string `json:"name"`
	Replies struct {
		Total int64 `json:"totalItems"`
	} `json:"replies"`
}

// several is a string or a list of strings.
type several []string

// UnmarshalJSON decodes either form.
func (s *several) UnmarshalJSON(b []byte) error {
	var one string
	if json.Unmarshal(b, &one) == nil {
		*s = nil
		if one != "" {
			*s = several{one}
		}
		return nil
	}
	return json.Unmarshal(b, (*[]string)(s))
}

func (a *Archive) readOutbox(r io.Reader, each func(*Post) error) error {
	in := newItems(r)
	if err := in.open("orderedItems"); err != nil {
		return err
	}
	for {
		var item activity
		ok, bad, err := in.next(&item)
		if !ok || err != nil {
			return err
		}
		if item.Type == "Announce" {
			a.left.Reposts++
			continue
		}
		var n note
		if bad || item.Type != "Create" || json.Unmarshal(item.Object, &n) != nil {
			a.left.Unreadable++
			continue
		}
		p, ok := a.note(&n)
		if !ok {
			a.left.Unreadable++
			continue
		}
		if p.Visibility == linnet.Direct {
			a.left.Messages++
			continue
		}
		if err := each(p); err != nil {
			return &callerError{err}
		}
	}
}

// note converts a note or a poll to a post. ok is false for other types.
func (a *Archive) note(n *note) (p *Post, ok bool) {
	if n.Type != "Note" && n.Type != "Question" || n.ID == "" || len(n.ID) > linnet.MaxURL || n.Published.IsZero() {
		return nil, false
	}
	p = &Post{Source: noteSource(n.ID), URI: n.ID, At: n.Published.UTC(), Warning: n.Summary, Sensitive: n.Sensitive,
		Visibility: visibility(n.To, n.CC), order: a.seen}
	p.Exact = p.At.Nanosecond() != 0
	if ms := noteMillis(n.ID); ms/1000 == p.At.Unix() {
		p.At, p.Exact = time.UnixMilli(ms).UTC(), true
	}
	if n.InReplyTo != "" {
		p.Parent = noteSource(n.InReplyTo)
	}
	if len(n.ContentMap) == 1 {
		for lang := range n.ContentMap {
			p.Language = lang
		}
	}
	if p.Text = n.Source.Content; p.Text == "" || n.Source.MediaType != "text/plain" {
		p.Text = n.plain()
	}
	var b strings.Builder
	for i, o := range append(n.OneOf, n.AnyOf...) {
		if i == 0 {
			b.WriteString("\n")
		}
		fmt.Fprintf(&b, "\n– %s (%d)", o.Name, o.Replies.Total)
	}
	p.Text = strings.TrimSpace(p.Text + b.String())
	root := strings.TrimSuffix(a.docs[0], "outbox.json")
	for _, d := range n.Attachment {
		m := Media{Names: mediaNames(root, d.URL), Alt: d.Name}
		if len(d.FocalPoint) == 2 {
			m.Focus = [2]float64{d.FocalPoint[0], d.FocalPoint[1]}
		}
		p.Media = append(p.Media, m)
	}
	return p, true
}

// noteSource returns the Source of a post with the given URI.
func noteSource(uri string) string {
	sum := sha256.Sum256([]byte(uri))
	return "m" + hex.EncodeToString(sum[:16])
}

// noteMillis returns the time in the id at the end of a URI, in Unix milliseconds. It is only valid
// for ids of Mastodon, so the caller compares it with the date.
func noteMillis(uri string) int64 {
	id, err := strconv.ParseUint(uri[strings.LastIndexByte(uri, '/')+1:], 10, 63)
	if err != nil {
		return -1
	}
	return int64(id >> 16)
}

func visibility(to, cc several) linnet.Visibility {
	public := func(s string) bool {
		return s == "https://www.w3.org/ns/activitystreams#Public" || s == "as:Public" || s == "Public"
	}
	switch {
	case slices.ContainsFunc(to, public):
		return linnet.Public
	case slices.ContainsFunc(cc, public):
		return linnet.Unlisted
	case slices.ContainsFunc(append(to[:len(to):len(to)], cc...), func(s string) bool { return strings.HasSuffix(s, "/followers") }):
		return linnet.Private
	}
	return linnet.Direct
}

// mediaNames returns the possible entries of a file with the path or URL in the document.
func mediaNames(root, address string) (out []string) {
	u, err := url.Parse(address)
	if err != nil || u.Path == "" {
		return nil
	}
	p, ok := entryName(u.Path)
	if !ok {
		return nil
	}
	out = append(out, root+p)
	if i := strings.Index(p, "media_attachments/"); i > 0 {
		out = append(out, root+p[i:])
	}
	return out
}
