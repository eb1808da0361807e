package app_test

import (
	"context"
	"fmt"
	"testing"

	"linnet/internal/linnet"
)

// fullHome makes a home of 20 authors with 50 statuses each, all with votes.
func fullHome(b *testing.B) (read func(linnet.RankPage) linnet.Ranking, renew func()) {
	s, _ := NewBench(b)
	ctx := context.Background()
	me := signUp(b, s, "reader")
	var people []linnet.ID
	for i := range 20 {
		by := signUp(b, s, fmt.Sprintf("author%d", i))
		if _, err := s.Social.Follow(ctx, me, by, linnet.FollowOptions{}); err != nil {
			b.Fatal(err)
		}
		people = append(people, by)
	}
	for n := range 50 {
		for i, by := range people {
			st, err := s.Posting.Post(ctx, by, linnet.Draft{Text: fmt.Sprintf("status %d of author %d with a #tag and some text behind it", n, i)})
			if err != nil {
				b.Fatal(err)
			}
			for j := range (n + i) % 4 {
				if _, err := s.Posting.Marks.Favourite(ctx, people[(i+j+1)%len(people)], st.ID); err != nil {
					b.Fatal(err)
				}
			}
		}
	}
	read = func(p linnet.RankPage) linnet.Ranking {
		page, err := s.Feeds.CatchUp(ctx, me, p)
		if err != nil || len(page.Items) != 20 || page.Total != linnet.RankingEntries {
			b.Fatal(len(page.Items), page.Total, err)
		}
		return page
	}
	return read, func() {
		if err := s.Feeds.RenewCatchUp(ctx, me); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkCatchUp reads the first page of a new catch-up of a full home, and a page of a stored
// catch-up.
func BenchmarkCatchUp(b *testing.B) {
	read, renew := fullHome(b)
	first := read(linnet.RankPage{})
	b.Run("made", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			renew()
			read(linnet.RankPage{})
		}
	})
	b.Run("page", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			read(linnet.RankPage{After: first.Next})
		}
	})
}
