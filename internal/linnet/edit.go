package linnet

import "time"

// Limits of edits. All versions of a status are stored as long as the status.
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
