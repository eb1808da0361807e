package record

import (
	"reflect"
	"strings"
	"testing"
	"time"

	"linnet/internal/kv"
	"linnet/internal/linnet"
)

// TestOwnFeedRecords checks that custom feeds are decoded as they were encoded. Feeds of earlier
// releases are ordered by importance and have no exclusions.
func TestOwnFeedRecords(t *testing.T) {
	all := []linnet.OwnFeed{
		{ID: 7, Title: "usual", Order: linnet.ByImportance, Weights: linnet.UsualWeights(), Window: time.Hour, Sources: []linnet.FeedSource{{Kind: linnet.FromHome, Weight: 1}}},
		{ID: 8, Title: "new", Order: linnet.NewestFirst, Window: time.Hour, Filter: linnet.FeedFilter{ExcludeReplies: true}, Sources: []linnet.FeedSource{{Kind: linnet.FromAccount, ID: 3, Weight: 2}}},
		{ID: 9, Title: "to look at", Order: linnet.ByImportance, Window: time.Hour, Filter: linnet.FeedFilter{ExcludeReposts: true, OnlyMedia: true}, Sources: []linnet.FeedSource{{Kind: linnet.FromTag, Tag: "birds", Weight: .5}}},
	}
	data := EncodeOwnFeeds(all)
	var r OwnFeeds
	if err := Decode(&kv.Get{Data: data, Version: 1}, &r); err != nil || !reflect.DeepEqual(r.All(), all) {
		t.Errorf("%+v is %+v: %v", all, r.All(), err)
	}
	if usual, _, _ := strings.Cut(string(data), "}]}"); strings.Contains(usual, "order") || strings.Contains(usual, "no_re") || strings.Contains(usual, "only") {
		t.Errorf("what is not chosen is written: %s", usual)
	}
	r = OwnFeeds{}
	former := []byte(`{"feeds":[{"id":"7","title":"usual","favourites":1,"reposts":2,"replies":1,"half_life":86400,"window":3600,"sources":[{"kind":"home","weight":1}]}]}`)
	if err := Decode(&kv.Get{Data: former, Version: 1}, &r); err != nil || !reflect.DeepEqual(r.All(), all[:1]) {
		t.Errorf("of before: %+v: %v", r.All(), err)
	}
}
