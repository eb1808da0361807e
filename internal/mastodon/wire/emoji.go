package wire

import (
	"slices"

	"linnet/internal/linnet"
	"linnet/internal/text"
)

// Emoji is the entity CustomEmoji.
// https://docs.joinmastodon.org/entities/CustomEmoji/
type Emoji struct {
	Shortcode       string `json:"shortcode"`
	URL             string `json:"url"`
	StaticURL       string `json:"static_url"`
	VisibleInPicker bool   `json:"visible_in_picker"`
	Category        string `json:"category,omitempty"`
}

// Emojis encodes custom emoji. The result is never nil.
func (e *Encoder) Emojis(all []linnet.Emoji) []Emoji {
	out := make([]Emoji, len(all))
	for i := range all {
		one := &all[i]
		out[i] = Emoji{Shortcode: one.Shortcode, URL: e.FileURL(one.Name), StaticURL: e.FileURL(one.StillName()), VisibleInPicker: !one.Unlisted, Category: one.Category}
	}
	return out
}

// emojisIn returns the emoji that occur in texts.
func emojisIn(all []linnet.Emoji, texts []string) []linnet.Emoji {
	if len(all) == 0 {
		return nil
	}
	codes := text.Shortcodes(texts...)
	return slices.DeleteFunc(slices.Clone(all), func(e linnet.Emoji) bool { return !slices.Contains(codes, e.Shortcode) })
}
