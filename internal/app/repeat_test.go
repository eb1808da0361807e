package app_test

import (
	"testing"
	"time"

	"linnet/internal/linnet"
)

// TestRepeatedThoughRefusedNow checks that a retry with the same key returns the first post or
// scheduled post, even if the post would be refused now.
func TestRepeatedThoughRefusedNow(t *testing.T) {
	for name, gone := range map[string]func(w *world, ann, bob, parent linnet.ID){
		"the parent is deleted": func(w *world, _, bob, parent linnet.ID) {
			must(w.Posting.Delete(w.ctx, bob, parent))(w.T)
		},
		"its author blocks": func(w *world, ann, bob, _ linnet.ID) { must(w.Social.Block(w.ctx, bob, ann))(w.T) },
	} {
		for _, quotes := range []bool{false, true} {
			t.Run(name, func(t *testing.T) {
				onEngines(t, func(w *world) {
					ann, bob := w.person("ann"), w.person("bob")
					d := linnet.Draft{Text: "so it is", IdempotencyKey: "k"}
					parent := w.post(bob, "so").ID
					if d.InReplyTo = parent; quotes {
						d.InReplyTo, d.QuoteOf = 0, parent
					}
					first := w.draft(ann, d)
					at := w.store.Now().Add(time.Hour)
					later := must(w.Posting.Scheduled.Create(w.ctx, ann, d, at))(w.T)
					gone(w, ann, bob, parent)
					if again := w.draft(ann, d); again.ID != first.ID {
						w.Errorf("sent again it is %v, want %v", again.ID, first.ID)
					}
					if again := must(w.Posting.Scheduled.Create(w.ctx, ann, d, at))(w.T); again.ID != later.ID {
						w.Errorf("scheduled again it is %v, want %v", again.ID, later.ID)
					}
					d.IdempotencyKey = "another"
					if _, err := w.Posting.Post(w.ctx, ann, d); err == nil {
						w.Error("with another key it was posted anew")
					}
				})
			})
		}
	}
}
