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
}

type rssGUID struct {
	Permalink bool   `xml:"isPermaLink,attr"`
	ID        string `xml:",chardata"`
}

func writeRSS(f *feed) ([]byte, error) {
	d := rssDoc{Version: "2.0", Atom: "http://www.w3.org/2005/Atom", DC: "http://purl.org/dc/elements/1.1/",
		Channel: rssChannel{Title: f.Title, Link: f.Page, About: f.About, Generator: "Linnet",
			Self: atomLink{Rel: "self", Type: "application/rss+xml", Href: f.Self}, Built: rssDate(f.Updated)}}
	for _, i := range f.Items {
		d.Channel.Items = append(d.Channel.Items, rssItem{Title: i.Title, Link: i.URL, GUID: rssGUID{true, i.URL}, Date: rssDate(i.ID.Time()),
			Creator: displayName(i.By.UserView), HTML: i.HTML, Categories: i.Tags})
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
	Rel  string `xml:"rel,attr"`
	Type string `xml:"type,attr"`
	Href string `xml:"href,attr"`
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
		Links: []atomLink{{"alternate", "text/html", f.Page}, {"self", "application/atom+xml", f.Self}}}
	if f.By != nil {
		d.Author = &atomPerson{displayName(*f.By), f.By.URL}
	}
	for _, i := range f.Items {
		e := atomEntry{ID: i.URI, Title: i.Title, Published: atomDate(i.ID.Time()), Updated: atomDate(changed(&i.Status)),
			Author: atomPerson{displayName(i.By.UserView), i.By.URL}, Links: []atomLink{{"alternate", "text/html", i.URL}},
			Content: atomContent{"html", i.Language, i.HTML}}
		for _, t := range i.Tags {
			e.Categories = append(e.Categories, atomCategory{t})
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
}

func writeJSONFeed(f *feed) ([]byte, error) {
	d := jsonFeed{Version: "https://jsonfeed.org/version/1.1", Title: f.Title, Home: f.Page, Self: f.Self, About: f.About, Items: []jsonFeedItem{}}
	if f.By != nil {
		d.Authors = []jsonAuthor{{displayName(*f.By), f.By.URL}}
	}
	for _, i := range f.Items {
		d.Items = append(d.Items, jsonFeedItem{ID: i.URI, URL: i.URL, Title: i.Title, HTML: i.HTML, Published: atomDate(i.ID.Time()),
			Authors: []jsonAuthor{{displayName(i.By.UserView), i.By.URL}}, Tags: i.Tags, Language: i.Language})
	}
	return json.Marshal(d)
}
