package linnet

import "sync/atomic"

// Visibility says who may read a status.
type Visibility uint8

const (
	Public   Visibility = iota // everybody; in public timelines
	Unlisted                   // everybody; not in public timelines
	Private                    // followers and mentioned people
	Direct                     // mentioned people only
)

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

// Status is a message, or (RepostOf != 0) the repost of one.
type Status struct {
	ID            ID
	Author        ID
	Text          string // plain text as typed
	Warning       string // content warning, plain text
	Sensitive     bool
	Language      string // ISO 639-1, or empty
	Visibility    Visibility
	InReplyTo     ID // 0: not a reply
	InReplyAuthor ID
	Orphaned      bool // what it replies to is deleted, see Parent
	Under         ID   // of an orphaned reply: the status under which threads show it; 0: none
	Conversation  ID   // the root of the thread; its own ID if it is the root
	RepostOf      ID   // 0: not a repost
	RepostAuthor  ID
	QuoteOf       ID // what it quotes; 0: nothing
	QuoteAuthor   ID
	QuoteRevoked  bool         // the author of what it quotes has taken the quote back
	QuotePolicy   QuotePolicy  // who may quote it, see Quoters
	Mentions      []Mention    // people who exist, the author of InReplyTo not implied
	Tags          []string     // as typed, each once
	Media         []Attachment // pictures, at most MaxAttachments
	App           AppName      // what it was posted with; may be empty
	Pinned        bool         // stands on top of its author's profile
	Group         ID           // the group that it is posted in, 0: none
	Withdrawn     bool         // its group's moderators have taken it out: nobody but its author sees it
	Nonce         string       // of the attempt that wrote it; tells a repeat from a collision
	Bar           int64        // the score of its next level; 0: not looked at yet, see FirstBar
	Level         int          // up to which level it was promoted; of a promotion: which one it is for
	Promoters     []ID         // of a promotion: who voted for the original lately
	Poll          *Poll        // what it asks; nil: nothing. It must not be modified
	Card          *Card        // what is behind its first link; nil: nothing is known
	Edits         []int64      // when it was edited, oldest first, in Unix milliseconds; at most MaxEdits
	Former        []Attachment // pictures that only earlier versions have, at most MaxFormer
	Imported      bool         // from an archive: it stands on its author's profile, and in no public timeline and nobody else's home
	Version       uint64
}

// Parent is the status to which it replies, and that one's author; 0 if it is not a
// reply or the parent is deleted. Where a status may appear is decided by InReplyTo,
// which stays: a reply whose parent is deleted is a reply still.
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

// ForMembers reports whether only members of its group may read a status. What is
// Private is for all who are members when they read, what is Direct for those who
// have been members since it was posted.
func (st *Status) ForMembers() bool { return st.Group != 0 && st.Visibility >= Private }

// Mention is a person named in a status.
type Mention struct {
	ID    ID
	Login string
}

// AppName is how an app is shown under a status.
type AppName struct{ Name, Website string }

// StatusView is a status as one viewer sees it, with everything that belongs to
// it, so that a face need not ask again. A view of something has a SharedStatus.
type StatusView struct {
	*SharedStatus
	Favourited bool            // by the viewer
	Reposted   bool            // by the viewer
	Bookmarked bool            // by the viewer
	Muted      bool            // the viewer wants no notifications of its thread
	MayQuote   bool            // the viewer may quote it
	Repost     *StatusView     // the original, if RepostOf != 0
	AlsoBy     int             // how many others have reposted it a little later, in a timeline that shows it once
	PollView   *PollView       // what it asks; nil: nothing
	Quote      *QuoteView      // what it quotes; nil: nothing
	Filtered   *[]FilterResult // what the viewer's filters found; nil: nothing. A pointer, since nearly all have none
}

// SharedStatus is what is the same of a status for all who may see it. It is made
// once for each state of the status and its author, and must not be modified.
type SharedStatus struct {
	Status
	By         *SharedUser
	HTML       string
	Replies    int64
	Reposts    int64
	Favourites int64
	Quotes     int64 // that everybody may see
	MentionsOf []UserView
	In         *UserView // the group that it was posted in, id and login; nil: none that all who see it may know of
	URL        string    // of the page
	URI        string    // lasting name of the status
	Memo       *Memo     // of everything here but By; may be nil
	Plain      *Memo     // of the texts that filters look at; may be nil
	Pictured   *Pictured // its texts with pictures; nil: it has no custom emoji
}

// SharedUser is a user as shown under statuses and in notifications. It is made once
// for each state of the user, the counts included, and must not be modified.
type SharedUser struct {
	UserView
	Memo Memo
}

// Memo is where a face keeps what it has made of something shared (its JSON, say),
// so that it makes it once. It lives as long as the state that is shown, and holds
// nothing that depends on the viewer. It is safe for concurrent use.
type Memo struct{ kept atomic.Pointer[any] }

// Get returns what was kept, or nil.
func (m *Memo) Get() any {
	if m == nil {
		return nil
	}
	if p := m.kept.Load(); p != nil {
		return *p
	}
	return nil
}

// Keep keeps v; what was kept before is dropped.
func (m *Memo) Keep(v any) {
	if m != nil {
		m.kept.Store(&v)
	}
}

// Draft is a status about to be posted.
type Draft struct {
	Text           string
	Warning        string
	Sensitive      *bool       // nil: the author's default
	Visibility     *Visibility // nil: the author's default
	Language       string      // "": the author's default
	InReplyTo      ID
	QuoteOf        ID           // what is quoted; 0: nothing
	QuotePolicy    *QuotePolicy // nil: the author's default
	Media          []ID         // what was uploaded and is to be attached, in this order
	Poll           *PollDraft   // nil: none
	App            AppName
	AppID          ID     // of the app that schedules it; 0: a browser
	IdempotencyKey string // "": made by us

	From     DraftID                 // the draft that this was: it goes in the same moment, and its pictures can be among Media
	Describe map[ID]AttachmentChange // what is said of pictures of that draft from now on
}

// Thread is a status among its ancestors (oldest first) and descendants (each
// after its parent).
type Thread struct {
	Ancestors   []StatusView
	Descendants []StatusView

	After Cursor      // where the direct replies continue (ThreadQuery.After); "": there are no more
	Cut   map[ID]bool // descendants that have more replies than are shown here; nil: none
}

// ThreadQuery narrows a conversation.
type ThreadQuery struct {
	After Cursor // only direct replies later than this one, with their own replies
	Most  int    // descendants; 0: as many as the viewer may have at once (MaxThreadStatuses, MaxThreadReader)
}

// ProfileFilter narrows a profile timeline.
type ProfileFilter struct {
	ExcludeReplies bool // replies to others; replies to oneself stay
	ExcludeReposts bool
	ExcludeDirect  bool
	OnlyMedia      bool
	Tag            string
}

// Leaves says whether a profile is shown without a status: which has pictures, is a reply to
// somebody else (RepliesToOther), or a repost. It does not look at Tag.
func (f ProfileFilter) Leaves(media, reply, repost bool) bool {
	return f.OnlyMedia && !media || f.ExcludeReplies && reply || f.ExcludeReposts && repost
}

// RepliesToOther reports whether a status answers somebody else than its author.
func (st *Status) RepliesToOther() bool { return st.InReplyTo != 0 && st.InReplyAuthor != st.Author }

// Pinnable reports whether a status may stand on top of its author's profile.
func (st *Status) Pinnable() bool { return st.RepostOf == 0 && st.Visibility != Direct }

// TagQuery asks for a tag timeline: statuses with Tag or one of Any, all of All
// and none of None.
type TagQuery struct {
	Tag            string
	Any, All, None []string
	OnlyMedia      bool
}

// PublicQuery narrows the global timeline. Remote ones are empty: this
// installation does not federate.
type PublicQuery struct {
	Remote    bool
	OnlyMedia bool
}
