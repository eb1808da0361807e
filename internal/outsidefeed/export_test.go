package outsidefeed

import (
	"net/http"
	"net/url"
	"time"

	"linnet/internal/linnet"
)

// Items parses a feed and returns its title and the texts, links, pictures and dates of its items.
func Items(data []byte, at *url.URL, now time.Time) (title string, items []Item, err error) {
	d, err := parseFeed(data, at, now)
	if err != nil {
		return "", nil, err
	}
	for _, i := range d.items {
		items = append(items, Item{Title: i.title, Text: i.text, Link: i.link, Picture: i.picture, Alt: i.alt, At: i.at, Hashes: i.hashes})
	}
	return d.title, items, nil
}

// Item is an item of a parsed feed.
type Item struct {
	Title, Text, Link, Picture, Alt string
	At                              time.Time
	Hashes                          []uint64
}

// Fit and LoginOf are functions of the package.
var (
	Fit      = fit
	LoginOf  = loginOf
	Callback = callback
)

// Offered returns the hub and the address at the hub that a response names.
func (s *Service) Offered(at *url.URL, header http.Header, data []byte) (hub, topic string) {
	d, err := parseFeed(data, at, time.Now())
	if err != nil {
		return err.Error(), ""
	}
	return s.offered(&response{at: at, header: header}, d, &linnet.OutsideFeedSettings{Blocked: []string{"blocked.example"}})
}
