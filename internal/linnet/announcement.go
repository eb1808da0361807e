package linnet

import (
	"cmp"
	"slices"
	"time"
)

// Limits of announcements.
const (
	MaxAnnouncements     = 50   // of an installation, shown or not
	MaxAnnouncementChars = 5000 // of one
	MaxReactions         = 8    // different ones to an announcement, as in Mastodon
)

// Announcement is a message of administrators to all users.
// https://docs.joinmastodon.org/entities/Announcement/
type Announcement struct {
	ID        ID
	Text      string    // plain text as typed
	Mentions  []Mention // mentioned users
	Starts    time.Time // when the announced event starts; zero if not given
	Ends      time.Time // when that ends: it is not shown any more then. Set if and only if Starts is
	AllDay    bool      // Starts and Ends are days, in UTC, and the last is among them
	Published time.Time // since when, or from when on, it is shown; zero: it is a draft
	Updated   time.Time
	Version   uint64
}

// Over is when it is not shown any more; zero: never.
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
	Version uint64 // 0: there were never any
	All     []Announcement
}

// NewAnnouncementSet makes the set, and puts it in order.
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

// Find is the announcement with an id; nil if there is none. It must not be modified.
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

// AnnouncementChange changes an announcement; nil leaves a part as it is.
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
	Pictured   *Pictured // with pictures; nil: it has no custom emoji
	MentionsOf []UserView
	Tags       []string   // as typed
	Read       bool       // the user has dismissed it
	Reactions  []Reaction // reactions with a count
}

// Reaction is how people reacted to an announcement.
// https://docs.joinmastodon.org/entities/Reaction/
type Reaction struct {
	Name  string // an emoji of Unicode, or the shortcode of a custom one
	Count int64
	Me    bool   // the user among them
	Emoji *Emoji // the custom one; nil: it is of Unicode, or is not shown any more
}

// ReactionSet has the reactions to an announcement. Counts has the counts by index. An index with
// count 0 is free for another name.
type ReactionSet struct {
	Names  []string // at most MaxReactions
	Counts []int64
	Mine   uint32 // of one user: a bit for each place
}
