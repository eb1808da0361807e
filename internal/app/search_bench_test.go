package app_test

import (
	"context"
	"fmt"
	"syscall"
	"testing"
	"time"

	"linnet/internal/app"
	"linnet/internal/linnet"
	"linnet/internal/store"
)

// BenchmarkSearchAbsent searches the 4,000 newest statuses of somebody for a word that
// stands in none: with all of them cached, and with none.
func BenchmarkSearchAbsent(b *testing.B) {
	s, st := benchService(b)
	me := signUp(b, s, "reader")
	ctx := context.Background()
	for i := range 4000 {
		text := fmt.Sprintf("This is status %d, about birds, trees and the weather of today, as long as many are, with a link https://example.com/a/%d", i, i)
		if i%3 == 1 {
			text = fmt.Sprintf("Zwölf Boxkämpfer jagen Viktor quer über den großen Sylter Deich – Nr. %d, schöne Grüße aus Zürich #wetter", i)
		} else if i%3 == 2 {
			text = fmt.Sprintf("short %d 👍", i)
		}
		if _, err := s.Posting.Post(ctx, me, linnet.Draft{Text: text}); err != nil {
			b.Fatal(err)
		}
	}
	for _, c := range []struct {
		name  string
		bytes int64
	}{{"warm", 0}, {"cold", 1 << 10}} {
		b.Run(c.name, func(b *testing.B) {
			w, err := app.New(store.New(st.Engine(), store.Options{CacheBytes: c.bytes}), app.Options{PublicURL: "https://linnet.test", Log: quiet(), Exclusive: true})
			if err != nil {
				b.Fatal(err)
			}
			b.ReportAllocs()
			began := processorTime()
			for b.Loop() {
				if found, err := w.Discovery.SearchStatuses(ctx, me, searchFor("absentword")); err != nil || len(found.Statuses) > 0 {
					b.Fatal(found, err)
				}
			}
			b.ReportMetric(float64((processorTime()-began).Microseconds())/float64(b.N), "cpu-us/op")
		})
	}
}

// processorTime is what this process has used so far: a busy machine does not change it much.
func processorTime() time.Duration {
	var r syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &r); err != nil {
		return 0
	}
	return time.Duration(r.Utime.Nano() + r.Stime.Nano())
}
