package mastodon

import (
	"linnet/internal/mastodon/request"
	"linnet/internal/mastodon/wire"
)

func (a *API) translateStatus(r *request.Request) (any, error) {
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
	t, err := a.svc.Translation.Status(r.Context(), r.Viewer(), id, into...)
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

func (a *API) translationLanguages(r *request.Request) (any, error) {
	return a.svc.Translation.Languages(r.Context()), nil
}
