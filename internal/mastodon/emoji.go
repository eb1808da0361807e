package mastodon

import (
	"slices"

	"linnet/internal/linnet"
	"linnet/internal/text"
)

// emoji is the entity CustomEmoji.
// https://docs.joinmastodon.org/entities/CustomEmoji/
type emoji struct {
	Shortcode       string `json:"shortcode"`
	URL             string `json:"url"`
	StaticURL       string `json:"static_url"`
	VisibleInPicker bool   `json:"visible_in_picker"`
	Category        string `json:"category,omitempty"`
}

// emojis are the custom emoji of something; never null.
func (a *API) emojis(all []linnet.Emoji) []emoji {
	out := make([]emoji, len(all))
	for i := range all {
		e := &all[i]
		out[i] = emoji{Shortcode: e.Shortcode, URL: a.fileURL(e.Name), StaticURL: a.fileURL(e.StillName()), VisibleInPicker: !e.Unlisted, Category: e.Category}
	}
	return out
}

// emojisIn are those among some that stand in texts.
func emojisIn(all []linnet.Emoji, texts []string) []linnet.Emoji {
	if len(all) == 0 {
		return nil
	}
	codes := text.Shortcodes(texts...)
	return slices.DeleteFunc(slices.Clone(all), func(e linnet.Emoji) bool { return !slices.Contains(codes, e.Shortcode) })
}

// customEmojis are those that apps offer.
// https://docs.joinmastodon.org/methods/custom_emojis/
func (a *API) customEmojis(*request) (any, error) {
	return a.emojis(a.svc.Core.Emojis().Offered()), nil
}
