package posting

import (
	"cmp"
	"context"
	"errors"
	"slices"

	"linnet/internal/core"
	"linnet/internal/linnet"
	"linnet/internal/store/db"
	"linnet/internal/store/statuses"
	"linnet/internal/view"
)

// Pin pins a status of me to the profile. It accepts at most MaxPins, and no boosts or direct
// statuses. https://docs.joinmastodon.org/methods/statuses/#pin
func (s *Marks) Pin(ctx context.Context, me, id linnet.ID) (linnet.StatusView, error) {
	return s.pin(ctx, me, id, true)
}

// Unpin unpins a status from me's profile.
func (s *Marks) Unpin(ctx context.Context, me, id linnet.ID) (linnet.StatusView, error) {
	return s.pin(ctx, me, id, false)
}

func (s *Marks) pin(ctx context.Context, me, id linnet.ID, on bool) (linnet.StatusView, error) {
	v, err := s.view.Status(ctx, me, id)
	switch {
	case err != nil:
		return v, err
	case v.Author != me:
		return v, linnet.Errorf(linnet.Invalid, "Validation failed: you can only pin your own posts")
	case v.RepostOf != 0:
		return v, linnet.Errorf(linnet.Invalid, "Validation failed: a boost can't be pinned")
	case !v.Pinnable():
		return v, linnet.Errorf(linnet.Invalid, "Validation failed: a direct post can't be pinned")
	}
	err = s.st.Statuses.Pin(ctx, me, id, on)
	switch {
	case errors.Is(err, db.ErrDeleted):
		return v, view.ErrNoStatus
	case errors.Is(err, statuses.ErrFullPins):
		return v, linnet.Errorf(linnet.Invalid, "Validation failed: You can pin at most %d posts. Unpin one first", linnet.MaxPins)
	case err != nil:
		return v, core.StoreError(err)
	}
	return s.view.Status(ctx, me, id)
}

// Pinned returns the pinned statuses of a user that the viewer can see, last pinned first.
func (s *Marks) Pinned(ctx context.Context, viewer, of linnet.ID) ([]linnet.StatusView, error) {
	if _, err := s.view.User(ctx, viewer, of); err != nil {
		return nil, err
	}
	ids, err := s.st.Statuses.Pins(ctx, of)
	if err != nil {
		return nil, core.StoreError(err)
	}
	return s.view.Statuses(ctx, viewer, ids)
}

// PinnedPage returns a page of the pinned statuses that match a filter. It is in the order of pins
// if all of them fit, and otherwise sorted by id, which bounds refer to.
// https://docs.joinmastodon.org/methods/accounts/#statuses
func (s *Marks) PinnedPage(ctx context.Context, viewer, of linnet.ID, f linnet.ProfileFilter, p linnet.Page) (out linnet.Slice[linnet.StatusView], err error) {
	below, err := p.Max.ID()
	above, err2 := cmp.Or(p.Min, p.Since).ID()
	if err := cmp.Or(err, err2); err != nil {
		return out, err
	}
	vs, err := s.Pinned(ctx, viewer, of)
	if err != nil {
		return out, err
	}
	tag := core.FoldTags([]string{f.Tag})
	vs = slices.DeleteFunc(vs, func(v linnet.StatusView) bool {
		return f.Leaves(len(v.Media) > 0, v.RepliesToOther(), false) || f.Tag != "" && !core.HasTag(&v, tag)
	})
	byID := slices.SortedFunc(slices.Values(vs), func(a, b linnet.StatusView) int { return cmp.Compare(b.ID, a.ID) })
	byID = linnet.CutPage(slices.DeleteFunc(byID, func(v linnet.StatusView) bool { return below != 0 && v.ID >= below || v.ID <= above }), p)
	if len(byID) == 0 {
		return out, nil
	}
	out.First, out.Last = linnet.CursorOf(byID[0].ID), linnet.CursorOf(byID[len(byID)-1].ID)
	if out.Items = byID; len(byID) == len(vs) {
		out.Items = vs
	}
	return out, nil
}
