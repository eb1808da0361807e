package linnet

import (
	"sync/atomic"
	"time"
)

// Visibility determines who can read a status.
type Visibility uint8

const (
	Public   Visibility = iota // everyone; in public timelines
	Unlisted                   // everyone; not in public timelines
	Private                    // followers and mentioned users
	Direct                     // mentioned users only
)

// Open reports whether everyone can see a status with this visibility. Only such statuses can be
// posted to open groups.
func (v Visibility) Open() bool { return v <= Unlisted }

// String returns Mastodon's word for v.
func (v Visibility) String() string {
	switch v {
	case Public:
		return "public"
	case Unlisted:
		return "unlisted"
	case Private:
		return "private"
	}
	return "direct"
}

// ParseVisibility reads Mastodon's word for a visibility.
func ParseVisibility(s string) (Visibility, bool) {
	for v := Public; v <= Direct; v++ {
		if v.String() == s {
			return v, true
		}
	}
	return 0, false
}

// Status is a post, or a boost of one if RepostOf is not 0.
type Status struct {
	ID            ID
	Author        ID
	Text          string // plain text as typed
	Warning       string // content warning, plain text
	Sensitive     bool
	Marked        bool   // moderators have marked it as sensitive, and edits keep that
	Language      string // ISO 639-1, or empty
	Visibility    Visibility
	InReplyTo     ID // 0 for no reply
	InReplyAuthor ID
	Orphaned      bool // its parent is deleted, see Parent
	Under         ID   // for an orphaned reply: the status under which threads show it; 0 for none
	Conversation  ID   // the root of the thread; its own ID if it is the root
	RepostOf      ID   // 0 for no boost
	RepostAuthor  ID
	QuoteOf       ID // quoted status; 0 for none
	QuoteAuthor   ID
	QuoteRevoked  bool         // the quoted author has revoked the quote
	QuotePolicy   QuotePolicy  // who can quote it, see Quoters
	Mentions      []Mention    // existing users; doesn't include the author of InReplyTo automatically
	Tags          []string     // as typed, without duplicates
	Media         []Attachment // pictures, at most MaxAttachments
	App           AppName      // app it was posted with; can be empty
	Pinned        bool         // pinned to its author's profile
	Group         ID           // the group of the post; 0 for none
	Withdrawn     bool         // removed by moderators of its group: only its author sees it
	Nonce         string       // of the request that wrote it; distinguishes a repetition from a collision
	Bar           int64        // score of its next level; 0 if not computed yet, see FirstBar
	Level         int          // level of its last promotion; for a promotion its own level
	Promoters     []ID         // for a promotion: recent voters of the original
	Poll          *Poll        // nil for none; must not be modified
	Card          *Card        // preview of its first link; nil if there is none
	Edits         []int64      // times of edits, oldest first, in Unix milliseconds; at most MaxEdits
	Former        []Attachment // pictures that only earlier versions have, at most MaxFormer
	FromFeed      bool         // item of an external feed; not in public timelines and causes no notifications
	Imported      bool         // from an import: on its author's profile, but not in public timelines and other home timelines
	Version       uint64
}

// Parent returns the parent of a reply and its author, or 0 if there is none or it is deleted.
// InReplyTo decides where a status is shown. It stays after the parent is deleted.
func (st *Status) Parent() (id, author ID) {
	if st.Orphaned {
		return 0, 0
	}
	return st.InReplyTo, st.InReplyAuthor
}

// ThreadParent returns the status under which threads show a reply: its parent, or the nearest
// status above its deleted parent. It returns 0 if there is none.
func (st *Status) ThreadParent() ID {
	if st.Orphaned {
		return st.Under
	}
	return st.InReplyTo
}

// ForMembers reports whether only members of its group can read a status. All current members can
// read a Private one. Only members who joined before it was posted can read a Direct one.
func (st *Status) ForMembers() bool { return st.Group != 0 && st.Visibility >= Private }

// Mention is a user mentioned in a status.
type Mention struct {
	ID    ID
	Login string
}

// AppName is the name of an app shown under a status.
type AppName struct{ Name, Website string }

// StatusView is a status for a viewer, with all related data, so that faces need no other calls. A
// view of a status always has a SharedStatus.
type StatusView struct {
	*SharedStatus
	Favourited bool            // by the viewer
	Reposted   bool            // by the viewer
	Bookmarked bool            // by the viewer
	Muted      bool            // the viewer has muted notifications of its thread
	MayQuote   bool            // the viewer can quote it
	Repost     *StatusView     // the original, if RepostOf != 0
	Extra      *StatusExtra    // nil for nearly all statuses
	PollView   *PollView       // nil for none
	Quote      *QuoteView      // nil for none
	Filtered   *[]FilterResult // matches of the viewer's filters; nil for none. A pointer, since nearly all statuses have none
}

// StatusExtra has the parts of a StatusView that nearly all statuses lack, so that a view stays
// small.
type StatusExtra struct {
	AlsoBy []*SharedUser     // boosters of later boosts that a timeline left out, except the viewer
	Tagged []*CollectionView // collections that the text links to and the viewer can see
}

// SharedStatus is the part of a status that all viewers share. It is built once per version of the
// status and its author. It must not be modified.
type SharedStatus struct {
	Status
	By         *SharedUser
	HTML       string
	Replies    int64
	Reposts    int64
	Favourites int64
	Quotes     int64 // public ones
	MentionsOf []UserView
	In         *UserView // id, login and name of its group; nil for none, or if some viewers can't know of it
	URL        string    // address of the page
	URI        string    // permanent name of the status
	Memo       *Memo     // caches everything here except By; can be nil
	Plain      *Memo     // caches the texts that filters match; can be nil
	Pictured   *Pictured // texts with pictures; nil without custom emoji
}

// SharedUser is a user as shown under statuses and in notifications. It is built once for each
// state of the user and the counts. It must not be modified.
type SharedUser struct {
	UserView
	Memo Memo
}

// Memo caches the encoded form of a shared value, such as its JSON, so that it is encoded once. It
// lives as long as the value and must not depend on the viewer. It is safe for concurrent use.
type Memo struct{ value atomic.Pointer[any] }

// Get returns the cached value, or nil.
func (m *Memo) Get() any {
	if m == nil {
		return nil
	}
	if p := m.value.Load(); p != nil {
		return *p
	}
	return nil
}

// Set caches v and drops the previous value.
func (m *Memo) Set(v any) {
	if m != nil {
		m.value.Store(&v)
	}
}

// Draft is a status to be posted.
type Draft struct {
	Text           string
	Warning        string
	Sensitive      *bool       // nil for the author's default
	Visibility     *Visibility // nil for the author's default
	Language       string      // "" for the author's default
	InReplyTo      ID
	QuoteOf        ID           // quoted status; 0 for none
	QuotePolicy    *QuotePolicy // nil for the author's default
	Media          []ID         // uploads to attach, in order
	Poll           *PollDraft   // nil for none
	App            AppName
	AppID          ID     // the app that schedules it; 0 for a browser
	IdempotencyKey string // "" to generate one

	From     DraftID                 // the draft that this replaces; its pictures can be among Media
	Describe map[ID]AttachmentChange // new descriptions of attachments of that draft
}

// Thread is a status with its ancestors (oldest first) and descendants (each after its parent).
type Thread struct {
	Ancestors   []StatusView
	Descendants []StatusView

	After Cursor      // position to continue the direct replies (ThreadQuery.After); "" at the end
	Cut   map[ID]bool // descendants with more replies than are included; nil for none
}

// ThreadQuery narrows a conversation.
type ThreadQuery struct {
	After Cursor // only direct replies later than this one, with their own replies
	Most  int    // descendants; 0 for the maximum of the viewer (MaxThreadStatuses, MaxThreadReader)
}

// ProfileFilter narrows a profile timeline.
type ProfileFilter struct {
	ExcludeReplies bool // replies to others; replies to oneself stay
	ExcludeReposts bool
	ExcludeDirect  bool
	OnlyMedia      bool
	Tag            string
}

// Leaves reports whether a profile excludes a status with attachments, a reply to another user
// (RepliesToOther) or a boost. It ignores Tag.
func (f ProfileFilter) Leaves(media, reply, repost bool) bool {
	return f.OnlyMedia && !media || f.ExcludeReplies && reply || f.ExcludeReposts && repost
}

// RepliesToOther reports whether a status is a reply to another user.
func (st *Status) RepliesToOther() bool { return st.InReplyTo != 0 && st.InReplyAuthor != st.Author }

// Pinnable reports whether a status can be pinned to its author's profile.
func (st *Status) Pinnable() bool { return st.RepostOf == 0 && st.Visibility != Direct }

// TagQuery selects a tag timeline: statuses with Tag or one of Any, all of All and none of None.
type TagQuery struct {
	Tag            string
	Any, All, None []string
	OnlyMedia      bool
}

// PublicQuery narrows the global timeline. Remote timelines are empty, because there is no
// federation.
type PublicQuery struct {
	Remote    bool
	OnlyMedia bool
}

// Limits of edits. All versions of a status are stored as long as the status itself.
const (
	MaxEdits  = 50 // of a status
	MaxFormer = 12 // pictures of earlier versions that the status no longer has
)

// Edit is the new content of a status. Its visibility and parent stay.
type Edit struct {
	Text        string
	Warning     string
	Sensitive   bool
	Language    *string                 // nil if unchanged
	Media       []ID                    // attachments in this order: current and earlier ones, and new uploads
	Describe    map[ID]AttachmentChange // of pictures among Media
	Poll        *PollDraft              // nil removes the poll
	QuoteOf     ID                      // quoted status according to the client, which no edit can change; 0 if not given
	QuotePolicy *QuotePolicy            // nil if unchanged
}

// LastEdit returns the time of the last edit in Unix milliseconds; 0 for never.
func (st *Status) LastEdit() int64 {
	if len(st.Edits) == 0 {
		return 0
	}
	return st.Edits[len(st.Edits)-1]
}

// EditedAt returns the time of the last edit; zero for never.
func (st *Status) EditedAt() time.Time {
	if len(st.Edits) == 0 {
		return time.Time{}
	}
	return time.UnixMilli(st.LastEdit())
}

// VersionAt returns when a version of a status was written; 0 is the first version.
func (st *Status) VersionAt(version int) time.Time {
	if version == 0 {
		return st.ID.Time()
	}
	return time.UnixMilli(st.Edits[version-1])
}

// StatusVersion is the content of a status from a time on.
type StatusVersion struct {
	Status // text, warning, sensitivity, language, pictures, poll and mentions
	At     time.Time
	HTML   string

	Pictured *Pictured // texts with pictures; nil without custom emoji
}

// Conversation is one participant's view of the direct statuses between the same users: their
// authors and mentions. Each participant has their own, with its own id. Statuses between the same
// users are in the same conversation, whether they are replies or not. A status with other
// participants is in another one.
type Conversation struct {
	ID     ID // valid for its owner only
	Unread bool
	Last   ID // its newest status
}

// ConversationView is a conversation as its owner sees it.
// https://docs.joinmastodon.org/entities/Conversation/
type ConversationView struct {
	Conversation
	People []*SharedUser // the others, or the owner if there are none
	Status *StatusView   // the newest one that the owner can see

	// Deserted reports that there were others, but all of them are deleted.
	Deserted bool
}
