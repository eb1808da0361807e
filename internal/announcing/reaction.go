package announcing

import (
	"context"
	"errors"

	"linnet/internal/core"
	"linnet/internal/linnet"
	"linnet/internal/store/db"
	"linnet/internal/store/staff"
	"linnet/internal/text"
)

// Shown returns the announcements that users see now, newest last. With all, dismissed
// ones are included. If there are none, it doesn't read the store.
// https://docs.joinmastodon.org/methods/announcements/#get
func (s *Service) Shown(ctx context.Context, me linnet.ID, all bool) ([]linnet.AnnouncementView, error) {
	shown := s.core.Announcements().Shown(s.st.Now())
	if len(shown) == 0 {
		return nil, nil
	}
	views, err := s.load(ctx, me, shown)
	if err != nil || all {
		return views, err
	}
	unread := views[:0]
	for _, v := range views {
		if !v.Read {
			unread = append(unread, v)
		}
	}
	return unread, nil
}

// load loads announcements for display to a user. me is 0 without a login.
func (s *Service) load(ctx context.Context, me linnet.ID, all []*linnet.Announcement) ([]linnet.AnnouncementView, error) {
	ids := make([]linnet.ID, len(all))
	for i, a := range all {
		ids[i] = a.ID
	}
	told, err := s.st.Staff.AnnouncementState(ctx, me, ids)
	if err != nil {
		return nil, core.StoreError(err)
	}
	views := make([]linnet.AnnouncementView, len(all))
	for i, a := range all {
		views[i] = s.view.Announcement(a)
		views[i].Read = told.Read[i]
		set := &told.Reactions[i]
		for place, name := range set.Names {
			if n := set.Counts[place]; n > 0 && s.reactable(name) {
				views[i].Reactions = append(views[i].Reactions, linnet.Reaction{Name: name, Count: n, Me: set.Mine&(1<<place) != 0, Emoji: s.core.Emojis().Shown(name)})
			}
		}
	}
	return views, nil
}

// ForAll returns an announcement without data of a user, for an event that names the version of the
// announcements. It returns NotFound if users don't see it.
func (s *Service) ForAll(ctx context.Context, id linnet.ID, version uint64) (v linnet.AnnouncementView, err error) {
	if err := s.core.RefreshAnnouncements(ctx, version); err != nil {
		return v, err
	}
	a := s.core.Announcements().Find(id)
	if a == nil || !a.ShownAt(s.st.Now()) {
		return v, errNoAnnouncement
	}
	views, err := s.load(ctx, 0, []*linnet.Announcement{a})
	if err != nil {
		return v, err
	}
	return views[0], nil
}

// shownAnnouncement returns an error if users don't see an announcement. It reads the store if this
// server doesn't know it.
func (s *Service) shownAnnouncement(ctx context.Context, id linnet.ID) error {
	a := s.core.Announcements().Find(id)
	if a == nil {
		var err error
		if a, err = s.announcement(ctx, id); err != nil {
			return err
		}
	}
	if !a.ShownAt(s.st.Now()) {
		return errNoAnnouncement
	}
	return nil
}

// Dismiss marks an announcement as read by me. It returns NotFound if users don't see it.
// https://docs.joinmastodon.org/methods/announcements/#dismiss
func (s *Service) Dismiss(ctx context.Context, me, id linnet.ID) error {
	if err := s.shownAnnouncement(ctx, id); err != nil {
		return err
	}
	return reactionError(s.st.Staff.Dismiss(ctx, me, id))
}

// reactable reports whether a name is an emoji. Deleted, renamed and disabled custom emoji are not,
// and earlier reactions with them aren't shown.
func (s *Service) reactable(name string) bool {
	return s.core.Emojis().Shown(name) != nil || text.ValidEmoji(name)
}

// React lets me react to an announcement with an emoji of Unicode or the shortcode of a
// custom one. NotFound if users do not see it; there are at most linnet.MaxReactions
// different reactions.
// https://docs.joinmastodon.org/methods/announcements/#put-reactions
func (s *Service) React(ctx context.Context, me, id linnet.ID, name string) error {
	if err := s.shownAnnouncement(ctx, id); err != nil {
		return err
	}
	if !s.reactable(name) {
		return linnet.FieldError("name", "ERR_INVALID", "is not a recognized emoji")
	}
	return s.react(ctx, me, id, name, true)
}

// Unreact takes a reaction of me's back, if there is one. NotFound if users do not see the
// announcement.
// https://docs.joinmastodon.org/methods/announcements/#delete-reactions
func (s *Service) Unreact(ctx context.Context, me, id linnet.ID, name string) error {
	if err := s.shownAnnouncement(ctx, id); err != nil {
		return err
	}
	return s.react(ctx, me, id, name, false)
}

func (s *Service) react(ctx context.Context, me, id linnet.ID, name string, on bool) error {
	changed, n, err := s.st.Staff.React(ctx, me, id, name, on)
	if err != nil {
		return reactionError(err)
	}
	if changed {
		s.core.Emit(ctx, id, core.Event{Type: linnet.EventReaction, Announcement: id, Name: name, Count: n})
	}
	return nil
}

func reactionError(err error) error {
	switch {
	case errors.Is(err, db.ErrDeleted):
		return errNoAnnouncement
	case errors.Is(err, staff.ErrReactions):
		return linnet.Errorf(linnet.Invalid, "Validation failed: Limit of different reactions reached (%d): choose an existing one", linnet.MaxReactions)
	}
	return core.StoreError(err)
}
