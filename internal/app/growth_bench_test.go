package app_test

import (
	"context"
	"fmt"
	"syscall"
	"testing"
	"time"

	"linnet/internal/app"
	"linnet/internal/app/apptest"
	"linnet/internal/kv"
	"linnet/internal/linnet"
	"linnet/internal/record"
	"linnet/internal/store"
)

// BenchmarkGrowth measures requests with much data: a thread of 5,000 replies, a tag of 200,000
// statuses, 10,000 blocks, cached and uncached. cpu-us/op is processor time, which depends little
// on other load.
func BenchmarkGrowth(b *testing.B) {
	s, st := NewBench(b)
	ctx := context.Background()
	ann, bob := signUp(b, s, "ann"), signUp(b, s, "bob")
	post := func(by linnet.ID, d linnet.Draft) linnet.ID { return apptest.Must(s.Posting.Post(ctx, by, d))(b).ID }
	root := post(ann, linnet.Draft{Text: "root"})
	leaf := root
	for i := range 5000 {
		leaf = post(bob, linnet.Draft{Text: fmt.Sprint("a reply about birds and the weather, number ", i), InReplyTo: root})
	}
	fillSet(b, st, 200_000, record.TagKey("tagged"), func(id linnet.ID) string { return id.String() + "." + ann.String() })
	for range 40 {
		post(ann, linnet.Draft{Text: "#tagged"})
	}
	fillSet(b, st, 10_000, record.RelationshipsKey(ann), func(id linnet.ID) string { return record.Blocking.Member(id) })
	apptest.Must(s.Social.Follow(ctx, ann, bob, linnet.FollowOptions{}))(b)
	thread := func(viewer, id linnet.ID, most int) func(*app.App) (int, error) {
		return func(s *app.App) (int, error) {
			t, err := s.Reading.Thread(ctx, viewer, id, linnet.ThreadQuery{Most: most})
			return len(t.Ancestors) + len(t.Descendants), err
		}
	}
	for _, c := range []struct {
		name string
		ask  func(*app.App) (int, error)
	}{
		{"thread/reader", thread(ann, root, 0)}, {"thread/nobody", thread(0, root, 0)}, {"thread/page", thread(ann, root, 60)}, {"thread/leaf", thread(ann, leaf, 0)},
		{"tag", func(s *app.App) (int, error) {
			p, err := s.Reading.Tag(ctx, ann, linnet.TagQuery{Tag: "tagged"}, linnet.Page{})
			return len(p.Items), err
		}},
		{"blocks/home", func(s *app.App) (int, error) {
			p, err := s.Reading.Home(ctx, ann, linnet.Page{})
			return len(p.Items), err
		}},
		{"blocks/relationships", func(s *app.App) (int, error) {
			r, err := s.Social.Relationships(ctx, ann, []linnet.ID{bob})
			return len(r), err
		}},
		{"blocks/search", func(s *app.App) (int, error) {
			u, err := s.Discovery.SearchUsers(ctx, ann, apptest.SearchFor("bob"))
			return len(u), err
		}},
	} {
		for _, cached := range []bool{true, false} {
			b.Run(fmt.Sprintf("%s/cached=%t", c.name, cached), func(b *testing.B) { growthOf(b, st, cached, c.ask) })
		}
	}
}

func growthOf(b *testing.B, st *store.Store, cached bool, ask func(*app.App) (int, error)) {
	opt := store.Options{}
	if !cached {
		opt.CacheBytes = 1 << 10
	}
	s := apptest.Must(app.New(store.New(st.Engine(), opt), app.Options{PublicURL: "https://linnet.test", Log: apptest.Quiet(), Exclusive: true}))(b)
	if n, err := ask(s); err != nil || n == 0 {
		b.Fatal(n, err)
	}
	b.ReportAllocs()
	began := processorTime()
	for b.Loop() {
		if _, err := ask(s); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64((processorTime()-began).Microseconds())/float64(b.N), "cpu-us/op")
}

// fillSet adds n ids to a set.
func fillSet(b *testing.B, st *store.Store, n int, key kv.Key, member func(linnet.ID) string) {
	b.Helper()
	var ops []kv.Op
	for i := range n {
		id := st.NewID(uint16(i%kv.Shards), 0)
		if ops = append(ops, kv.Add{Key: key, Member: member(id), Score: id.Millis()}); len(ops) == kv.MaxApply || i == n-1 {
			if err := st.Engine().Apply(b.Context(), ops...); err != nil {
				b.Fatal(err)
			}
			ops = nil
		}
	}
}

// processorTime returns the processor time that this process has used, which depends little on
// other load.
func processorTime() time.Duration {
	var r syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &r); err != nil {
		return 0
	}
	return time.Duration(r.Utime.Nano() + r.Stime.Nano())
}
