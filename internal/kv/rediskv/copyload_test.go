package rediskv_test

import (
	"context"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"linnet/internal/kv"
	"linnet/internal/kv/rediskv"
	"linnet/internal/kv/redistest"
)

// TestCopyUnderLoad checks that a copy ends while clients write as fast as they can, and that no
// write waits longer than two pauses.
func TestCopyUnderLoad(t *testing.T) {
	e := open(t, redistest.Start(t).URL(), rediskv.Options{Guard: true})
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	var writers sync.WaitGroup
	var writes, longest atomic.Int64
	for w := range 8 {
		writers.Go(func() {
			for n := 0; ctx.Err() == nil; n++ {
				began := time.Now()
				err := e.Apply(t.Context(), kv.Put{Key: key("v", uint16(n%kv.Shards), fmt.Sprint(w, " ", n%20_000)), Version: uint64(n + 1)})
				if err != nil {
					t.Errorf("a write ends with %v", err)
				}
				writes.Add(1)
				longest.Store(max(longest.Load(), int64(time.Since(began))))
			}
		})
	}
	time.Sleep(time.Second)
	began := time.Now()
	c, err := e.Copy(t.Context(), kv.CopyOptions{Kinds: map[string]kv.Shape{"v": kv.ValueShape}, Dir: t.TempDir()})
	took := time.Since(began)
	stop()
	writers.Wait()
	if err != nil {
		t.Fatalf("after %v and %d writes: %v", took, writes.Load(), err)
	}
	defer c.Close()
	t.Logf("copied in %v during %d writes, the longest of which took %v", took, writes.Load(), time.Duration(longest.Load()))
	if took > 40*time.Second || time.Duration(longest.Load()) > 2*time.Second {
		t.Errorf("it took %v, and a write %v", took, time.Duration(longest.Load()))
	}
}
