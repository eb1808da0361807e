package audit

import (
	"context"
	"errors"
	"sync"
	"time"

	"linnet/internal/kv"
)

// auditBytes is the approximate maximum size of the results of one read, and auditMost the maximum
// number of its requests. Redis needs some hundredths of a second for that, and serves no other
// client in this time.
const (
	auditBytes = 1 << 20
	auditMost  = 4000
)

// weights estimate the size of a result from earlier ones for the same kind of key. They are safe
// for concurrent use.
type weights struct {
	mu   sync.Mutex
	mean map[string]float64 // mean size of a value, by kind
}

// Initial estimates of the size of a result, and of a member and a counter with the overhead of the
// protocol.
const (
	valueBytes   = 2048
	memberBytes  = 48
	counterBytes = 16
)

func (w *weights) of(q kv.Query) float64 {
	switch q := q.(type) {
	case *kv.Range:
		return float64(q.Limit * memberBytes)
	case *kv.Scores:
		return float64(len(q.Members) * memberBytes)
	case *kv.Counters:
		return float64(len(q.Names) * counterBytes)
	case *kv.Feed:
		return float64(q.Limit * 8)
	}
	if mean, ok := w.mean[kv.KeyOf(q).Kind]; ok {
		return 2*mean + counterBytes
	}
	return valueBytes
}

// fitting returns the number of requests for one read: at least one.
func (w *weights) fitting(qs []kv.Query) int {
	w.mu.Lock()
	defer w.mu.Unlock()
	sum := 0.0
	for i, q := range qs[:min(len(qs), auditMost)] {
		if sum += w.of(q); sum > auditBytes && i > 0 {
			return i
		}
	}
	return min(len(qs), auditMost)
}

// After a timeout of a busy store the read is repeated with half of the requests, and so on.
const (
	auditRetries = 6
	auditPause   = 50 * time.Millisecond
)

// read reads as many of the requests as fit and returns their number.
func (w *weights) read(ctx context.Context, from kv.Store, qs []kv.Query) (n int, err error) {
	n = w.fitting(qs)
	for try := range auditRetries {
		if err = from.Read(ctx, qs[:n]...); err == nil {
			w.learn(qs[:n])
			return n, nil
		}
		if !errors.Is(err, kv.ErrUnavailable) || Sleep(ctx, auditPause<<try) != nil {
			break
		}
		n = max(n/2, 1)
	}
	return 0, err
}

// Sleep waits for d. If ctx ends earlier, it returns the error of ctx.
func Sleep(ctx context.Context, d time.Duration) error {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// learn records the sizes of the values that were read.
func (w *weights) learn(qs []kv.Query) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.mean == nil {
		w.mean = map[string]float64{}
	}
	for _, q := range qs {
		get, ok := q.(*kv.Get)
		if !ok || get.Version == 0 {
			continue
		}
		mean, known := w.mean[get.Key.Kind]
		if !known {
			mean = valueBytes
		}
		w.mean[get.Key.Kind] = mean + (float64(len(get.Data))-mean)/16
	}
}

// newestOf is the newest part of a timeline, for several waiting checks.
type newestOf struct {
	q    *kv.Range
	then []func(*kv.Range)
}

// withNewest reads the newest part of a timeline, once a round.
func (x *auditing) withNewest(key kv.Key, then func(*kv.Range)) {
	if n, asked := x.newest[key]; asked {
		n.then = append(n.then, then)
		return
	}
	n := &newestOf{&kv.Range{Key: key, Desc: true, Limit: kv.MaxRange}, []func(*kv.Range){then}}
	if x.newest == nil {
		x.newest = map[kv.Key]*newestOf{}
	}
	x.newest[key] = n
	x.ask(func() {
		if len(n.q.Members) == n.q.Limit {
			x.floors.Store(key, n.q.Members[n.q.Limit-1].Score)
		}
		for _, f := range n.then {
			f(n.q)
		}
	}, n.q)
}

// cutOff reports whether an entry of a timeline with a given score may have been trimmed. Other
// entries must exist.
func (x *auditing) cutOff(key kv.Key, at int64) bool {
	floor, ok := x.floors.Load(key)
	return ok && at < floor.(int64)
}
