package mastodon

import (
	"linnet/internal/linnet"
	"linnet/internal/mastodon/request"
	"linnet/internal/mastodon/wire"
)

func (h *statusHandler) edit(r *request.Request) (any, error) {
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
	v, err := h.posting.Edit(r.Context(), r.Viewer(), id, e)
	if err != nil {
		return nil, err
	}
	return wire.OneStatus{Viewer: r.Viewer(), View: &v}, nil
}

// described reads the changes of attachments in an edit.
func described(in *request.Input) map[linnet.ID]linnet.AttachmentChange {
	out := map[linnet.ID]linnet.AttachmentChange{}
	for _, v := range in.Items("media_attributes") {
		item := in.Within("media_attributes", v)
		id, ok := item.ID("id")
		if !ok || id == 0 {
			in.Fault("media_attributes", "must contain the id of a media attachment")
			return nil
		}
		out[id] = attachmentChange(item)
	}
	return out
}

func (h *statusHandler) history(r *request.Request) (any, error) {
	id, err := r.PathID()
	if err != nil {
		return nil, err
	}
	v, versions, err := h.view.History(r.Context(), r.Viewer(), id)
	if err != nil {
		return nil, err
	}
	out := make([]wire.StatusEdit, len(versions))
	for i := range versions {
		out[i] = h.enc.StatusEdit(&versions[i], &v.By.UserView)
	}
	return out, nil
}

func (h *statusHandler) source(r *request.Request) (any, error) {
	id, err := r.PathID()
	if err != nil {
		return nil, err
	}
	v, err := h.view.Status(r.Context(), r.Viewer(), id)
	if err != nil {
		return nil, err
	}
	if v.Repost != nil {
		v = *v.Repost
	}
	return wire.StatusSource{ID: v.ID.String(), Text: v.Text, SpoilerText: v.Warning}, nil
}

func (h *statusHandler) translate(r *request.Request) (any, error) {
	id, err := r.PathID()
	if err != nil {
		return nil, err
	}
	var into []string
	if lang := r.In.String("lang"); lang != "" {
		into = []string{lang}
	}
	if err := r.In.Err(); err != nil {
		return nil, err
	}
	t, err := h.translation.Status(r.Context(), r.Viewer(), id, into...)
	if err != nil {
		return nil, err
	}
	out := wire.Translation{Content: t.HTML, SpoilerText: t.Warning, Language: t.Language, DetectedSource: wire.Nullable(t.From), Provider: t.By,
		MediaAttachments: []wire.TranslatedAttachment{}}
	if t.Poll != nil {
		out.Poll = &wire.TranslatedPoll{ID: t.ID.String(), Options: wire.Each(t.Poll.Options, func(title *string) wire.PollTitle { return wire.PollTitle{Title: *title} })}
	}
	for _, m := range t.Media {
		if m.Description != "" {
			out.MediaAttachments = append(out.MediaAttachments, wire.TranslatedAttachment{ID: m.ID.String(), Description: m.Description})
		}
	}
	return out, nil
}
