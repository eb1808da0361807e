package kvtest

import (
	"fmt"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"linnet/internal/kv"
)

func fillingTests() []subtest {
	return []subtest{
		{"PushesAreKept", pushesWhileFilling},
		{"WrongToken", wrongToken},
		{"Takeover", takeover},
		{"Expires", fillingExpires},
		{"LifetimeShortAndLong", fillingShortAndLong},
		{"RepeatedCalls", fillingRepeated},
		{"ConcurrentPushes", rebuildUnderPushes},
	}
}

func begin(k kv.Key, token string) kv.Op { return kv.Fill{Key: k, Token: token, TTL: time.Hour} }

func pushesWhileFilling(e *env) {
	k := feedKey()
	e.apply(begin(k, "t"))
	e.apply(&kv.Push{Key: k, ID: 50}, &kv.Push{Key: k, ID: 40}, &kv.Push{Key: k, ID: 50}, &kv.Push{Key: k, ID: 5})
	e.apply(kv.Merge{Key: k, IDs: []uint64{60, 45, 7}}, &kv.Push{Key: k, ID: 70}, kv.Pull{Key: k, ID: 70}, kv.Pull{Key: k, ID: 99})
	e.wantState(k, kv.Filling)
	e.apply(kv.Filled{Key: k, Token: "t", IDs: []uint64{40, 30, 20, 10, 9}, Floor: 9})
	e.wantFeed(k, 9, 60, 50, 45, 40, 30, 20, 10) // 5 and 7 are below the floor
}

func wrongToken(e *env) {
	k := feedKey()
	e.apply(begin(k, "t1"), &kv.Push{Key: k, ID: 8})
	for _, token := range []string{"t", "T1", "t11", "t2"} {
		e.apply(kv.Filled{Key: k, Token: token, IDs: []uint64{1}, Floor: 9})
		e.wantState(k, kv.Filling)
	}
	e.apply(kv.Filled{Key: k, Token: "t1", IDs: []uint64{2}})
	e.wantFeed(k, 0, 8, 2)
}

func takeover(e *env) {
	k := feedKey()
	e.apply(kv.Fill{Key: k, Token: "a", TTL: e.tick()}, &kv.Push{Key: k, ID: 7}, begin(k, "b"), &kv.Push{Key: k, ID: 8})
	e.apply(kv.Filled{Key: k, Token: "a", IDs: []uint64{1}})
	e.wantState(k, kv.Filling)
	e.past(e.tick() + time.Second/10)
	e.wantState(k, kv.Filling) // with the lifetime of the new filler
	e.apply(kv.Filled{Key: k, Token: "b", IDs: []uint64{2}})
	e.wantFeed(k, 0, 8, 7, 2)
}

func fillingExpires(e *env) {
	k, warm := feedKey(), key("home", 17, "warm")
	fill := kv.Fill{Key: k, Token: "t", TTL: e.tick()}
	e.apply(kv.Fill{Key: warm, Token: "t", TTL: e.tick()}, &kv.Push{Key: warm, ID: 2},
		kv.Filled{Key: warm, Token: "t", IDs: []uint64{1}})
	e.apply(fill, &kv.Push{Key: k, ID: 8})
	e.past(e.tick() + time.Second/10)
	e.wantState(k, kv.Cold)
	e.apply(&kv.Push{Key: k, ID: 9}, kv.Filled{Key: k, Token: "t", IDs: []uint64{1}})
	e.wantState(k, kv.Cold)
	e.warm(k, 0, 3)
	e.wantFeed(k, 0, 3)       // without the ids pushed before
	e.wantFeed(warm, 0, 2, 1) // only fillings expire
}

func fillingShortAndLong(e *env) {
	short, long := key("home", 17, "short"), key("home", 17, "long")
	e.apply(kv.Fill{Key: short, Token: "t", TTL: 1}, kv.Fill{Key: long, Token: "t", TTL: kv.MaxTTL})
	e.past(50 * time.Millisecond)
	e.wantState(short, kv.Cold)
	e.wantState(long, kv.Filling)
}

// fillingRepeated checks repetitions of single calls or all of them, as by a caller without
// responses.
func fillingRepeated(e *env) {
	k := feedKey()
	calls := []kv.Op{
		begin(k, "t"), &kv.Push{Key: k, ID: 9}, kv.Merge{Key: k, IDs: []uint64{8, 7}}, kv.Pull{Key: k, ID: 7},
		kv.Filled{Key: k, Token: "t", IDs: []uint64{3, 1}, Floor: 1}, &kv.Push{Key: k, ID: 10}, kv.Pull{Key: k, ID: 3},
	}
	for _, c := range calls {
		e.apply(c)
		e.apply(c, c)
	}
	e.wantFeed(k, 1, 10, 9, 8)
	e.apply(begin(k, "t"), &kv.Push{Key: k, ID: 9}, kv.Filled{Key: k, Token: "t", IDs: []uint64{6}, Floor: 9})
	e.wantFeed(k, 1, 10, 9, 8)
}

// rebuildUnderPushes checks the purpose of tokens and fillings. Writers record an id and then push
// it. Fillers begin, read the recorded ids and end, while feeds become cold at random. A feed that
// is warm in the end contains all recorded ids.
func rebuildUnderPushes(e *env) {
	for round := range 10 {
		k := key("home", 17, fmt.Sprint(round))
		var truth record
		e.together(6, func(i int) error {
			switch i {
			case 0, 1, 2:
				return e.pushRecorded(k, &truth, uint64(i))
			case 3, 4:
				return e.refill(k, &truth, fmt.Sprintf("%c", 'a'+i))
			default:
				return e.forget(k)
			}
		})
		e.together(1, func(int) error { return e.refillOnce(k, &truth, "last") })
		want := truth.all()
		slices.Sort(want)
		slices.Reverse(want)
		e.wantFeed(k, 0, want...)
	}
}

// record replaces the profiles, from which feeds are rebuilt.
type record struct {
	last atomic.Uint64
	mu   sync.Mutex
	ids  []uint64
}

func (r *record) all() []uint64 {
	defer r.mu.Unlock()
	r.mu.Lock()
	return slices.Clone(r.ids)
}

func (r *record) add(id uint64) {
	defer r.mu.Unlock()
	r.mu.Lock()
	r.ids = append(r.ids, id)
}

func (e *env) pushRecorded(k kv.Key, truth *record, i uint64) error {
	for n := range 60 {
		id := truth.last.Add(2)
		if n%7 == 3 {
			id -= 1 // a late id that no other writer has
		}
		truth.add(id)
		var op kv.Op = &kv.Push{Key: k, ID: id}
		if i == 2 {
			op = kv.Merge{Key: k, IDs: []uint64{id}}
		}
		if err := e.Apply(e.ctx, op); err != nil {
			return err
		}
	}
	return nil
}

func (e *env) refill(k kv.Key, truth *record, name string) error {
	for n := range 30 {
		if err := e.refillOnce(k, truth, fmt.Sprint(name, n)); err != nil {
			return err
		}
	}
	return nil
}

func (e *env) refillOnce(k kv.Key, truth *record, token string) error {
	if err := e.Apply(e.ctx, begin(k, token)); err != nil {
		return err
	}
	return e.Apply(e.ctx, kv.Filled{Key: k, Token: token, IDs: truth.all()})
}

func (e *env) forget(k kv.Key) error {
	for range 20 {
		if err := e.Apply(e.ctx, kv.Delete{Key: k}); err != nil {
			return err
		}
		time.Sleep(200 * time.Microsecond)
	}
	return nil
}
