package memkv

import (
	"slices"
	"time"

	"linnet/internal/kv"
)

// feed is warm if token is empty, and otherwise in filling. A nil feed is cold and can be read. In
// filling it has a floor too, which is not returned. It is 0 until pushes cause a cut.
type feed struct {
	ids   []uint64 // ascending, without duplicates, above floor
	floor uint64
	token string
	until time.Time // end of the filling, zero if warm
}

func (f *feed) change(c kv.Op) {
	switch c := c.(type) {
	case *kv.Push:
		f.insert(c.ID)
		f.cut(kv.FeedMax)
	case kv.Merge:
		f.insert(c.IDs...)
		f.cut(kv.FeedMax)
	case kv.Pull:
		if i, ok := slices.BinarySearch(f.ids, c.ID); ok {
			f.ids = slices.Delete(f.ids, i, i+1)
		}
	case kv.Filled:
		if c.Token != f.token {
			return
		}
		f.token, f.until = "", time.Time{}
		f.raise(c.Floor)
		f.insert(c.IDs...)
		f.cut(kv.FeedTrimmed)
	}
}

// insert adds the ids above the floor, each once.
func (f *feed) insert(ids ...uint64) {
	for _, id := range ids {
		if i, ok := slices.BinarySearch(f.ids, id); !ok && id > f.floor {
			f.ids = slices.Insert(f.ids, i, id)
		}
	}
}

// cut leaves the newest FeedTrimmed ids if there are more than limit. The floor becomes the
// greatest id that was removed.
func (f *feed) cut(limit int) {
	if len(f.ids) > limit {
		f.raise(f.ids[len(f.ids)-kv.FeedTrimmed-1])
	}
}

// raise removes the ids up to floor. A floor never decreases.
func (f *feed) raise(floor uint64) {
	f.floor = max(f.floor, floor)
	f.ids = slices.DeleteFunc(f.ids, func(id uint64) bool { return id <= f.floor })
}

func (f *feed) answer(q *kv.Feed) {
	q.State, q.Floor, q.IDs = kv.Cold, 0, nil
	if f == nil {
		return
	}
	if f.token != "" {
		q.State = kv.Filling
		return
	}
	q.State, q.Floor = kv.Warm, f.floor
	for _, id := range f.ids {
		if id > q.Above && (q.Below == 0 || id < q.Below) {
			q.IDs = append(q.IDs, id)
		}
	}
	if len(q.IDs) > q.Limit {
		if q.Asc {
			q.IDs = q.IDs[:q.Limit]
		} else {
			q.IDs = q.IDs[len(q.IDs)-q.Limit:]
		}
	}
	slices.Reverse(q.IDs)
}
