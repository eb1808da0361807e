package mastodon

import (
	"linnet/internal/linnet"
)

// statusEdit is the entity StatusEdit.
// https://docs.joinmastodon.org/entities/StatusEdit/
type statusEdit struct {
	Content          string       `json:"content"`
	SpoilerText      string       `json:"spoiler_text"`
	Sensitive        bool         `json:"sensitive"`
	CreatedAt        string       `json:"created_at"`
	Account          account      `json:"account"`
	Poll             *askedBefore `json:"poll,omitempty"`
	MediaAttachments []attachment `json:"media_attachments"`
	Emojis           []emoji      `json:"emojis"`
}

// askedBefore is what a version of a status asks, without votes.
type askedBefore struct {
	Options []askedOption `json:"options"`
}

type askedOption struct {
	Title string `json:"title"`
}

// statusSource is the entity StatusSource.
// https://docs.joinmastodon.org/entities/StatusSource/
type statusSource struct {
	ID          string `json:"id"`
	Text        string `json:"text"`
	SpoilerText string `json:"spoiler_text"`
}

// editedAt is when a status was edited last, null for never.
func editedAt(st *linnet.Status) *string {
	if len(st.Edits) == 0 {
		return nil
	}
	at := timestamp(st.EditedAt())
	return &at
}

func (a *API) editStatus(r *request) (any, error) {
	id, err := r.pathID()
	if err != nil {
		return nil, err
	}
	in := r.in
	e := linnet.Edit{Text: in.text("status"), Warning: in.text("spoiler_text"), Sensitive: in.flag("sensitive"),
		Poll: pollDraft(in), Describe: described(in), QuotePolicy: quotePolicy(in, "quote_approval_policy")}
	if l := in.text("language"); l != "" {
		e.Language = &l
	}
	e.Media = in.ids("media_ids", linnet.MaxAttachments)
	quoted, ok := quotedID(in)
	if err := in.err(); err != nil {
		return nil, err
	}
	if !ok {
		return nil, errNotFound()
	}
	e.QuoteOf = quoted
	v, err := a.svc.Posting.Edit(r.Context(), r.me(), id, e)
	if err != nil {
		return nil, err
	}
	return oneStatus{r.me(), &v}, nil
}

// described reads what is said anew of pictures that a status has.
func described(in *input) map[linnet.ID]linnet.AttachmentChange {
	out := map[linnet.ID]linnet.AttachmentChange{}
	for _, v := range in.items("media_attributes") {
		item := in.within("media_attributes", v)
		id, ok := item.id("id")
		if !ok || id == 0 {
			in.fault("media_attributes", "must be the id of a media attachment")
			return nil
		}
		out[id] = attachmentChange(item)
	}
	return out
}

func (a *API) statusHistory(r *request) (any, error) {
	id, err := r.pathID()
	if err != nil {
		return nil, err
	}
	v, versions, err := a.svc.View.History(r.Context(), r.me(), id)
	if err != nil {
		return nil, err
	}
	out := make([]statusEdit, len(versions))
	for i := range versions {
		st := &versions[i]
		out[i] = statusEdit{Content: st.HTML, SpoilerText: st.Warning, Sensitive: st.Sensitive, CreatedAt: timestamp(st.At),
			Account: a.account(&v.By.UserView), MediaAttachments: a.attachments(st.Media), Emojis: a.emojis(st.Pictured.Of())}
		if st.Poll == nil {
			continue
		}
		out[i].Poll = &askedBefore{}
		for _, title := range st.Poll.Options {
			out[i].Poll.Options = append(out[i].Poll.Options, askedOption{title})
		}
	}
	return out, nil
}

func (a *API) statusSource(r *request) (any, error) {
	id, err := r.pathID()
	if err != nil {
		return nil, err
	}
	v, err := a.svc.View.Status(r.Context(), r.me(), id)
	if err != nil {
		return nil, err
	}
	if v.Repost != nil {
		v = *v.Repost
	}
	return statusSource{ID: v.ID.String(), Text: v.Text, SpoilerText: v.Warning}, nil
}
