package web

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"html"
	"net/http"
	"time"
)

// The formats of feeds: RSS 2.0 (https://www.rssboard.org/rss-specification),
// Atom (RFC 4287) and JSON Feed 1.1 (https://www.jsonfeed.org/version/1.1/).

func escape(s string) string { return html.EscapeString(s) }

type rssDoc struct {
	XMLName xml.Name   `xml:"rss"`
	Version string     `xml:"version,attr"`
	Atom    string     `xml:"xmlns:atom,attr"`
	DC      string     `xml:"xmlns:dc,attr"`
	Media   string     `xml:"xmlns:media,attr"`
	Channel rssChannel `xml:"channel"`
}

type rssChannel struct {
	Title     string    `xml:"title"`
	Link      string    `xml:"link"`
	About     string    `xml:"description"`
	Self      atomLink  `xml:"atom:link"`
	Built     string    `xml:"lastBuildDate"`
	Generator string    `xml:"generator"`
	Items     []rssItem `xml:"item"`
}

type rssItem struct {
	Title      string   `xml:"title"`
	Link       string   `xml:"link"`
	GUID       rssGUID  `xml:"guid"`
	Date       string   `xml:"pubDate"`
	Creator    string   `xml:"dc:creator"`
	HTML       string   `xml:"description"`
	Categories []string `xml:"category"`

	Enclosure *rssEnclosure `xml:"enclosure,omitempty"`
	Media     []rssMedia    `xml:"media:content"`
}

// rssEnclosure is the first attachment: RSS has one for each item.
type rssEnclosure struct {
	URL    string `xml:"url,attr"`
	Length int64  `xml:"length,attr"`
	Type   string `xml:"type,attr"`
}

// rssMedia is an attachment as Media RSS describes it (https://www.rssboard.org/media-rss).
type rssMedia struct {
	URL    string       `xml:"url,attr"`
	Type   string       `xml:"type,attr"`
	Medium string       `xml:"medium,attr"`
	Bytes  int64        `xml:"fileSize,attr"`
	Rating rssScheme    `xml:"media:rating"`
	Alt    *rssTextType `xml:"media:description,omitempty"`
}

type rssScheme struct {
	Scheme string `xml:"scheme,attr"`
	Value  string `xml:",chardata"`
}

type rssTextType struct {
	Type string `xml:"type,attr"`
	Text string `xml:",chardata"`
}

func (m *feedMedia) rss() rssMedia {
	out := rssMedia{URL: m.URL, Type: m.Type, Medium: m.Medium, Bytes: m.Bytes, Rating: rssScheme{"urn:simple", either(m.Adult, "adult", "nonadult")}}
	if m.Alt != "" {
		out.Alt = &rssTextType{"plain", m.Alt}
	}
	return out
}

type rssGUID struct {
	Permalink bool   `xml:"isPermaLink,attr"`
	ID        string `xml:",chardata"`
}

func writeRSS(f *feed) ([]byte, error) {
	d := rssDoc{Version: "2.0", Atom: "http://www.w3.org/2005/Atom", DC: "http://purl.org/dc/elements/1.1/", Media: "http://search.yahoo.com/mrss/",
		Channel: rssChannel{Title: f.Title, Link: f.Page, About: f.About, Generator: "Linnet",
			Self: atomLink{Rel: "self", Type: "application/rss+xml", Href: f.Self}, Built: rssDate(f.Updated)}}
	for _, i := range f.Items {
		item := rssItem{Title: i.Title, Link: i.URL, GUID: rssGUID{true, i.URL}, Date: rssDate(i.ID.Time()),
			Creator: displayName(i.By.UserView), HTML: i.HTML, Categories: i.Tags}
		for n := range i.Media {
			m := &i.Media[n]
			if n == 0 {
				item.Enclosure = &rssEnclosure{m.URL, m.Bytes, m.Type}
			}
			item.Media = append(item.Media, m.rss())
		}
		d.Channel.Items = append(d.Channel.Items, item)
	}
	return writeXML(d)
}

func rssDate(t time.Time) string { return t.UTC().Format(http.TimeFormat) }

type atomDoc struct {
	XMLName   xml.Name    `xml:"http://www.w3.org/2005/Atom feed"`
	ID        string      `xml:"id"`
	Title     string      `xml:"title"`
	About     string      `xml:"subtitle"`
	Updated   string      `xml:"updated"`
	Author    *atomPerson `xml:"author,omitempty"`
	Links     []atomLink  `xml:"link"`
	Generator string      `xml:"generator"`
	Entries   []atomEntry `xml:"entry"`
}

type atomPerson struct {
	Name string `xml:"name"`
	URI  string `xml:"uri"`
}

type atomLink struct {
	Rel    string `xml:"rel,attr"`
	Type   string `xml:"type,attr"`
	Href   string `xml:"href,attr"`
	Length int64  `xml:"length,attr,omitempty"`
	Title  string `xml:"title,attr,omitempty"`
}

type atomEntry struct {
	ID         string         `xml:"id"`
	Title      string         `xml:"title"`
	Published  string         `xml:"published"`
	Updated    string         `xml:"updated"`
	Author     atomPerson     `xml:"author"`
	Links      []atomLink     `xml:"link"`
	Categories []atomCategory `xml:"category"`
	Content    atomContent    `xml:"content"`
}

type atomCategory struct {
	Term string `xml:"term,attr"`
}

type atomContent struct {
	Type string `xml:"type,attr"`
	Lang string `xml:"xml:lang,attr,omitempty"`
	HTML string `xml:",chardata"`
}

func writeAtom(f *feed) ([]byte, error) {
	d := atomDoc{ID: f.ID, Title: f.Title, About: f.About, Updated: atomDate(f.Updated), Generator: "Linnet",
		Links: []atomLink{{Rel: "alternate", Type: "text/html", Href: f.Page}, {Rel: "self", Type: "application/atom+xml", Href: f.Self}}}
	if f.By != nil {
		d.Author = &atomPerson{displayName(*f.By), f.By.URL}
	}
	for _, i := range f.Items {
		e := atomEntry{ID: i.URI, Title: i.Title, Published: atomDate(i.ID.Time()), Updated: atomDate(changed(&i.Status)),
			Author: atomPerson{displayName(i.By.UserView), i.By.URL}, Links: []atomLink{{Rel: "alternate", Type: "text/html", Href: i.URL}},
			Content: atomContent{"html", i.Language, i.HTML}}
		for _, t := range i.Tags {
			e.Categories = append(e.Categories, atomCategory{t})
		}
		for _, m := range i.Media {
			e.Links = append(e.Links, atomLink{Rel: "enclosure", Type: m.Type, Href: m.URL, Length: m.Bytes, Title: m.Alt})
		}
		d.Entries = append(d.Entries, e)
	}
	return writeXML(d)
}

func atomDate(t time.Time) string { return t.UTC().Format(time.RFC3339) }

func writeXML(v any) ([]byte, error) {
	var b bytes.Buffer
	b.WriteString(xml.Header)
	err := xml.NewEncoder(&b).Encode(v)
	return b.Bytes(), err
}

type jsonFeed struct {
	Version string         `json:"version"`
	Title   string         `json:"title"`
	Home    string         `json:"home_page_url"`
	Self    string         `json:"feed_url"`
	About   string         `json:"description"`
	Authors []jsonAuthor   `json:"authors,omitempty"`
	Items   []jsonFeedItem `json:"items"`
}

type jsonAuthor struct {
	Name string `json:"name"`
	URL  string `json:"url"`
}

type jsonFeedItem struct {
	ID        string       `json:"id"`
	URL       string       `json:"url"`
	Title     string       `json:"title,omitempty"`
	HTML      string       `json:"content_html"`
	Published string       `json:"date_published"`
	Authors   []jsonAuthor `json:"authors"`
	Tags      []string     `json:"tags,omitempty"`
	Language  string       `json:"language,omitempty"`

	Image       string           `json:"image,omitempty"`
	Attachments []jsonAttachment `json:"attachments,omitempty"`
}

type jsonAttachment struct {
	URL     string  `json:"url"`
	Type    string  `json:"mime_type"`
	Title   string  `json:"title,omitempty"`
	Bytes   int64   `json:"size_in_bytes,omitempty"`
	Seconds float64 `json:"duration_in_seconds,omitempty"`
}

func writeJSONFeed(f *feed) ([]byte, error) {
	d := jsonFeed{Version: "https://jsonfeed.org/version/1.1", Title: f.Title, Home: f.Page, Self: f.Self, About: f.About, Items: []jsonFeedItem{}}
	if f.By != nil {
		d.Authors = []jsonAuthor{{displayName(*f.By), f.By.URL}}
	}
	for _, i := range f.Items {
		item := jsonFeedItem{ID: i.URI, URL: i.URL, Title: i.Title, HTML: i.HTML, Published: atomDate(i.ID.Time()),
			Authors: []jsonAuthor{{displayName(i.By.UserView), i.By.URL}}, Tags: i.Tags, Language: i.Language}
		for _, m := range i.Media {
			if item.Image == "" && m.Medium == "image" && !m.Adult {
				item.Image = m.URL
			}
			item.Attachments = append(item.Attachments, jsonAttachment{m.URL, m.Type, m.Alt, m.Bytes, m.Seconds})
		}
		d.Items = append(d.Items, item)
	}
	return json.Marshal(d)
}
