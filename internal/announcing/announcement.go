package announcing

import (
	"context"
	"errors"
	"time"

	"linnet/internal/core"
	"linnet/internal/linnet"
	"linnet/internal/store/db"
	"linnet/internal/store/staff"
	"linnet/internal/text"
	"linnet/internal/wording"
)

// Administrators write announcements, and each change is in the audit log. Like custom emoji, every
// server has them in memory.

var errNoAnnouncement = linnet.Errorf(linnet.NotFound, "Record not found")

// All are all announcements, drafts too, as they are stored now. It is for
// administrators.
func (s *Service) All(ctx context.Context, by linnet.Actor) ([]linnet.Announcement, error) {
	if err := s.core.Authorize(ctx, by, linnet.ManageAnnouncements); err != nil {
		return nil, err
	}
	set, err := s.st.Staff.Announcements(ctx)
	if err != nil {
		return nil, core.StoreError(err)
	}
	return set.All, nil
}

// Write changes an announcement, or creates one if id is 0, and notifies streams if its visibility
// to users changes. It returns NotFound if there is none with the id.
func (s *Service) Write(ctx context.Context, by linnet.Actor, id linnet.ID, c linnet.AnnouncementChange) (*linnet.Announcement, error) {
	if err := s.core.Authorize(ctx, by, linnet.ManageAnnouncements); err != nil {
		return nil, err
	}
	before := &linnet.Announcement{}
	if id != 0 { // a missing announcement isn't logged
		var err error
		if before, err = s.announcement(ctx, id); err != nil {
			return nil, err
		}
	}
	c, mentions, err := s.readAnnouncement(ctx, id == 0, c)
	if err != nil {
		return nil, err
	}
	after := *before
	if err := s.applyAnnouncement(&after, c, mentions); err != nil { // nor is a refused change
		return nil, err
	}
	if err := s.core.LogAct(ctx, by, announcementAct(id, c), 0, announcementDetail(before, &after), ""); err != nil {
		return nil, err
	}
	shown := false // before, also if the outcome of a first attempt is unknown
	a, err := s.st.Staff.WriteAnnouncement(ctx, id, func(a *linnet.Announcement, others int) error {
		shown = shown || a.ShownAt(s.st.Now())
		if others >= linnet.MaxAnnouncements {
			return linnet.Errorf(linnet.Invalid, "There can be at most %d announcements. Delete one first.", others)
		}
		return s.applyAnnouncement(a, c, mentions)
	})
	if errors.Is(err, db.ErrDeleted) {
		return nil, errNoAnnouncement
	}
	if err == nil {
		s.tasks.Left(ctx, a.ID.Shard())
		err = s.core.ReadAnnouncements(ctx)
	}
	if err != nil {
		return a, core.StoreError(err)
	}
	switch {
	case a.ShownAt(s.st.Now()):
		s.publish(ctx, linnet.EventAnnouncement, a.ID)
	case shown:
		s.publish(ctx, linnet.EventAnnouncementDeleted, a.ID)
	}
	return a, nil
}

// announcementAct returns the action of a change for the audit log.
func announcementAct(id linnet.ID, c linnet.AnnouncementChange) linnet.Moderation {
	switch {
	case id == 0:
		return core.ActAnnounce
	case c.Text == nil && c.Published != nil && c.Published.IsZero():
		return core.ActUnpublish
	case c.Text == nil && c.Published != nil:
		return core.ActPublish
	}
	return core.ActEditAnnouncement
}

// announcementDetail describes a change of an announcement for the audit log. It names a new one by
// its beginning and others by their id.
func announcementDetail(before, after *linnet.Announcement) string {
	if after.ID == 0 {
		begins := []rune(text.Line(after.Text))
		return string(begins[:min(len(begins), 80)])
	}
	says := core.Changes(announcementParts(before), announcementParts(after))
	if says == "" {
		return after.ID.String()
	}
	return wording.Store("%s %s", after.ID.String(), says)
}

// announcementParts returns the parts of an announcement for the audit log.
func announcementParts(a *linnet.Announcement) []core.Part {
	return []core.Part{core.PartOf(wording.Messagef("Text"), a.Text), core.PartOf(wording.Messagef("Event starts"), a.Starts), core.PartOf(wording.Messagef("Event ends"), a.Ends),
		core.PartOf(wording.Messagef("All day"), a.AllDay), core.PartOf(wording.Messagef("Published"), a.Published)}
}

// readAnnouncement normalizes and checks a change and looks up its mentions.
func (s *Service) readAnnouncement(ctx context.Context, fresh bool, c linnet.AnnouncementChange) (linnet.AnnouncementChange, []linnet.Mention, error) {
	if c.Text == nil && fresh {
		c.Text = new(string)
	}
	if c.Text == nil {
		return c, nil, nil
	}
	typed := core.Lines(*c.Text)
	c.Text = &typed
	if typed == "" {
		return c, nil, linnet.FieldError("text", "ERR_BLANK", "can't be blank")
	}
	if err := core.CheckText("text", &typed, linnet.MaxAnnouncementChars); err != nil {
		return c, nil, err
	}
	names := text.Parse(typed).Mentions()
	if len(names) > linnet.MaxMentions {
		return c, nil, linnet.FieldError("text", "ERR_TOO_LONG", "mentions %d people (maximum is %d)", len(names), linnet.MaxMentions)
	}
	mentions, _, err := s.view.FindMentions(ctx, 0, names)
	return c, mentions, err
}

// applyAnnouncement changes an announcement. It returns an error for times that contradict each
// other.
func (s *Service) applyAnnouncement(a *linnet.Announcement, c linnet.AnnouncementChange, mentions []linnet.Mention) error {
	if c.Text != nil {
		a.Text, a.Mentions = *c.Text, mentions
	}
	for _, at := range []struct{ to, from *time.Time }{{&a.Starts, c.Starts}, {&a.Ends, c.Ends}, {&a.Published, c.Published}} {
		if at.from != nil {
			*at.to = at.from.UTC().Truncate(time.Second)
		}
	}
	core.Set(&a.AllDay, c.AllDay)
	a.AllDay = a.AllDay && !a.Ends.IsZero()
	a.Updated = s.st.Now().UTC().Truncate(time.Millisecond)
	switch {
	case a.Starts.IsZero() && !a.Ends.IsZero():
		return linnet.FieldError("starts_at", "ERR_BLANK", "can't be blank if an end is set")
	case a.Ends.IsZero() && !a.Starts.IsZero():
		return linnet.FieldError("ends_at", "ERR_BLANK", "can't be blank if a start is set")
	case a.Ends.Before(a.Starts):
		return linnet.FieldError("ends_at", "ERR_INVALID", "is %s, which is before the start", a.Ends.Format("2006-01-02 15:04"))
	}
	return nil
}

// Delete deletes an announcement with its reactions. NotFound if there is none.
func (s *Service) Delete(ctx context.Context, by linnet.Actor, id linnet.ID) error {
	if err := s.core.Authorize(ctx, by, linnet.ManageAnnouncements); err != nil {
		return err
	}
	gone, err := core.RetryDurable(ctx, func(ctx context.Context) (*linnet.Announcement, error) { return s.announcement(ctx, id) })
	if err != nil {
		return err
	}
	if err := s.core.LogAct(ctx, by, core.ActDeleteAnnouncement, 0, announcementDetail(gone, &linnet.Announcement{ID: id}), ""); err != nil {
		return err
	}
	a, err := s.st.Staff.RemoveAnnouncement(ctx, id)
	if err == nil {
		err = s.core.ReadAnnouncements(ctx)
	}
	switch {
	case err != nil:
		return core.StoreError(err)
	case a == nil:
		return errNoAnnouncement
	case a.ShownAt(s.st.Now()):
		s.publish(ctx, linnet.EventAnnouncementDeleted, id)
	}
	return nil
}

// announcement is one of them, as it is stored now.
func (s *Service) announcement(ctx context.Context, id linnet.ID) (*linnet.Announcement, error) {
	set, err := s.st.Staff.Announcements(ctx)
	if err != nil {
		return nil, core.StoreError(err)
	}
	if a := set.Find(id); a != nil {
		return a, nil
	}
	return nil, errNoAnnouncement
}

// publish notifies streams of an announcement or its deletion.
func (s *Service) publish(ctx context.Context, what linnet.EventType, id linnet.ID) {
	s.core.Emit(ctx, id, core.Event{Type: what, Announcement: id, Set: s.core.Announcements().Version})
}

// announce notifies streams of an announcement whose time has come.
func (s *Service) announce(ctx context.Context, t staff.Announced) (*staff.Announced, error) {
	a, err := s.announcement(ctx, t.ID)
	if linnet.KindOf(err) == linnet.NotFound || err == nil && a.Version != t.Version {
		return nil, nil
	}
	if err == nil {
		err = s.core.ReadAnnouncements(ctx)
	}
	if err != nil {
		return nil, err
	}
	what := linnet.EventAnnouncement
	if t.Over {
		what = linnet.EventAnnouncementDeleted
	}
	s.publish(ctx, what, t.ID)
	return nil, nil
}
