package wire

import (
	"linnet/internal/linnet"
)

// StatusEdit is the entity StatusEdit.
// https://docs.joinmastodon.org/entities/StatusEdit/
type StatusEdit struct {
	Content          string            `json:"content"`
	SpoilerText      string            `json:"spoiler_text"`
	Sensitive        bool              `json:"sensitive"`
	CreatedAt        string            `json:"created_at"`
	Account          Account           `json:"account"`
	Poll             *EditedPoll       `json:"poll,omitempty"`
	MediaAttachments []MediaAttachment `json:"media_attachments"`
	Emojis           []Emoji           `json:"emojis"`
}

// EditedPoll is the poll of a version, without votes.
// https://docs.joinmastodon.org/entities/StatusEdit/#poll
type EditedPoll struct {
	Options []PollTitle `json:"options"`
}

// PollTitle is an option of a poll without votes.
type PollTitle struct {
	Title string `json:"title"`
}

// StatusSource is the entity StatusSource.
// https://docs.joinmastodon.org/entities/StatusSource/
type StatusSource struct {
	ID          string `json:"id"`
	Text        string `json:"text"`
	SpoilerText string `json:"spoiler_text"`
}

// editedAt returns the time of the last edit, or nil.
func editedAt(st *linnet.Status) *string {
	if len(st.Edits) == 0 {
		return nil
	}
	at := Timestamp(st.EditedAt())
	return &at
}

// StatusEdit encodes a version of a status.
func (e *Encoder) StatusEdit(v *linnet.StatusVersion, by *linnet.UserView) StatusEdit {
	out := StatusEdit{Content: v.HTML, SpoilerText: v.Warning, Sensitive: v.Sensitive, CreatedAt: Timestamp(v.At),
		Account: e.Account(by), MediaAttachments: e.MediaAttachments(v.Media), Emojis: e.Emojis(v.Pictured.Of())}
	if v.Poll != nil {
		out.Poll = &EditedPoll{}
		for _, title := range v.Poll.Options {
			out.Poll.Options = append(out.Poll.Options, PollTitle{title})
		}
	}
	return out
}

// Translation is the entity Translation.
// https://docs.joinmastodon.org/entities/Translation/
type Translation struct {
	Content          string                 `json:"content"`
	SpoilerText      string                 `json:"spoiler_text"`
	Language         string                 `json:"language"`
	Poll             *TranslatedPoll        `json:"poll"`
	MediaAttachments []TranslatedAttachment `json:"media_attachments"`
	DetectedSource   *string                `json:"detected_source_language"`
	Provider         string                 `json:"provider"`
}

// TranslatedPoll is the entity Translation::Poll.
// https://docs.joinmastodon.org/entities/Translation/#poll
type TranslatedPoll struct {
	ID      string      `json:"id"`
	Options []PollTitle `json:"options"`
}

// TranslatedAttachment is the entity Translation::Attachment.
// https://docs.joinmastodon.org/entities/Translation/#attachment
type TranslatedAttachment struct {
	ID          string `json:"id"`
	Description string `json:"description"`
}
