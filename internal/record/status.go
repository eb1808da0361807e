package record

import (
	"strconv"
	"time"

	"linnet/internal/kv"
	"linnet/internal/linnet"
)

type Idem struct {
	Status JID `json:"status"`
}

func IdemKey(author linnet.ID, hash string) kv.Key {
	return kv.Key{Kind: KindIdem, Shard: author.Shard(), ID: author.String() + "." + hash}
}

// ClosedCounter counts the replies to a status that are not public.
const ClosedCounter = "closed"

// RepliesKey is the set of public direct replies to a status. They are separate from other replies,
// which could otherwise displace them.
func RepliesKey(status linnet.ID) kv.Key { return IDKey(KindReplies, status) }

// ClosedRepliesKey is the set of direct replies to a status that are not public.
func ClosedRepliesKey(status linnet.ID) kv.Key { return IDKey(KindClosed, status) }

// The kinds of key of quotes of a status.
const (
	KindQuotes       = "quotes"
	KindClosedQuotes = "closedquotes"
)

// QuotesCounter counts the public quotes of a status.
const QuotesCounter = "quotes"

func quoteKeys() []KeyDoc {
	return []KeyDoc{
		{KindQuotes, "set", "status", "public and unlisted quotes, by time", "none", "", noSecret()},
		{KindClosedQuotes, "set", "status", "other quotes, by time", "none", "", noSecret()},
	}
}

// QuotesKey is the set of public quotes of a status.
func QuotesKey(status linnet.ID) kv.Key { return IDKey(KindQuotes, status) }

// ClosedQuotesKey is the set of quotes of a status that are not public.
func ClosedQuotesKey(status linnet.ID) kv.Key { return IDKey(KindClosedQuotes, status) }

// quoters encodes a quote policy for records of statuses. The absent field means that quotes are
// not allowed, as in earlier releases.
func quoters(p linnet.QuotePolicy) uint8 {
	return uint8(linnet.QuoteNobody - min(p, linnet.QuoteNobody))
}

// quotersOf returns the encoded policy of a status. Reposts have none.
func quotersOf(st *linnet.Status) uint8 {
	if st.RepostOf != 0 {
		return 0
	}
	return quoters(st.QuotePolicy)
}

// policyOf decodes the result of quoters.
func policyOf(quoters uint8) linnet.QuotePolicy {
	return linnet.QuoteNobody - min(linnet.QuotePolicy(quoters), linnet.QuoteNobody)
}

// KindCard is the kind of key of link previews. The card of a status is also in its record, so that
// readers need no other record.
const KindCard = "card"

func cardKeys() []KeyDoc {
	return []KeyDoc{{KindCard, "value", "SHA-256 of a link", "preview of a linked page, or the time of the next attempt, JSON; 15 days", "8 KiB", "", noSecret()}}
}

// CardKey is the preview of a normalized link.
func CardKey(link string) kv.Key {
	hash := Hash(link)
	n, _ := strconv.ParseUint(hash[:4], 16, 16) // the hash is hexadecimal
	return kv.Key{Kind: KindCard, Shard: uint16(n % kv.Shards), ID: hash}
}

// cardRecord is a card, also within the record of its status. Times are Unix milliseconds.
type cardRecord struct {
	Link        string `json:"link"`
	Title       string `json:"title"`
	Description string `json:"text,omitempty"`
	Site        string `json:"site,omitempty"`
	Author      string `json:"author,omitempty"`
	AuthorURL   string `json:"author_url,omitempty"`
	Language    string `json:"lang,omitempty"`
	Published   int64  `json:"published,omitempty"`
	Fetched     int64  `json:"fetched"`
	Image       string `json:"image,omitempty"`
	Size        [2]int `json:"size,omitzero"`
	Blurhash    string `json:"blurhash,omitempty"`
	Alt         string `json:"alt,omitempty"`
	Claims      JID    `json:"claims,omitempty"`
}

func cardRecordOf(c *linnet.Card) *cardRecord {
	if c == nil {
		return nil
	}
	r := &cardRecord{Link: c.Link, Title: c.Title, Description: c.Description, Site: c.Site, Author: c.Author, AuthorURL: c.AuthorURL, Language: c.Language,
		Fetched: c.Fetched.UnixMilli(), Image: c.Image.Name, Size: [2]int{c.Image.Size.Width, c.Image.Size.Height}, Blurhash: c.Image.Blurhash, Alt: c.Image.Description, Claims: JID(c.Claims)}
	if !c.Published.IsZero() {
		r.Published = c.Published.UnixMilli()
	}
	return r
}

func (r *cardRecord) card() *linnet.Card {
	if r == nil {
		return nil
	}
	c := &linnet.Card{Link: r.Link, Title: r.Title, Description: r.Description, Site: r.Site, Author: r.Author, AuthorURL: r.AuthorURL, Language: r.Language,
		Fetched: time.UnixMilli(r.Fetched), Claims: linnet.ID(r.Claims), Image: linnet.CardImage{Name: r.Image, Size: linnet.Size{Width: r.Size[0], Height: r.Size[1]}, Blurhash: r.Blurhash, Description: r.Alt}}
	if r.Published != 0 {
		c.Published = time.UnixMilli(r.Published)
	}
	return c
}

// fetched is the stored result of fetching a link.
type fetched struct {
	Card  *cardRecord `json:"card,omitempty"`
	Until int64       `json:"until,omitempty"` // Unix milliseconds
	Tries int         `json:"tries,omitempty"`
	Final bool        `json:"final,omitempty"`
}

// EncodeFetched encodes the result of fetching a link.
func EncodeFetched(f *linnet.Fetched) []byte {
	return Encode(fetched{cardRecordOf(f.Card), f.Until.UnixMilli(), f.Tries, f.Final})
}

// DecodeFetched decodes the result of fetching a link. Without a record the link is unknown.
func DecodeFetched(get *kv.Get) (*linnet.Fetched, error) {
	var r fetched
	if get.Version == 0 {
		return &linnet.Fetched{}, nil
	}
	if err := Decode(get, &r); err != nil {
		return nil, err
	}
	return &linnet.Fetched{Card: r.Card.card(), Until: time.UnixMilli(r.Until), Tries: r.Tries, Final: r.Final, Version: get.Version}, nil
}

// KindErased is the kind of key of the deletions of statuses.
const KindErased = "erased"

func erasedKeys() []KeyDoc {
	return []KeyDoc{{KindErased, "set", "user", "deleted public and unlisted statuses, by time, so that their pages can return 410", "about 1,000, the latest", "listing 8.8", noSecret()}}
}

func ErasedKey(user linnet.ID) kv.Key { return IDKey(KindErased, user) }
