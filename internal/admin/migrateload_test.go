package admin_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"linnet/internal/admin"
	"linnet/internal/kv"
	"linnet/internal/kv/memkv"
	"linnet/internal/linnet"
	"linnet/internal/record"
)

// TestMigrateInACircle checks that a store can be a target again if the contents came from it,
// directly or through others. Otherwise it can't.
func TestMigrateInACircle(t *testing.T) {
	engines := map[string]kv.Engine{}
	for _, name := range []string{"a", "b", "c", "d"} {
		engines[name] = memkv.New(memkv.Options{})
	}
	v := newVillage(t, fenced(engines["a"], true))
	v.drain()
	v.stop()
	at, used := "a", map[string]bool{"a": true}
	for round, next := range []string{"b", "c", "a", "c", "b", "d", "a"} {
		r := migrate(t, fenced(engines[at], true), engines[next])
		if r.Digest != digestIs(t, engines[next]) {
			t.Errorf("round %d: the digests differ", round)
		}
		used[next] = true
		for name := range used {
			if opened := opens(t, engines[name]); (opened == nil) != (name == next) {
				t.Errorf("round %d, moved to %s: %s opens with %v", round, next, name, opened)
			}
		}
		w := newWorld(t, fenced(engines[next], true))
		w.mustBeClean()
		id := w.post(v.ann, linnet.Draft{Text: fmt.Sprint("round ", round)})
		w.drain()
		if ids := w.home(v.ann); !slices.Contains(ids, id) {
			t.Errorf("round %d: home has %v, not %v", round, ids, id)
		}
		w.stop()
		at = next
	}
	stranger := fenced(memkv.New(memkv.Options{}), true)
	if err := opens(t, stranger); err != nil {
		t.Fatal(err)
	}
	if _, err := admin.Migrate(t.Context(), leaving(stranger), admin.Entering{Engine: engines["b"]}, admin.MigrateOptions{}); !errors.Is(err, admin.ErrOtherMove) {
		t.Errorf("another store is moved into one of the circle: %v", err)
	}
}

// TestMigrateSlowsWritersDown checks that servers write more slowly if records change faster than
// the migration copies them.
func TestMigrateSlowsWritersDown(t *testing.T) {
	from := fenced(memkv.New(memkv.Options{}), true)
	if err := opens(t, from); err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	var writers sync.WaitGroup
	var longest atomic.Int64
	for w := range 8 {
		writers.Go(func() {
			for n := 0; ctx.Err() == nil; n++ {
				began := time.Now()
				err := from.Apply(t.Context(), kv.Put{Key: record.UserKey(linnet.MakeID(time.Unix(1e9, 0), uint16(n), uint8(w))), Version: 1})
				longest.Store(max(longest.Load(), int64(time.Since(began))))
				if errors.Is(err, kv.ErrMoving) {
					return
				}
				time.Sleep(time.Millisecond)
			}
		})
	}
	var told bytes.Buffer
	next := &slowWrites{Engine: memkv.New(memkv.Options{}), each: 2 * time.Millisecond}
	r, err := admin.Migrate(t.Context(), leaving(from), admin.Entering{Engine: next}, admin.MigrateOptions{Progress: admin.NewProgress(&told, false)})
	stop()
	writers.Wait()
	if err != nil {
		t.Fatalf("%v\n%s", err, &told)
	}
	if r.Digest != digestIs(t, next.Engine) || !strings.Contains(told.String(), "each server now writes at most once every") || !strings.Contains(told.String(), "records that changed meanwhile") {
		t.Errorf("moved %+v and said:\n%s", r, &told)
	}
	if r.Stopped > 1 || time.Duration(longest.Load()) > 2*time.Second {
		t.Errorf("writes were stopped for %.2f s, one took %v", r.Stopped, time.Duration(longest.Load()))
	}
}

// slowWrites is an engine with a delay for each change.
type slowWrites struct {
	kv.Engine
	each time.Duration
}

func (s *slowWrites) Apply(ctx context.Context, ops ...kv.Op) error {
	time.Sleep(time.Duration(len(ops)) * s.each)
	return s.Engine.Apply(ctx, ops...)
}
