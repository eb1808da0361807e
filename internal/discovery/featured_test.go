package discovery_test

import (
	"fmt"
	"sync"
	"testing"

	"linnet/internal/app/apptest"
	"linnet/internal/linnet"
)

// TestFeaturedTags checks that the limit of featured tags holds for concurrent requests, and that
// each counts its statuses.
func TestFeaturedTags(t *testing.T) {
	apptest.OnEngines(t, func(w *apptest.World) {
		ann := w.Person("ann")
		s := w.Post(ann, "#tag0 #Tag0 #other").ID
		w.Post(ann, "#tag0")
		var all sync.WaitGroup
		for i := range 2 * linnet.MaxFeaturedTags {
			all.Go(func() {
				if _, err := w.Discovery.FeatureTag(w.Ctx, ann, fmt.Sprintf("tag%d", i/2)); err != nil && linnet.KindOf(err) != linnet.Invalid {
					w.Error(err)
				}
			})
		}
		all.Wait()
		_, err := w.Discovery.FeatureTag(w.Ctx, ann, "more")
		apptest.WantKind(w, err, linnet.Invalid)
		count := func() (n, counted int64) {
			for _, f := range apptest.Must(w.Discovery.FeaturedTags(w.Ctx, 0, ann))(w) {
				n, counted = n+1, counted+f.Statuses
			}
			return n, counted
		}
		if n, counted := count(); n != linnet.MaxFeaturedTags || counted != 2 {
			w.Errorf("%d tags, %d statuses", n, counted)
		}
		apptest.Must(w.Posting.Delete(w.Ctx, ann, s))(w)
		if _, counted := count(); counted != 1 {
			w.Errorf("%d statuses after one was deleted", counted)
		}
		w.Check()
	})
}
