package store_test

import (
	"context"
	"testing"

	"linnet/internal/kv/faultkv"
	"linnet/internal/kv/memkv"
	"linnet/internal/linnet"
	"linnet/internal/record"
	"linnet/internal/store"
	"linnet/internal/store/sessions"
)

// TestCacheKeepsTokens checks that a token is cached until it is revoked, and that durable reads
// bypass the cache.
func TestCacheKeepsTokens(t *testing.T) {
	e := faultkv.New(memkv.New(memkv.Options{}))
	s := store.New(e, store.Options{})
	id := newUser(t, s, "ann")
	secret := sessions.NewSecret(id.Shard())
	stands := func(ctx context.Context) bool {
		_, ok, err := s.Sessions.Token(ctx, secret)
		if err != nil {
			t.Fatal(err)
		}
		return ok
	}
	if stands(t.Context()) {
		t.Fatal("a token that was not issued")
	}
	if ok, err := s.Sessions.IssueToken(t.Context(), secret, record.TokenRecord{User: id, Scopes: []string{"read"}, Created: s.Now()}, nil); !ok || err != nil {
		t.Fatal(ok, err)
	}
	e.Reset()
	for range 3 {
		if !stands(t.Context()) {
			t.Fatal("the token is not in force")
		}
	}
	if n := e.Stats().Reads; n != 1 {
		t.Errorf("three uses took %d reads, want 1", n)
	}
	if stands(store.Durable(t.Context())); e.Stats().Reads != 2 {
		t.Error("a durable question was answered from memory")
	}
	if err := s.Sessions.RevokeToken(t.Context(), secret, id); err != nil {
		t.Fatal(err)
	}
	if stands(t.Context()) {
		t.Error("an ended token is in force")
	}
}

// TestCacheKeepsManyReaders checks that the cache of readers is limited by size: thousands of
// readers with few marks fit into the space of a few with many.
func TestCacheKeepsManyReaders(t *testing.T) {
	e := faultkv.New(memkv.New(memkv.Options{}))
	s := store.New(e, store.Options{CacheBytes: 64 << 20})
	const readers, met = 4000, 40
	look := func(reader int) {
		b := s.Batch()
		r := b.Reader(linnet.ID(1+reader) << 6)
		for i := range met {
			r.AskStatus(linnet.ID(1e9+i) << 6)
		}
		if err := b.Run(context.Background()); err != nil {
			t.Fatal(err)
		}
	}
	for i := range readers {
		look(i)
	}
	e.Reset()
	for i := range readers {
		look(i)
	}
	if n := e.Stats().Reads; n > readers/20 {
		t.Errorf("%d of %d readers were asked for again", n, readers)
	}
}
