package archives

import (
	"context"
	"fmt"
	"strings"
	"time"

	"linnet/internal/core"
	"linnet/internal/linnet"
	"linnet/internal/store/db"
)

// The id of an imported post is computed from its date and its source. If another status has the
// id, the next one is used. The record contains the source and the import, so that the same archive
// creates no duplicates and an import can be undone.

// importNonce returns the nonce of a status that was imported from a post.
func importNonce(by linnet.ID, source string) string { return "brought." + by.String() + "." + source }

// sourceOf returns the source of an imported status, or "".
func sourceOf(st *linnet.Status) string {
	if !st.Imported {
		return ""
	}
	_, rest, _ := strings.Cut(strings.TrimPrefix(st.Nonce, "brought."), ".")
	return rest
}

// madeBy returns the import that created a status, or 0.
func madeBy(st *linnet.Status) linnet.ID {
	if !st.Imported {
		return 0
	}
	by, _, _ := strings.Cut(strings.TrimPrefix(st.Nonce, "brought."), ".")
	id, _ := linnet.ParseID(by)
	return id
}

// importID is the id for a post, with the status if it already exists.
type importID struct {
	id linnet.ID
	st *linnet.Status
}

// idsTried is the maximum number of ids that are tried. 64 have the same millisecond.
const idsTried = 256

// idOf returns an id for a post of a user. Other attempts give other ids.
func idOf(me linnet.ID, source string, at int64, attempt int) linnet.ID {
	seq := int(hashed("seq "+source)%64) + attempt
	return linnet.MakeID(time.UnixMilli(at+int64(seq/64)), me.Shard(), uint8(seq%64))
}

// ids returns the ids of the posts in the lines and of their parents, existing or new.
func (b *postBatch) ids(ctx context.Context) (map[string]importID, error) {
	out, err := b.ownPosts(ctx)
	if err != nil {
		return nil, err
	}
	left := map[string]int64{}
	for _, l := range b.lines {
		left[l.Source] = l.At
		if l.Parent != "" {
			left[l.Parent] = l.ParentAt
		}
	}
	for s := range out {
		delete(left, s)
	}
	taken := map[linnet.ID]bool{}
	for attempt := range idsTried {
		if len(left) == 0 {
			return out, nil
		}
		q := b.s.st.Batch()
		refs := make(map[string]*db.StatusRef, len(left))
		for s, at := range left {
			refs[s] = q.Status(idOf(b.p.me, s, at, attempt))
		}
		if err := q.Run(ctx); err != nil {
			return nil, core.StoreError(err)
		}
		for s, ref := range refs {
			id := idOf(b.p.me, s, left[s], attempt)
			switch {
			case ref.Status != nil && ref.Status.Author == b.p.me && sourceOf(ref.Status) == s:
				out[s] = importID{st: ref.Status}
			case ref.Status != nil || taken[id]:
				continue
			default:
				taken[id] = true
				out[s] = importID{id: id}
			}
			delete(left, s)
		}
	}
	return nil, fmt.Errorf("find free IDs: none found after %d attempts", idsTried)
}

// ownPosts returns the posts that were written on this server and still exist.
func (b *postBatch) ownPosts(ctx context.Context) (map[string]importID, error) {
	out := map[string]importID{}
	q := b.s.st.Batch()
	refs := map[string]*db.StatusRef{}
	for _, l := range b.lines {
		if id := b.s.statusNamed(l.URI); id != 0 {
			refs[l.Source] = q.Status(id)
		}
	}
	if len(refs) == 0 {
		return out, nil
	}
	if err := q.Run(ctx); err != nil {
		return nil, core.StoreError(err)
	}
	for s, ref := range refs {
		if ref.Status != nil && ref.Status.Author == b.p.me {
			out[s] = importID{st: ref.Status}
		}
	}
	return out, nil
}
