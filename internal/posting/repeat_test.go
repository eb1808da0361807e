package posting_test

import (
	"testing"
	"time"

	"linnet/internal/app/apptest"
	"linnet/internal/linnet"
)

// TestRepeatedThoughRefusedNow checks that a retry with the same key returns the first post or
// scheduled post, even if the post would be refused now.
func TestRepeatedThoughRefusedNow(t *testing.T) {
	for name, gone := range map[string]func(w *apptest.World, ann, bob, parent linnet.ID){
		"the parent is deleted": func(w *apptest.World, _, bob, parent linnet.ID) {
			apptest.Must(w.Posting.Delete(w.Ctx, bob, parent))(w.T)
		},
		"its author blocks": func(w *apptest.World, ann, bob, _ linnet.ID) { apptest.Must(w.Social.Block(w.Ctx, bob, ann))(w.T) },
	} {
		for _, quotes := range []bool{false, true} {
			t.Run(name, func(t *testing.T) {
				apptest.OnEngines(t, func(w *apptest.World) {
					ann, bob := w.Person("ann"), w.Person("bob")
					d := linnet.Draft{Text: "so it is", IdempotencyKey: "k"}
					parent := w.Post(bob, "so").ID
					if d.InReplyTo = parent; quotes {
						d.InReplyTo, d.QuoteOf = 0, parent
					}
					first := w.Draft(ann, d)
					at := w.Store.Now().Add(time.Hour)
					later := apptest.Must(w.Posting.Scheduled.Create(w.Ctx, ann, d, at))(w.T)
					gone(w, ann, bob, parent)
					if again := w.Draft(ann, d); again.ID != first.ID {
						w.Errorf("sent again it is %v, want %v", again.ID, first.ID)
					}
					if again := apptest.Must(w.Posting.Scheduled.Create(w.Ctx, ann, d, at))(w.T); again.ID != later.ID {
						w.Errorf("scheduled again it is %v, want %v", again.ID, later.ID)
					}
					d.IdempotencyKey = "another"
					if _, err := w.Posting.Post(w.Ctx, ann, d); err == nil {
						w.Error("with another key it was posted anew")
					}
				})
			})
		}
	}
}
