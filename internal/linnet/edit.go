package linnet

import "time"

// Limits of edits. Every version of a status is kept for as long as the status.
const (
	MaxEdits  = 50 // of a status
	MaxFormer = 12 // pictures that an edited status had and has no more
)

// Edit is all that a status says anew. Who may read it and what it answers stay.
type Edit struct {
	Text        string
	Warning     string
	Sensitive   bool
	Language    *string                 // nil: as it was
	Media       []ID                    // its pictures, in this order: those that it has or had, and what was uploaded
	Describe    map[ID]AttachmentChange // of pictures among Media
	Poll        *PollDraft              // nil: it asks nothing any more
	QuoteOf     ID                      // what it is said to quote, which no edit can change; 0: it is not said
	QuotePolicy *QuotePolicy            // who may quote it; nil: as it was
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

// VersionAt is since when a version of a status was what it said; 0 is the first.
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
