package mastodon

import (
	"linnet/internal/linnet"
	"linnet/internal/mastodon/request"
	"linnet/internal/mastodon/wire"
)

func (a *API) editStatus(r *request.Request) (any, error) {
	id, err := r.PathID()
	if err != nil {
		return nil, err
	}
	in := r.In
	e := linnet.Edit{Text: in.String("status"), Warning: in.String("spoiler_text"), Sensitive: in.Flag("sensitive"),
		Poll: pollDraft(in), Describe: described(in), QuotePolicy: quotePolicy(in, "quote_approval_policy")}
	if l := in.String("language"); l != "" {
		e.Language = &l
	}
	e.Media = in.IDs("media_ids", linnet.MaxAttachments)
	quoted, ok := quotedID(in)
	if err := in.Err(); err != nil {
		return nil, err
	}
	if !ok {
		return nil, request.ErrNotFound()
	}
	e.QuoteOf = quoted
	v, err := a.svc.Posting.Edit(r.Context(), r.Viewer(), id, e)
	if err != nil {
		return nil, err
	}
	return wire.OneStatus{Viewer: r.Viewer(), View: &v}, nil
}

// described reads what is said anew of pictures that a status has.
func described(in *request.Input) map[linnet.ID]linnet.AttachmentChange {
	out := map[linnet.ID]linnet.AttachmentChange{}
	for _, v := range in.Items("media_attributes") {
		item := in.Within("media_attributes", v)
		id, ok := item.ID("id")
		if !ok || id == 0 {
			in.Fault("media_attributes", "must be the id of a media attachment")
			return nil
		}
		out[id] = attachmentChange(item)
	}
	return out
}

func (a *API) statusHistory(r *request.Request) (any, error) {
	id, err := r.PathID()
	if err != nil {
		return nil, err
	}
	v, versions, err := a.svc.View.History(r.Context(), r.Viewer(), id)
	if err != nil {
		return nil, err
	}
	out := make([]wire.StatusEdit, len(versions))
	for i := range versions {
		out[i] = a.enc.StatusEdit(&versions[i], &v.By.UserView)
	}
	return out, nil
}

func (a *API) statusSource(r *request.Request) (any, error) {
	id, err := r.PathID()
	if err != nil {
		return nil, err
	}
	v, err := a.svc.View.Status(r.Context(), r.Viewer(), id)
	if err != nil {
		return nil, err
	}
	if v.Repost != nil {
		v = *v.Repost
	}
	return wire.StatusSource{ID: v.ID.String(), Text: v.Text, SpoilerText: v.Warning}, nil
}
