package kvtest

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"testing"
	"time"

	"linnet/internal/kv"
)

// env is the environment of a subtest: an engine over an empty store. Its methods end the subtest
// when the engine fails unexpectedly. Only the goroutine of the subtest calls them.
type env struct {
	*testing.T
	kv.Engine
	ctx  context.Context
	caps Caps
}

func key(kind string, shard uint16, id string) kv.Key {
	return kv.Key{Kind: kind, Shard: shard, ID: id}
}

func (e *env) read(qs ...kv.Query) {
	e.Helper()
	if err := e.Read(e.ctx, qs...); err != nil {
		e.Fatalf("Read: %v", err)
	}
}

// do makes changes in a transaction that must succeed.
func (e *env) do(changes ...kv.Op) {
	e.Helper()
	if !e.txn(nil, changes...) {
		e.Fatal("Txn without conditions says that a condition failed")
	}
}

// txn reports whether the conditions were met.
func (e *env) txn(conds []kv.Cond, changes ...kv.Op) bool {
	e.Helper()
	failed, err := e.Txn(e.ctx, conds, changes...)
	if err != nil {
		e.Fatalf("Txn: %v", err)
	}
	if failed < -1 || failed >= len(conds) {
		e.Fatalf("Txn of %d conditions says that condition %d failed", len(conds), failed)
	}
	return failed == -1
}

func (e *env) apply(changes ...kv.Op) {
	e.Helper()
	if err := e.Apply(e.ctx, changes...); err != nil {
		e.Fatalf("Apply: %v", err)
	}
}

// refused checks that err is a refusal.
func (e *env) refused(what string, err error) {
	e.Helper()
	if !errors.Is(err, kv.ErrRefused) {
		e.Errorf("%s: got error %v, want ErrRefused", what, err)
	}
}

// wantValue checks the data and version of a value. Version 0 means that it does not exist.
func (e *env) wantValue(k kv.Key, data string, version uint64) {
	e.Helper()
	q := &kv.Get{Key: k, Data: []byte("stale"), Version: 1 << 60}
	e.read(q)
	if string(q.Data) != data || q.Version != version {
		e.Errorf("%v: got %.40q version %d, want %.40q version %d", k, q.Data, q.Version, data, version)
	}
	if q.Version == 0 && q.Data != nil {
		e.Errorf("%v: absent, but its data are not nil", k)
	}
}

func (e *env) wantCounter(k kv.Key, name string, want int64) {
	e.Helper()
	q := &kv.Counters{Key: k, Names: []string{name}}
	e.read(q)
	wantSlice(e, "counter "+name+" of "+k.String(), q.Values, []int64{want})
}

// wantRange checks the result of a query.
func (e *env) wantRange(q kv.Range, want ...kv.Member) {
	e.Helper()
	q.Members = []kv.Member{{Score: 1, Member: "stale"}}
	e.read(&q)
	wantSlice(e, q.Key.String(), q.Members, want)
}

// all returns a whole set in ascending order.
func (e *env) all(k kv.Key) []kv.Member {
	e.Helper()
	return e.walk(kv.Range{Key: k, Limit: kv.MaxRange})
}

// walk pages through a set to its end, with the direction and page length of q.
func (e *env) walk(q kv.Range) []kv.Member {
	e.Helper()
	var all []kv.Member
	for {
		e.read(&q)
		if len(q.Members) == 0 {
			return all
		}
		if len(q.Members) > q.Limit || len(all) > 100_000 {
			e.Fatalf("%v: a page of %d for limit %d, after %d", q.Key, len(q.Members), q.Limit, len(all))
		}
		all = append(all, q.Members...)
		last := all[len(all)-1]
		if q.Desc {
			q.Below = &last
		} else {
			q.Above = &last
		}
	}
}

// past moves the clock by d, or waits.
func (e *env) past(d time.Duration) {
	if e.caps.Advance != nil {
		e.caps.Advance(d)
	} else {
		time.Sleep(d)
	}
}

// tick returns a short lifetime, for which a test can wait.
func (e *env) tick() time.Duration {
	if e.caps.Advance != nil {
		return time.Minute
	}
	return 200 * time.Millisecond
}

// together runs n goroutines and reports their errors.
func (e *env) together(n int, run func(i int) error) {
	e.Helper()
	errs := make([]error, n)
	var wg sync.WaitGroup
	for i := range n {
		wg.Go(func() { errs[i] = run(i) })
	}
	wg.Wait()
	if err := errors.Join(errs...); err != nil {
		e.Fatal(err)
	}
}

func wantSlice[T comparable](e *env, what string, got, want []T) {
	e.Helper()
	if slices.Equal(got, want) {
		return
	}
	i := 0
	for i < len(got) && i < len(want) && got[i] == want[i] {
		i++
	}
	show := func(s []T) []T { return s[min(i, len(s)):min(i+8, len(s))] }
	e.Errorf("%s: got %d, want %d; they differ from index %d: got %v, want %v",
		what, len(got), len(want), i, show(got), show(want))
}

func putText(k kv.Key, data string, version uint64) kv.Op {
	return kv.Put{Key: k, Data: []byte(data), Version: version}
}

// brief returns the beginning of a change, condition or query in Go syntax.
func brief(v any) string {
	s := fmt.Sprintf("%#v", v)
	if len(s) > 160 {
		return s[:160] + "..."
	}
	return s
}
