package social

import (
	"context"
	"errors"

	"linnet/internal/core"
	"linnet/internal/linnet"
	"linnet/internal/record"
	"linnet/internal/store/relations"
	"linnet/internal/view"
)

// Mute hides other's posts and boosts of them from me's timelines, and optionally other's
// notifications. Posts and profiles that me opens are still shown. The muted user isn't notified. A
// repeated mute replaces the options.
// https://docs.joinmastodon.org/methods/accounts/#mute
func (s *Service) Mute(ctx context.Context, me, other linnet.ID, o linnet.MuteOptions) (linnet.Relationship, error) {
	if me == other {
		return linnet.Relationship{}, linnet.Errorf(linnet.Forbidden, "You can't mute yourself.")
	}
	if err := s.MustExist(ctx, me, other); err != nil {
		return linnet.Relationship{}, err
	}
	until := o.Until
	if o.For > 0 {
		until = s.st.Now().Add(o.For)
	}
	err := s.st.Relations.Mute(ctx, me, other, until, o.Notices, linnet.MaxMutes)
	if errors.Is(err, relations.ErrLimit) {
		return linnet.Relationship{}, linnet.Errorf(linnet.Invalid, "You can mute at most %d people. Unmute someone first.", linnet.MaxMutes)
	}
	return s.muted(ctx, me, other, err)
}

// Unmute ends a mute.
// https://docs.joinmastodon.org/methods/accounts/#unmute
func (s *Service) Unmute(ctx context.Context, me, other linnet.ID) (linnet.Relationship, error) {
	if err := s.MustExist(ctx, me, other); err != nil {
		return linnet.Relationship{}, err
	}
	return s.muted(ctx, me, other, s.st.Relations.Unmute(ctx, me, other))
}

func (s *Service) muted(ctx context.Context, me, other linnet.ID, err error) (linnet.Relationship, error) {
	if err != nil {
		return linnet.Relationship{}, core.StoreError(err)
	}
	s.core.Emit(ctx, me, core.Event{Type: core.EventReader, To: me})
	return s.Relationship(ctx, me, other)
}

// Mutes returns the users that me mutes, newest mute first.
// https://docs.joinmastodon.org/methods/mutes/#get
func (s *Service) Mutes(ctx context.Context, me linnet.ID, p linnet.Page) (linnet.Slice[linnet.MutedUser], error) {
	return view.EntryPage(ctx, s.view, record.MutesKey(me), view.UsersPage(p), func(u *linnet.MutedUser) linnet.ID { return u.ID }, func(ids []linnet.ID) ([]linnet.MutedUser, error) {
		refs, reader, err := s.view.WithRelationships(ctx, me, ids)
		if err != nil {
			return nil, err
		}
		out := make([]linnet.MutedUser, 0, len(ids))
		for i, ref := range refs {
			m := reader.Relationship(ids[i])
			if ref.User != nil && m.Mutes() {
				out = append(out, linnet.MutedUser{UserView: s.view.UserView(ref), Until: m.MuteEnds()})
			}
		}
		return out, nil
	})
}
