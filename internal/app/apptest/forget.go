package apptest

import (
	"linnet/internal/linnet"
	"slices"
	"strings"
)

// DeleteUser deletes a user, checks that the user and the status are not found, and waits for the
// tasks.
func (w *World) DeleteUser(id, status linnet.ID) {
	w.Helper()
	if err := w.Social.Deletion.DeleteUser(w.Ctx, id); err != nil {
		w.Fatal(err)
	}
	_, err := w.View.User(w.Ctx, 0, id)
	WantKind(w, err, linnet.NotFound)
	_, err = w.View.Status(w.Ctx, 0, status)
	WantKind(w, err, linnet.NotFound)
	WantKind(w, w.Social.Deletion.DeleteUser(w.Ctx, id), linnet.NotFound)
	w.Drain()
	w.Check()
}

// KeysOf returns the keys of records with a user's id.
func KeysOf(w *World, id linnet.ID) (found []string) {
	w.Helper()
	for cursor := ""; ; {
		keys, next, err := w.Store.Engine().Keys(w.Ctx, cursor)
		if err != nil {
			w.Fatal(err)
		}
		for _, k := range keys {
			if k.Kind == "idem" {
				continue // expires within an hour
			}
			if k.ID == id.String() || strings.HasPrefix(k.ID, id.String()+".") {
				found = append(found, k.String())
			}
		}
		if cursor = next; cursor == "" {
			slices.Sort(found)
			return found
		}
	}
}
