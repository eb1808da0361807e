package memkv_test

import (
	"slices"
	"testing"

	"linnet/internal/kv"
	"linnet/internal/kv/memkv"
)

// Package kvtest tests the contract with this engine too. These tests cover the rest.

func TestOtherShapePanics(t *testing.T) {
	e := memkv.New(memkv.Options{})
	k := kv.Key{Kind: "x", Shard: 1, ID: "a"}
	if _, err := e.Txn(t.Context(), nil, kv.Put{Key: k, Version: 1}); err != nil {
		t.Fatal(err)
	}
	defer func() {
		if recover() == nil {
			t.Error("a value was used as a set without a panic")
		}
		if err := e.Read(t.Context(), &kv.Get{Key: k}); err != nil {
			t.Error("the lock was not released:", err)
		}
	}()
	e.Txn(t.Context(), nil, kv.Add{Key: k, Member: "m"})
}

func TestFeedOutline(t *testing.T) {
	e := memkv.New(memkv.Options{})
	k := kv.Key{Kind: "home", Shard: 7, ID: "1"}
	err := e.Apply(t.Context(),
		&kv.Push{Key: k, ID: 1}, // ignored, because the feed is cold
		kv.Fill{Key: k, Token: "t", TTL: 1e9},
		&kv.Push{Key: k, ID: 9}, &kv.Push{Key: k, ID: 7}, &kv.Push{Key: k, ID: 9},
		kv.Filled{Key: k, Token: "t", IDs: []uint64{5, 3, 7}, Floor: 3},
		&kv.Push{Key: k, ID: 2}, &kv.Push{Key: k, ID: 8},
	)
	if err != nil {
		t.Fatal(err)
	}
	q := &kv.Feed{Key: k, Limit: 10}
	if err := e.Read(t.Context(), q); err != nil {
		t.Fatal(err)
	}
	if q.State != kv.Warm || q.Floor != 3 || !slices.Equal(q.IDs, []uint64{9, 8, 7, 5}) {
		t.Errorf("got state %v, floor %d, ids %v", q.State, q.Floor, q.IDs)
	}
}
