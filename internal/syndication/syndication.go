// Package syndication encodes web feeds: RSS 2.0 (https://www.rssboard.org/rss-specification) with
// Media RSS (https://www.rssboard.org/media-rss), Atom (RFC 4287) and JSON Feed 1.1
// (https://www.jsonfeed.org/version/1.1/).
package syndication

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"net/http"
	"time"
)

// Feed is a web feed. All addresses are absolute.
type Feed struct {
	ID          string // never changes
	Title       string
	Description string
	Page        string  // address of the HTML page with the same content
	Self        string  // address of the feed
	Author      *Author // nil if the items have different authors
	Updated     time.Time
	Items       []Item // newest first
}

// Author is the author of a feed or an item.
type Author struct{ Name, URL string }

// Item is one entry of a feed.
type Item struct {
	ID          string // never changes
	URL         string // address of its HTML page
	Title       string
	HTML        string
	Language    string // BCP 47; "" if unknown
	Author      Author
	Published   time.Time
	Updated     time.Time
	Tags        []string
	Attachments []Attachment
}

// Attachment is a file of an item.
type Attachment struct {
	URL         string
	Type        string // media type
	Medium      string // "image", "video" or "audio" of Media RSS
	Bytes       int64
	Seconds     float64 // 0 if unknown, or for images
	Description string
	Sensitive   bool // is not shown as the image of the item
}

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

// rssEnclosure is the first attachment. RSS allows one per item.
type rssEnclosure struct {
	URL    string `xml:"url,attr"`
	Length int64  `xml:"length,attr"`
	Type   string `xml:"type,attr"`
}

// rssMedia is an attachment in Media RSS.
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

func rssMediaOf(a Attachment) rssMedia {
	out := rssMedia{URL: a.URL, Type: a.Type, Medium: a.Medium, Bytes: a.Bytes, Rating: rssScheme{"urn:simple", "nonadult"}}
	if a.Sensitive {
		out.Rating.Value = "adult"
	}
	if a.Description != "" {
		out.Alt = &rssTextType{"plain", a.Description}
	}
	return out
}

type rssGUID struct {
	Permalink bool   `xml:"isPermaLink,attr"`
	ID        string `xml:",chardata"`
}

// RSS encodes a feed as RSS 2.0 with Media RSS.
func RSS(f *Feed) ([]byte, error) {
	d := rssDoc{Version: "2.0", Atom: "http://www.w3.org/2005/Atom", DC: "http://purl.org/dc/elements/1.1/", Media: "http://search.yahoo.com/mrss/",
		Channel: rssChannel{Title: f.Title, Link: f.Page, About: f.Description, Generator: "Linnet",
			Self: atomLink{Rel: "self", Type: "application/rss+xml", Href: f.Self}, Built: rssDate(f.Updated)}}
	for _, i := range f.Items {
		item := rssItem{Title: i.Title, Link: i.URL, GUID: rssGUID{true, i.URL}, Date: rssDate(i.Published),
			Creator: i.Author.Name, HTML: i.HTML, Categories: i.Tags}
		for n, a := range i.Attachments {
			if n == 0 {
				item.Enclosure = &rssEnclosure{a.URL, a.Bytes, a.Type}
			}
			item.Media = append(item.Media, rssMediaOf(a))
		}
		d.Channel.Items = append(d.Channel.Items, item)
	}
	return encodeXML(d)
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

// Atom encodes a feed as Atom (RFC 4287).
func Atom(f *Feed) ([]byte, error) {
	d := atomDoc{ID: f.ID, Title: f.Title, About: f.Description, Updated: atomDate(f.Updated), Generator: "Linnet",
		Links: []atomLink{{Rel: "alternate", Type: "text/html", Href: f.Page}, {Rel: "self", Type: "application/atom+xml", Href: f.Self}}}
	if f.Author != nil {
		d.Author = &atomPerson{f.Author.Name, f.Author.URL}
	}
	for _, i := range f.Items {
		e := atomEntry{ID: i.ID, Title: i.Title, Published: atomDate(i.Published), Updated: atomDate(i.Updated),
			Author: atomPerson{i.Author.Name, i.Author.URL}, Links: []atomLink{{Rel: "alternate", Type: "text/html", Href: i.URL}},
			Content: atomContent{"html", i.Language, i.HTML}}
		for _, t := range i.Tags {
			e.Categories = append(e.Categories, atomCategory{t})
		}
		for _, a := range i.Attachments {
			e.Links = append(e.Links, atomLink{Rel: "enclosure", Type: a.Type, Href: a.URL, Length: a.Bytes, Title: a.Description})
		}
		d.Entries = append(d.Entries, e)
	}
	return encodeXML(d)
}

func atomDate(t time.Time) string { return t.UTC().Format(time.RFC3339) }

func encodeXML(v any) ([]byte, error) {
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

// JSON encodes a feed as JSON Feed 1.1.
func JSON(f *Feed) ([]byte, error) {
	d := jsonFeed{Version: "https://jsonfeed.org/version/1.1", Title: f.Title, Home: f.Page, Self: f.Self, About: f.Description, Items: []jsonFeedItem{}}
	if f.Author != nil {
		d.Authors = []jsonAuthor{{f.Author.Name, f.Author.URL}}
	}
	for _, i := range f.Items {
		item := jsonFeedItem{ID: i.ID, URL: i.URL, Title: i.Title, HTML: i.HTML, Published: atomDate(i.Published),
			Authors: []jsonAuthor{{i.Author.Name, i.Author.URL}}, Tags: i.Tags, Language: i.Language}
		for _, a := range i.Attachments {
			if item.Image == "" && a.Medium == "image" && !a.Sensitive {
				item.Image = a.URL
			}
			item.Attachments = append(item.Attachments, jsonAttachment{a.URL, a.Type, a.Description, a.Bytes, a.Seconds})
		}
		d.Items = append(d.Items, item)
	}
	return json.Marshal(d)
}
