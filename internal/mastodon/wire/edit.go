package wire

import (
	"linnet/internal/linnet"
)

// statusEdit is the entity StatusEdit.
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

// askedBefore is what a version of a status asks, without votes.
type EditedPoll struct {
	Options []PollTitle `json:"options"`
}

type PollTitle struct {
	Title string `json:"title"`
}

// statusSource is the entity StatusSource.
// https://docs.joinmastodon.org/entities/StatusSource/
type StatusSource struct {
	ID          string `json:"id"`
	Text        string `json:"text"`
	SpoilerText string `json:"spoiler_text"`
}

// editedAt is when a status was edited last, null for never.
func editedAt(st *linnet.Status) *string {
	if len(st.Edits) == 0 {
		return nil
	}
	at := Timestamp(st.EditedAt())
	return &at
}

// statusEdit is a version of a status by an author.
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

// translation is the entity Translation.
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

type TranslatedPoll struct {
	ID      string      `json:"id"`
	Options []PollTitle `json:"options"`
}

type TranslatedAttachment struct {
	ID          string `json:"id"`
	Description string `json:"description"`
}
