package mastodon

import (
	"linnet/internal/linnet"
	"linnet/internal/mastodon/wire"
)

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
	return wire.OneStatus{Viewer: r.me(), View: &v}, nil
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
	out := make([]wire.StatusEdit, len(versions))
	for i := range versions {
		out[i] = a.enc.StatusEdit(&versions[i], &v.By.UserView)
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
	return wire.StatusSource{ID: v.ID.String(), Text: v.Text, SpoilerText: v.Warning}, nil
}
