package record

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"linnet/internal/kv"
	"linnet/internal/linnet"
)

func rankingKeys() []KeyDoc {
	return []KeyDoc{
		{KindCatchUp, "value", "user", "the order of the user's catch-up: entry, its author, the status that was scored, source, favourites, reposts, replies; JSON, 30 minutes", "400", "suggestion: importance", noSecret()},
		{KindOwnFeeds, "value", "user", "custom feeds: order, weights, window, exclusions, sources; JSON", "20", "suggestion: importance", noSecret()},
		{KindRanking, "value", "feed", "the order of a custom feed, as in catchup, 30 minutes", "400", "suggestion: importance", noSecret()},
	}
}

// CatchUpKey is the ranking of a user's catch-up.
func CatchUpKey(user linnet.ID) kv.Key { return IDKey(KindCatchUp, user) }

// RankedEntry is an entry of a computed ranking, with the votes that determine its position.
type RankedEntry struct {
	ID     linnet.ID // its id in the timeline that it came from
	Author linnet.ID // author of that entry
	Of     linnet.ID // the status that was scored: itself, or the original of a repost
	Source int       // index of its source
	Votes  linnet.Votes
}

// RankOrder is a stored ranking.
type RankOrder struct {
	Owner   linnet.ID // owner of the custom feed; 0: the catch-up
	At      time.Time // time of the computation
	Since   linnet.ID // entries above this were considered
	Newest  linnet.ID // the newest visible entry; 0: none
	Version uint64    // 0 if there is no ranking
	Entries []RankedEntry
}

// Rank stores the entries as one text, because they are read for every page. Each is "id author of
// source favourites reposts replies;". of is 0 if it is the entry itself.
type Rank struct {
	Owner   *JID   `json:"owner,omitempty"`
	At      int64  `json:"at"` // Unix milliseconds
	Since   JID    `json:"since"`
	Newest  *JID   `json:"newest,omitempty"`
	Entries string `json:"entries"`
}

func EncodeOrder(o *RankOrder) []byte {
	r := Rank{At: o.At.UnixMilli(), Since: JID(o.Since)}
	if o.Newest != 0 {
		newest := JID(o.Newest)
		r.Newest = &newest
	}
	if o.Owner != 0 {
		owner := JID(o.Owner)
		r.Owner = &owner
	}
	b := make([]byte, 0, 64*len(o.Entries))
	for i := range o.Entries {
		e := &o.Entries[i]
		of := e.Of
		if of == e.ID {
			of = 0
		}
		for _, n := range [...]uint64{uint64(e.ID), uint64(e.Author), uint64(of), uint64(e.Source),
			uint64(max(e.Votes.Favourites, 0)), uint64(max(e.Votes.Reposts, 0)), uint64(max(e.Votes.Replies, 0))} {
			b = append(strconv.AppendUint(b, n, 10), ' ')
		}
		b[len(b)-1] = ';'
	}
	r.Entries = string(b)
	return Encode(r)
}

func (r *Rank) Order(version uint64) (RankOrder, error) {
	o := RankOrder{At: time.UnixMilli(r.At), Since: linnet.ID(r.Since), Version: version,
		Entries: make([]RankedEntry, 0, strings.Count(r.Entries, ";"))}
	if r.Newest != nil {
		o.Newest = linnet.ID(*r.Newest)
	}
	if r.Owner != nil {
		o.Owner = linnet.ID(*r.Owner)
	}
	for rest := r.Entries; rest != ""; {
		var n [7]int64
		for i := range n {
			end := strings.IndexAny(rest, " ;")
			if end < 0 || (rest[end] == ';') != (i == len(n)-1) {
				return o, fmt.Errorf("decode a ranking: entry %d is truncated", len(o.Entries))
			}
			var err error
			if n[i], err = strconv.ParseInt(rest[:end], 10, 64); err != nil {
				return o, fmt.Errorf("decode entry %d of a ranking: %w", len(o.Entries), err)
			}
			rest = rest[end+1:]
		}
		e := RankedEntry{ID: linnet.ID(n[0]), Author: linnet.ID(n[1]), Of: linnet.ID(n[2]), Source: int(n[3]),
			Votes: linnet.Votes{Favourites: n[4], Reposts: n[5], Replies: n[6]}}
		if e.Of == 0 {
			e.Of = e.ID
		}
		o.Entries = append(o.Entries, e)
	}
	return o, nil
}
