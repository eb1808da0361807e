package linnet

import (
	"slices"
	"strings"
	"time"
)

// Limits of external feeds.
const (
	MaxOutsideFeeds       = 10_000 // of an instance that a setting can allow
	OutsideFeedsByMember  = 100    // added by a member, by default
	MaxFormerFeedURLs     = 5      // earlier addresses of a feed that still find its account
	MaxBlockedFeedHosts   = 1000
	FirstFeedItems        = 20 // newest items that are posted when a feed is added
	MaxFeedItems          = 100
	FeedItemHashes        = 900 // remembered to recognize items, up to three for each
	OutsideFeedsDeadAfter = 30 * 24 * time.Hour
)

// OutsideFeed is the state of an RSS, Atom or JSON feed of another site. Its items are the posts of
// an account that has the same id.
type OutsideFeed struct {
	User    ID
	By      ID       // the member who added it; 0 for the operator
	URL     string   // current address
	Former  []string // earlier addresses, newest first
	Site    string   // address of the site; can be empty
	Picture string   // address of the picture that is the avatar

	ETag     string // of the last response
	Modified string // Last-Modified of the last response

	Next     time.Time // time of the next request
	Fetched  time.Time // time of the last successful request; zero for none
	Tried    time.Time // time of the last request
	Failures int       // since the last success
	Problem  string    // of the last request, see wording.Store; "" for none
	Dead     bool      // it isn't fetched any more, because it ended or has failed for long
	Chain    string    // identifies the valid task; "" if nothing is scheduled
	Seen     []uint64  // hashes of known items, newest first; at most FeedItemHashes
	Hub      *FeedHub  // nil if the feed offers none
	Version  uint64
}

// FeedHub is the WebSub hub that a feed offers, with the state of the subscription to it.
type FeedHub struct {
	URL   string
	Topic string // address of the feed at the hub

	Asked   time.Time // time of the last subscription request; zero if no subscription is wanted
	Tries   int       // requests since the hub last confirmed one
	Expires time.Time // end of the subscription; zero for none
	Pinged  time.Time // last valid notification; zero if none came, or if the hub has missed an item
}

// Subscribed reports whether the hub has confirmed a subscription that is valid at a time.
func (h *FeedHub) Subscribed(at time.Time) bool { return h != nil && h.Expires.After(at) }

// Paused reports whether no request is scheduled, because the feed has no followers.
func (f *OutsideFeed) Paused() bool { return f.Chain == "" && !f.Dead }

// FeedState is the state of an external feed. Commands print the values.
type FeedState string

const (
	FeedOK      FeedState = "ok"
	FeedEnded   FeedState = "ended"   // it is not requested any more
	FeedFailing FeedState = "failing" // the last request failed
	FeedPaused  FeedState = "paused"  // see Paused
)

// State returns the state of the feed.
func (f *OutsideFeed) State() FeedState {
	switch {
	case f.Dead:
		return FeedEnded
	case f.Failures > 0:
		return FeedFailing
	case f.Paused():
		return FeedPaused
	}
	return FeedOK
}

// FeedAdders determines who can add external feeds. The values are stored and used in commands.
type FeedAdders string

const (
	FeedsOff          FeedAdders = "off" // no feed is added or fetched
	FeedsByModerators FeedAdders = "moderators"
	FeedsByMembers    FeedAdders = "members"
)

// AllFeedAdders returns the values of the setting.
func AllFeedAdders() []FeedAdders {
	return []FeedAdders{FeedsByMembers, FeedsByModerators, FeedsOff}
}

// OutsideFeedSettings are the settings of an instance for external feeds.
type OutsideFeedSettings struct {
	Who       FeedAdders
	PerMember int      // feeds that a member can add
	Total     int      // feeds of the instance, at most MaxOutsideFeeds
	Blocked   []string // hosts, with their subdomains
	Version   uint64
}

// Blocks reports whether a host or a domain above it is blocked.
func (s *OutsideFeedSettings) Blocks(host string) bool {
	host = strings.ToLower(host)
	return slices.ContainsFunc(s.Blocked, func(b string) bool { return host == b || strings.HasSuffix(host, "."+b) })
}

// OutsideFeedView is an external feed with its account.
type OutsideFeedView struct {
	OutsideFeed
	Account UserView
	AddedBy *UserView // nil for the operator and for deleted accounts; only of single feeds
}
