package app_test

import (
	"fmt"
	"sync"
	"testing"

	"linnet/internal/linnet"
)

// TestFeaturedTags checks that the limit of featured tags holds for concurrent requests, and that
// each counts its statuses.
func TestFeaturedTags(t *testing.T) {
	onEngines(t, func(w *world) {
		ann := w.person("ann")
		s := w.post(ann, "#tag0 #Tag0 #other").ID
		w.post(ann, "#tag0")
		var all sync.WaitGroup
		for i := range 2 * linnet.MaxFeaturedTags {
			all.Go(func() {
				if _, err := w.Discovery.FeatureTag(w.ctx, ann, fmt.Sprintf("tag%d", i/2)); err != nil && linnet.KindOf(err) != linnet.Invalid {
					w.Error(err)
				}
			})
		}
		all.Wait()
		_, err := w.Discovery.FeatureTag(w.ctx, ann, "more")
		kindIs(w, err, linnet.Invalid)
		count := func() (n, counted int64) {
			for _, f := range must(w.Discovery.FeaturedTags(w.ctx, 0, ann))(w) {
				n, counted = n+1, counted+f.Statuses
			}
			return n, counted
		}
		if n, counted := count(); n != linnet.MaxFeaturedTags || counted != 2 {
			w.Errorf("%d tags, %d statuses", n, counted)
		}
		must(w.Posting.Delete(w.ctx, ann, s))(w)
		if _, counted := count(); counted != 1 {
			w.Errorf("%d statuses after one was deleted", counted)
		}
		w.check()
	})
}
