package posting_test

import (
	"sync"
	"testing"

	"linnet/internal/app/apptest"
	"linnet/internal/linnet"
)

// TestPinsAreLimited checks that the limit of pinned statuses holds for concurrent requests, and
// that deleted statuses make room.
func TestPinsAreLimited(t *testing.T) {
	apptest.OnEngines(t, func(w *apptest.World) {
		ann := w.Person("ann")
		var ids []linnet.ID
		for i := range 2 * linnet.MaxPins {
			ids = append(ids, w.Post(ann, "status %d", i).ID)
		}
		var all sync.WaitGroup
		for _, id := range ids {
			all.Go(func() {
				if _, err := w.Posting.Marks.Pin(w.Ctx, ann, id); err != nil && linnet.KindOf(err) != linnet.Invalid {
					w.Error(err)
				}
			})
		}
		all.Wait()
		pinned := apptest.Must(w.Posting.Marks.Pinned(w.Ctx, 0, ann))(w)
		if len(pinned) != linnet.MaxPins {
			w.Fatalf("%d statuses are pinned", len(pinned))
		}
		apptest.Must(w.Posting.Delete(w.Ctx, ann, pinned[0].ID))(w)
		fresh := w.Post(ann, "fresh").ID
		apptest.Must(w.Posting.Marks.Pin(w.Ctx, ann, fresh))(w)
		if now := apptest.Must(w.Posting.Marks.Pinned(w.Ctx, 0, ann))(w); len(now) != linnet.MaxPins || now[0].ID != fresh {
			w.Errorf("%d statuses are pinned, first %v", len(now), now[0].ID)
		}
		w.Check()
	})
}
