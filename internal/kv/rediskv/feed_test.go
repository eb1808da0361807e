package rediskv_test

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"

	"linnet/internal/kv"
	"linnet/internal/kv/memkv"
	"linnet/internal/kv/redistest"
)

// TestPagesWhileFeedsAreUntidy compares all kinds of pages of a long feed with the model engine
// after each push. The ids arrive in varying orders.
func TestPagesWhileFeedsAreUntidy(t *testing.T) {
	s := redistest.Start(t)
	e, model := open(t, s.URL(), patient), memkv.New(memkv.Options{})
	k := key("home", 3, "a")
	for _, e := range []kv.Store{e, model} {
		warm(t, e, k, 900, someID)
	}
	g := rand.New(rand.NewPCG(1, 2))
	floor, top := uint64(someID-900*65_536), uint64(someID)
	for step := range 700 {
		var change kv.Op
		near := top - uint64(g.IntN(30))*65_536
		switch n := g.IntN(20); {
		case n < 11:
			top += 65_536
			change = &kv.Push{Key: k, ID: top}
		case n < 14: // late id
			change = &kv.Push{Key: k, ID: near - uint64(g.IntN(65_536))}
		case n < 15: // very late id, perhaps below the floor
			change = &kv.Push{Key: k, ID: floor + uint64(g.Int64N(int64(top-floor))) - 65_536*100}
		case n < 17: // repeated id
			change = &kv.Push{Key: k, ID: near}
		default:
			change = kv.Pull{Key: k, ID: near}
		}
		for _, e := range []kv.Store{e, model} {
			if err := e.Apply(t.Context(), change); err != nil {
				t.Fatal(err)
			}
		}
		samePages(t, fmt.Sprint(step, change), e, model, k, near)
		if t.Failed() {
			return
		}
	}
}

func samePages(t *testing.T, when string, e, model kv.Store, k kv.Key, near uint64) {
	t.Helper()
	pages := func() []kv.Query {
		return []kv.Query{
			&kv.Feed{Key: k, Limit: 1}, &kv.Feed{Key: k, Limit: 40}, &kv.Feed{Key: k, Limit: 60}, &kv.Feed{Key: k, Limit: kv.MaxRange},
			&kv.Feed{Key: k, Below: near, Limit: 40}, &kv.Feed{Key: k, Above: near, Limit: 20},
			&kv.Feed{Key: k, Above: near - 50*65_536, Limit: 40, Asc: true}, &kv.Feed{Key: k, Limit: 3, Asc: true},
		}
	}
	got, want := pages(), pages()
	if err := e.Read(t.Context(), got...); err != nil {
		t.Fatal(err)
	}
	if err := model.Read(t.Context(), want...); err != nil {
		t.Fatal(err)
	}
	for i := range got {
		if !reflect.DeepEqual(got[i], want[i]) {
			t.Errorf("after %s, page %d:\n got %+v\nwant %+v", when, i, got[i], want[i])
		}
	}
}

// TestPushesOfMany checks that concurrent pushes of several writers are all present, and that the
// feed is tidied after enough of them.
func TestPushesOfMany(t *testing.T) {
	s := redistest.Start(t)
	k := key("home", 3, "a")
	const writers, each = 4, 100
	warm(t, open(t, s.URL(), patient), k, 10, someID)
	var all sync.WaitGroup
	for w := range writers {
		e := open(t, s.URL(), patient)
		all.Go(func() {
			for n := range each {
				id := uint64(someID + (n*writers+w+1)*65_536)
				if err := e.Apply(t.Context(), &kv.Push{Key: k, ID: id}); err != nil {
					t.Error(err)
				}
				q := &kv.Feed{Key: k, Limit: 60}
				if err := e.Read(t.Context(), q); err != nil || q.State != kv.Warm || !slices.Contains(q.IDs, id) && len(q.IDs) < 60 {
					t.Errorf("a page without what was pushed: %+v, %v", q, err)
				}
			}
		})
	}
	all.Wait()
	e := open(t, s.URL(), patient)
	q := &kv.Feed{Key: k, Limit: kv.MaxRange}
	if err := e.Read(t.Context(), q); err != nil || len(q.IDs) != 10+writers*each || q.IDs[0] != someID+writers*each*65_536 {
		t.Errorf("%d ids, %v", len(q.IDs), err)
	}
	behind := 0
	for text := range strings.FieldsSeq(s.Do("LRANGE", k.String(), "0", "-1")) {
		switch text[0] {
		case '$', '*': // the length of what follows
		case 'w':
			behind = 0
		default:
			behind++
		}
	}
	if behind > 60 {
		t.Errorf("%d ids behind the mark", behind)
	}
}
