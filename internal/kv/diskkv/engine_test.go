package diskkv

import (
	"bytes"
	"context"
	"crypto/rand"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"linnet/internal/kv"
)

func open(t testing.TB, dir string, opts Options) *Engine {
	t.Helper()
	e, err := Open(dir, opts)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := e.Close(); err != nil {
			t.Errorf("close: %v", err)
		}
	})
	return e
}

// TestReopen checks that all data is present after a clean end in either mode.
func TestReopen(t *testing.T) {
	for _, mode := range []SyncMode{SyncAlways, SyncInterval} {
		t.Run(string(mode), func(t *testing.T) { reopen(t, Options{Sync: mode}) })
	}
}

func reopen(t *testing.T, opts Options) {
	ctx := context.Background()
	dir := t.TempDir()
	e := open(t, dir, opts)
	k := kv.Key{Kind: "user", Shard: 7, ID: "1"}
	set := kv.Key{Kind: "set", Shard: 7, ID: "1"}
	n := kv.Key{Kind: "n", Shard: 7, ID: "1"}
	failed, err := e.Txn(ctx, []kv.Cond{kv.Absent(k)},
		kv.Put{Key: k, Data: []byte("x"), Version: 1},
		kv.Add{Key: set, Member: "a", Score: -5}, kv.Add{Key: set, Member: "b", Score: 5},
		kv.Incr{Key: n, Name: "c", By: 3}, kv.Incr{Key: n, Name: "c", By: 4})
	if failed != -1 || err != nil {
		t.Fatalf("txn: %d, %v", failed, err)
	}
	if err := e.Close(); err != nil {
		t.Fatal(err)
	}
	e = open(t, dir, opts)
	get, rng, cs := &kv.Get{Key: k}, &kv.Range{Key: set, Limit: 10, Desc: true}, &kv.Counters{Key: n, Names: []string{"c", "d"}}
	if err := e.Read(ctx, get, rng, cs); err != nil {
		t.Fatal(err)
	}
	if string(get.Data) != "x" || get.Version != 1 {
		t.Errorf("get: %q %d", get.Data, get.Version)
	}
	if len(rng.Members) != 2 || rng.Members[0].Member != "b" || rng.Members[1].Score != -5 {
		t.Errorf("range: %v", rng.Members)
	}
	if cs.Values[0] != 7 || cs.Values[1] != 0 {
		t.Errorf("counters: %v", cs.Values)
	}
}

// TestDeleteLeavesNothing deletes more entries than single tombstones are used for, and checks that
// the neighbouring keys remain.
func TestDeleteLeavesNothing(t *testing.T) {
	e := open(t, t.TempDir(), Options{})
	big := kv.Key{Kind: "s", Shard: 3, ID: "a"}
	before, after := kv.Key{Kind: "s", Shard: 3, ID: ""}, kv.Key{Kind: "s", Shard: 3, ID: "a "}
	for _, n := range []int{1, 32, 33, 500} {
		var changes []kv.Op
		for i := range n {
			changes = append(changes, kv.Add{Key: big, Member: imageKey(i).ID, Score: int64(i)})
		}
		apply(t, e, changes...)
		apply(t, e, kv.Put{Key: before, Version: 1}, kv.Put{Key: after, Version: 1})
		apply(t, e, kv.Delete{Key: big})
		if got := entries(t, e); got != 2 {
			t.Errorf("%d members: %d entries remain beside the neighbours'", n, got-2)
		}
		// In one transaction later changes take effect over earlier ones.
		changes = append([]kv.Op{kv.Delete{Key: big}}, changes...)
		if _, err := e.Txn(context.Background(), nil, changes...); err != nil {
			t.Fatal(err)
		}
		apply(t, e, kv.Trim{Key: big, Keep: 1})
		if got := entries(t, e); got != 4 {
			t.Errorf("%d members, trimmed to one: %d entries", n, got-2)
		}
	}
}

// TestHugeTxn writes more in one transaction than a memory table holds.
func TestHugeTxn(t *testing.T) {
	dir := t.TempDir()
	e := open(t, dir, Options{})
	var changes []kv.Op
	for i := range 100 {
		k := kv.Key{Kind: "v", Shard: 3, ID: imageKey(i).ID}
		changes = append(changes, kv.Put{Key: k, Data: bytes.Repeat([]byte{byte(i)}, kv.MaxValue), Version: 1})
	}
	if _, err := e.Txn(context.Background(), nil, changes...); err != nil {
		t.Fatal(err)
	}
	if err := e.Close(); err != nil {
		t.Fatal(err)
	}
	e = open(t, dir, Options{})
	for i, c := range changes {
		q := &kv.Get{Key: kv.KeyOfOp(c)}
		if err := e.Read(context.Background(), q); err != nil || !bytes.Equal(q.Data, c.(kv.Put).Data) {
			t.Fatalf("value %d: %d bytes, %v", i, len(q.Data), err)
		}
	}
}

// TestOpenErrors checks the texts of errors that operators cause.
func TestOpenErrors(t *testing.T) {
	dir := t.TempDir()
	if _, err := Open(dir, Options{Sync: "sometimes"}); err == nil || !strings.Contains(err.Error(), "sometimes") {
		t.Errorf("unknown mode: %v", err)
	}
	file := filepath.Join(dir, "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := Open(file, Options{}); err == nil || !strings.Contains(err.Error(), "not a directory") {
		t.Errorf("a file: %v", err)
	}
	e := open(t, filepath.Join(dir, "deep", "er"), Options{})
	if _, err := Open(filepath.Join(dir, "deep", "er"), Options{}); err == nil || !strings.Contains(err.Error(), "this process") {
		t.Errorf("opened twice: %v", err)
	}
	if info := e.Info(); info.Location != filepath.Join(dir, "deep", "er") || !strings.Contains(info.Durability.String(), "fsync") {
		t.Errorf("info %+v", info)
	}
}

// TestCloseLeavesNothingToReplay checks that all data is in tables after a clean stop.
func TestCloseLeavesNothingToReplay(t *testing.T) {
	dir := t.TempDir()
	e := open(t, dir, Options{})
	for i := range 30 {
		data := make([]byte, 100_000)
		rand.Read(data) // incompressible data
		apply(t, e, kv.Put{Key: kv.Key{Kind: "x", Shard: uint16(i), ID: "a"}, Data: data, Version: 1})
	}
	if err := e.Close(); err != nil {
		t.Fatal(err)
	}
	e = open(t, dir, Options{})
	if n := e.db.Metrics().Levels[0].TableBytesFlushed; n > logLeft {
		t.Errorf("%d bytes of the log were made into tables", n)
	}
	got := kv.Get{Key: kv.Key{Kind: "x", Shard: 29, ID: "a"}}
	if err := e.Read(t.Context(), &got); err != nil || got.Version != 1 {
		t.Errorf("version %d, %v", got.Version, err)
	}
}
