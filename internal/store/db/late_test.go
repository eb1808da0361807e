package db_test

import (
	"context"
	"errors"
	"slices"
	"sync"
	"testing"
	"time"

	"linnet/internal/kv"
	"linnet/internal/kv/diskkv"
	"linnet/internal/kv/fencekv"
	"linnet/internal/kv/watchkv"
	"linnet/internal/linnet"
	"linnet/internal/record"
	"linnet/internal/store/db"
)

// TestWritesMadeLateAreSeen checks that cached reads return a write that was made after its caller
// had returned.
func TestWritesMadeLateAreSeen(t *testing.T) {
	e, err := diskkv.Open(t.TempDir(), diskkv.Options{Reserve: -1})
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	// As in a server, with a fence and metrics in between.
	fence := fencekv.Options{Key: kv.Key{Kind: "fence"}, Judge: func(*kv.Get) kv.WriteRule { return kv.WriteRule{} }, Free: func(string) bool { return false }, Alone: true}
	s := db.New(watchkv.New(fencekv.New(e, fence), func(context.Context, watchkv.Call) {}), db.Options{})
	keys, span := []kv.Key{record.GlobalKey(0)}, db.Span{Limit: 20}
	reading, stop := context.WithCancel(t.Context())
	var readers sync.WaitGroup
	defer func() { stop(); readers.Wait() }()
	for range 3 {
		readers.Go(func() {
			for reading.Err() == nil {
				if _, err := s.MergeSets(t.Context(), keys, span); err != nil {
					t.Error(err)
					return
				}
			}
		})
	}
	unknown := 0
	for n := 0; n < 20_000 && unknown < 40; n++ {
		id := linnet.MakeID(time.Now(), 0, uint8(n&63))
		ctx, cancel := context.WithCancel(t.Context())
		go cancel()
		_, err := s.Txn(ctx, nil, kv.Add{Key: keys[0], Member: id.String(), Score: id.Millis()})
		cancel()
		if !errors.Is(err, kv.ErrUnknown) {
			continue
		}
		unknown++
		if err := s.Read(kv.Durable(t.Context()), &kv.Range{Key: keys[0], Limit: 1}); err != nil { // waits until it was made
			t.Fatal(err)
		}
		is, err := s.MergeSets(kv.Durable(t.Context()), keys, span)
		if err != nil {
			t.Fatal(err)
		}
		kept, err := s.MergeSets(t.Context(), keys, span)
		if err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(kept, is) {
			t.Fatalf("write %d, whose caller had gone: what is kept lacks it", n)
		}
	}
	if unknown == 0 {
		t.Error("no caller went away before the write was made")
	}
}
