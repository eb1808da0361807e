package linnet

import "time"

// Limits of edits. All versions of a status are stored as long as the status.
const (
	MaxEdits  = 50 // of a status
	MaxFormer = 12 // pictures that an edited status had and has no more
)

// Edit is the new content of a status. Its visibility and parent stay.
type Edit struct {
	Text        string
	Warning     string
	Sensitive   bool
	Language    *string                 // nil: as it was
	Media       []ID                    // attachments in this order: current and earlier ones, and new uploads
	Describe    map[ID]AttachmentChange // of pictures among Media
	Poll        *PollDraft              // nil removes the poll
	QuoteOf     ID                      // quoted status according to the client, which no edit can change; 0 if not given
	QuotePolicy *QuotePolicy            // nil leaves it
}

// LastEdit is when a status was edited last, in Unix milliseconds; 0: never.
func (st *Status) LastEdit() int64 {
	if len(st.Edits) == 0 {
		return 0
	}
	return st.Edits[len(st.Edits)-1]
}

// EditedAt is when a status was edited last; the zero time if it never was.
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

// StatusVersion is what a status said from a time on.
type StatusVersion struct {
	Status // text, warning, sensitivity, language, pictures, poll and mentions
	At     time.Time
	HTML   string

	Pictured *Pictured // its texts with pictures; nil: it has no custom emoji
}
