package linnet

import (
	"cmp"
	"slices"
	"time"
)

// Limits of announcements.
const (
	MaxAnnouncements     = 50   // per instance, shown or not
	MaxAnnouncementChars = 5000 // per announcement
	MaxReactions         = 8    // different ones per announcement, as in Mastodon
)

// Announcement is a message of administrators to all users.
// https://docs.joinmastodon.org/entities/Announcement/
type Announcement struct {
	ID        ID
	Text      string    // plain text as typed
	Mentions  []Mention // mentioned users
	Starts    time.Time // when the announced event starts; zero if not given
	Ends      time.Time // end of the event, after which it is not shown; set if and only if Starts is
	AllDay    bool      // Starts and Ends are days in UTC, including the last one
	Published time.Time // time of publication, which can be in the future; zero for a draft
	Updated   time.Time
	Version   uint64
}

// Over returns the end of its display; zero for never.
func (a *Announcement) Over() time.Time {
	if a.AllDay && !a.Ends.IsZero() {
		return a.Ends.UTC().Truncate(24 * time.Hour).Add(24 * time.Hour)
	}
	return a.Ends
}

// ShownAt reports whether users see it at a time.
func (a *Announcement) ShownAt(now time.Time) bool {
	return !a.Published.IsZero() && !now.Before(a.Published) && (a.Ends.IsZero() || now.Before(a.Over()))
}

// AnnouncementSet has all announcements in the order in which users see them: by the start of the
// event, or else the time of publication, newest last. It is immutable. The nil set is empty.
type AnnouncementSet struct {
	Version uint64 // 0 if there never were any
	All     []Announcement
}

// NewAnnouncementSet returns a sorted set.
func NewAnnouncementSet(version uint64, all []Announcement) *AnnouncementSet {
	from := func(a *Announcement) time.Time {
		switch {
		case !a.Starts.IsZero():
			return a.Starts
		case !a.Published.IsZero():
			return a.Published
		}
		return a.ID.Time()
	}
	slices.SortFunc(all, func(a, b Announcement) int { return cmp.Or(from(&a).Compare(from(&b)), cmp.Compare(a.ID, b.ID)) })
	return &AnnouncementSet{Version: version, All: all}
}

// Find returns the announcement with an id, or nil if there is none. It must not be modified.
func (s *AnnouncementSet) Find(id ID) *Announcement {
	if s == nil {
		return nil
	}
	for i := range s.All {
		if s.All[i].ID == id {
			return &s.All[i]
		}
	}
	return nil
}

// Shown returns the announcements that users see at a time. They must not be modified.
func (s *AnnouncementSet) Shown(now time.Time) (out []*Announcement) {
	if s == nil {
		return nil
	}
	for i := range s.All {
		if s.All[i].ShownAt(now) {
			out = append(out, &s.All[i])
		}
	}
	return out
}

// AnnouncementChange changes an announcement. Nil fields stay.
type AnnouncementChange struct {
	Text      *string
	Starts    *time.Time
	Ends      *time.Time
	AllDay    *bool
	Published *time.Time // see Announcement
}

// AnnouncementView is an announcement as a user sees it.
type AnnouncementView struct {
	*Announcement
	HTML       string
	Pictured   *Pictured // with pictures; nil without custom emoji
	MentionsOf []UserView
	Tags       []string   // as typed
	Read       bool       // the user has dismissed it
	Reactions  []Reaction // reactions with a count
}

// Reaction has the number of users with the same reaction to an announcement.
// https://docs.joinmastodon.org/entities/Reaction/
type Reaction struct {
	Name  string // a Unicode emoji, or the shortcode of a custom one
	Count int64
	Me    bool   // includes the user
	Emoji *Emoji // the custom emoji; nil for Unicode emoji or if it is no longer shown
}

// ReactionSet has the reactions to an announcement. Counts has the counts by index. An index with
// count 0 is free for another name.
type ReactionSet struct {
	Names  []string // at most MaxReactions
	Counts []int64
	Mine   uint32 // of one user: a bit per index
}
