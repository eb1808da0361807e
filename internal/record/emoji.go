package record

import (
	"linnet/internal/kv"
	"linnet/internal/linnet"
)

// EmojisKey holds all custom emoji.
func EmojisKey() kv.Key { return MetaKey("emojis") }

// EmojisMarkKey is a value that changes with the custom emoji and contains nothing else, because
// servers read it often.
func EmojisMarkKey() kv.Key { return MetaKey("emojis.version") }

// Emojis are all custom emoji.
type Emojis struct {
	All []Emoji `json:"all"`
}

// Emoji is one custom emoji. There may be a thousand, so the names are short.
type Emoji struct {
	Shortcode string `json:"c"`
	Category  string `json:"g,omitempty"`
	Name      string `json:"n"`
	Still     string `json:"s,omitempty"`
	Unlisted  bool   `json:"u,omitempty"`
	Disabled  bool   `json:"d,omitempty"`
}

// EncodeEmojis encodes the set.
func EncodeEmojis(set *linnet.EmojiSet) []byte {
	r := Emojis{All: make([]Emoji, len(set.All))}
	for i, e := range set.All {
		r.All[i] = Emoji(e)
	}
	return Encode(r)
}

// DecodeEmojis decodes the set. Without a record it is empty.
func DecodeEmojis(get *kv.Get) (*linnet.EmojiSet, error) {
	var r Emojis
	if get.Version != 0 {
		if err := Decode(get, &r); err != nil {
			return nil, err
		}
	}
	all := make([]linnet.Emoji, len(r.All))
	for i, e := range r.All {
		all[i] = linnet.Emoji(e)
	}
	return linnet.NewEmojiSet(get.Version, all), nil
}
