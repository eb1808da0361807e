package audit

import (
	"context"
	"errors"
	"sync"
	"time"

	"linnet/internal/kv"
)

// auditBytes is about how many bytes the answers to one read of an audit may have, and
// auditMost how many questions it has: a Redis answers that in some hundredths of a
// second, in which nobody else is answered.
const (
	auditBytes = 1 << 20
	auditMost  = 4000
)

// weights judge how many bytes an answer will have by what those about the same kind
// of key had. They are safe for concurrent use.
type weights struct {
	mu   sync.Mutex
	mean map[string]float64 // of a value, by kind
}

// What is thought of answers before anything is known, and of a member of a set and a
// counter, with what the protocol adds.
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

// fitting is how many of the questions go into one read: at least one.
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

// Of a read that a busy store does not answer in time half is asked after a while, and
// half of that, so often.
const (
	auditRetries = 6
	auditPause   = 50 * time.Millisecond
)

// read asks as many of the questions as are soon answered, and says how many.
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

// Sleep waits, or less if ctx ends before: then it returns its error.
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

// learn notes how large values were.
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

// newestOf is the newest part of a timeline, for which several may wait.
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

// cutOff reports whether what stood in a timeline at a time may have been cut off, as
// far as was seen: timelines only rise. What is not cut off has to be looked for.
func (x *auditing) cutOff(key kv.Key, at int64) bool {
	floor, ok := x.floors.Load(key)
	return ok && at < floor.(int64)
}
