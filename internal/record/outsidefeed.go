package record

import (
	"encoding/base64"
	"encoding/binary"
	"strconv"
	"strings"

	"linnet/internal/kv"
	"linnet/internal/linnet"
)

// Kinds of keys of external feeds.
const (
	KindOutsideFeed  = "outsidefeed"
	KindOutsideURL   = "outsidefeedurl"
	KindOutsideFeeds = "outsidefeeds"
)

func outsideFeedKeys() []KeyDoc {
	return []KeyDoc{
		{KindOutsideFeed, "value", "user", "the external feed of an account: addresses, state of fetching, hub, hashes of known items, JSON", "32 KiB", "", noSecret()},
		{KindOutsideURL, "value", "SHA-256 of the address of an external feed", "the account of the feed", "1", "", noSecret()},
		{KindOutsideFeeds, "set", "", "accounts of external feeds: member who added the feed (0 for the operator), dot, account; the scores are 0 (shard 0)", "10,000", "", noSecret()},
	}
}

// OutsideFeedKey is the state of the external feed of an account.
func OutsideFeedKey(user linnet.ID) kv.Key { return IDKey(KindOutsideFeed, user) }

// OutsideFeedsKey is the set of all accounts of external feeds.
func OutsideFeedsKey() kv.Key { return ShardKey(KindOutsideFeeds, 0) }

// OutsideFeedMember returns the member of a feed in the set of all feeds. The feeds that a member
// has added are next to each other.
func OutsideFeedMember(by, user linnet.ID) string { return by.String() + "." + user.String() }

// SplitOutsideFeedMember parses the result of OutsideFeedMember.
func SplitOutsideFeedMember(m string) (by, user linnet.ID, ok bool) {
	first, second, _ := strings.Cut(m, ".")
	by, known := linnet.ParseID(first)
	user, ok = linnet.ParseID(second)
	return by, user, ok && (known || first == "0")
}

// OutsideURLKey is the account of the feed with an address.
func OutsideURLKey(address string) kv.Key { return OutsideURLHashKey(Hash(address)) }

// OutsideURLHashKey is like OutsideURLKey for the hash of an address.
func OutsideURLHashKey(hash string) kv.Key {
	n, _ := strconv.ParseUint(hash[:min(len(hash), 4)], 16, 16) // the hash is hexadecimal
	return kv.Key{Kind: KindOutsideURL, Shard: uint16(n % kv.Shards), ID: hash}
}

// OutsideFeedSettingsKey holds the settings for external feeds.
func OutsideFeedSettingsKey() kv.Key { return MetaKey("outside-feeds") }

// OutsideURL is the claim of the address of an external feed.
type OutsideURL struct {
	User JID `json:"user"`
}

// OutsideFeed is the stored form of an external feed. Times are Unix milliseconds.
type OutsideFeed struct {
	By       JID      `json:"by,omitempty"`
	URL      string   `json:"url"`
	Former   []string `json:"former,omitempty"`
	Site     string   `json:"site,omitempty"`
	Picture  string   `json:"picture,omitempty"`
	ETag     string   `json:"etag,omitempty"`
	Modified string   `json:"modified,omitempty"`
	Next     int64    `json:"next,omitempty"`
	Fetched  int64    `json:"fetched,omitempty"`
	Tried    int64    `json:"tried,omitempty"`
	Failures int      `json:"failures,omitempty"`
	Problem  string   `json:"problem,omitempty"`
	Dead     bool     `json:"dead,omitempty"`
	Chain    string   `json:"chain,omitempty"`
	Seen     string   `json:"seen,omitempty"` // 8 bytes for each, base64
	Hub      *FeedHub `json:"hub,omitempty"`
}

// FeedHub is the stored form of the hub of an external feed.
type FeedHub struct {
	URL     string `json:"url"`
	Topic   string `json:"topic"`
	Asked   int64  `json:"asked,omitempty"`
	Tries   int    `json:"tries,omitempty"`
	Expires int64  `json:"expires,omitempty"`
	Pinged  int64  `json:"pinged,omitempty"`
}

// EncodeOutsideFeed encodes the state of a feed.
func EncodeOutsideFeed(f *linnet.OutsideFeed) []byte {
	seen := make([]byte, 0, 8*len(f.Seen))
	for _, h := range f.Seen {
		seen = binary.BigEndian.AppendUint64(seen, h)
	}
	r := OutsideFeed{By: JID(f.By), URL: f.URL, Former: f.Former, Site: f.Site, Picture: f.Picture, ETag: f.ETag, Modified: f.Modified,
		Next: millis(f.Next), Fetched: millis(f.Fetched), Tried: millis(f.Tried), Failures: f.Failures, Problem: f.Problem, Dead: f.Dead, Chain: f.Chain,
		Seen: base64.RawStdEncoding.EncodeToString(seen)}
	if h := f.Hub; h != nil {
		r.Hub = &FeedHub{URL: h.URL, Topic: h.Topic, Asked: millis(h.Asked), Tries: h.Tries, Expires: millis(h.Expires), Pinged: millis(h.Pinged)}
	}
	return Encode(r)
}

// DecodeOutsideFeed decodes the state of the feed of an account.
func DecodeOutsideFeed(user linnet.ID, get *kv.Get) (*linnet.OutsideFeed, error) {
	var r OutsideFeed
	if err := Decode(get, &r); err != nil {
		return nil, err
	}
	seen, err := base64.RawStdEncoding.DecodeString(r.Seen)
	if err != nil {
		return nil, err
	}
	f := &linnet.OutsideFeed{User: user, By: linnet.ID(r.By), URL: r.URL, Former: r.Former, Site: r.Site, Picture: r.Picture, ETag: r.ETag, Modified: r.Modified,
		Next: timeOf(r.Next), Fetched: timeOf(r.Fetched), Tried: timeOf(r.Tried), Failures: r.Failures, Problem: r.Problem, Dead: r.Dead, Chain: r.Chain, Version: get.Version}
	if h := r.Hub; h != nil {
		f.Hub = &linnet.FeedHub{URL: h.URL, Topic: h.Topic, Asked: timeOf(h.Asked), Tries: h.Tries, Expires: timeOf(h.Expires), Pinged: timeOf(h.Pinged)}
	}
	for ; len(seen) >= 8; seen = seen[8:] {
		f.Seen = append(f.Seen, binary.BigEndian.Uint64(seen))
	}
	return f, nil
}

// OutsideFeedSettings is the stored form of the settings for external feeds.
type OutsideFeedSettings struct {
	Who       linnet.FeedAdders `json:"who"`
	PerMember int               `json:"per_member"`
	Total     int               `json:"total"`
	Blocked   []string          `json:"blocked,omitempty"`
}

// DecodeOutsideFeedSettings decodes the settings, or returns the defaults if there are none.
func DecodeOutsideFeedSettings(get *kv.Get) (linnet.OutsideFeedSettings, error) {
	s := linnet.OutsideFeedSettings{Who: linnet.FeedsByMembers, PerMember: linnet.OutsideFeedsByMember, Total: linnet.MaxOutsideFeeds, Version: get.Version}
	if get.Version == 0 {
		return s, nil
	}
	var r OutsideFeedSettings
	err := Decode(get, &r)
	s.Who, s.PerMember, s.Total, s.Blocked = r.Who, r.PerMember, r.Total, r.Blocked
	return s, err
}
