package mastodon

// translation is the entity Translation.
// https://docs.joinmastodon.org/entities/Translation/
type translation struct {
	Content          string               `json:"content"`
	SpoilerText      string               `json:"spoiler_text"`
	Language         string               `json:"language"`
	Poll             *translatedPoll      `json:"poll"`
	MediaAttachments []translatedDescribe `json:"media_attachments"`
	DetectedSource   *string              `json:"detected_source_language"`
	Provider         string               `json:"provider"`
}

type translatedPoll struct {
	ID      string        `json:"id"`
	Options []askedOption `json:"options"`
}

type translatedDescribe struct {
	ID          string `json:"id"`
	Description string `json:"description"`
}

func (a *API) translateStatus(r *request) (any, error) {
	id, err := r.pathID()
	if err != nil {
		return nil, err
	}
	var into []string
	if lang := r.in.text("lang"); lang != "" {
		into = []string{lang}
	}
	if err := r.in.err(); err != nil {
		return nil, err
	}
	t, err := a.svc.Translation.Status(r.Context(), r.me(), id, into...)
	if err != nil {
		return nil, err
	}
	out := translation{Content: t.HTML, SpoilerText: t.Warning, Language: t.Language, DetectedSource: nullable(t.From), Provider: t.By,
		MediaAttachments: []translatedDescribe{}}
	if t.Poll != nil {
		out.Poll = &translatedPoll{ID: t.ID.String(), Options: each(t.Poll.Options, func(title *string) askedOption { return askedOption{*title} })}
	}
	for _, m := range t.Media {
		if m.Description != "" {
			out.MediaAttachments = append(out.MediaAttachments, translatedDescribe{m.ID.String(), m.Description})
		}
	}
	return out, nil
}

func (a *API) translationLanguages(r *request) (any, error) {
	return a.svc.Translation.Languages(r.Context()), nil
}
