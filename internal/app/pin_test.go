package app_test

import (
	"sync"
	"testing"

	"linnet/internal/linnet"
)

// TestPinsAreLimited checks that the limit of pinned statuses holds for concurrent requests, and
// that deleted statuses make room.
func TestPinsAreLimited(t *testing.T) {
	onEngines(t, func(w *world) {
		ann := w.person("ann")
		var ids []linnet.ID
		for i := range 2 * linnet.MaxPins {
			ids = append(ids, w.post(ann, "status %d", i).ID)
		}
		var all sync.WaitGroup
		for _, id := range ids {
			all.Go(func() {
				if _, err := w.Posting.Marks.Pin(w.ctx, ann, id); err != nil && linnet.KindOf(err) != linnet.Invalid {
					w.Error(err)
				}
			})
		}
		all.Wait()
		pinned := must(w.Posting.Marks.Pinned(w.ctx, 0, ann))(w)
		if len(pinned) != linnet.MaxPins {
			w.Fatalf("%d statuses are pinned", len(pinned))
		}
		must(w.Posting.Delete(w.ctx, ann, pinned[0].ID))(w)
		fresh := w.post(ann, "fresh").ID
		must(w.Posting.Marks.Pin(w.ctx, ann, fresh))(w)
		if now := must(w.Posting.Marks.Pinned(w.ctx, 0, ann))(w); len(now) != linnet.MaxPins || now[0].ID != fresh {
			w.Errorf("%d statuses are pinned, first %v", len(now), now[0].ID)
		}
		w.check()
	})
}
