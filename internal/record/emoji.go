package record

import (
	"linnet/internal/kv"
	"linnet/internal/linnet"
)

// EmojisKey is where all custom emoji lie, EmojisMarkKey a value that changes with them
// and says no more: servers look at it often.
func EmojisKey() kv.Key { return MetaKey("emojis") }

// EmojisMarkKey: see EmojisKey.
func EmojisMarkKey() kv.Key { return MetaKey("emojis.version") }

// Emojis are all custom emoji.
type Emojis struct {
	All []Emoji `json:"all"`
}

// Emoji is one of them. There may be a thousand: the names are short.
type Emoji struct {
	Shortcode string `json:"c"`
	Category  string `json:"g,omitempty"`
	Name      string `json:"n"`
	Still     string `json:"s,omitempty"`
	Unlisted  bool   `json:"u,omitempty"`
	Disabled  bool   `json:"d,omitempty"`
}

// EncodeEmojis writes the set.
func EncodeEmojis(set *linnet.EmojiSet) []byte {
	r := Emojis{All: make([]Emoji, len(set.All))}
	for i, e := range set.All {
		r.All[i] = Emoji(e)
	}
	return Encode(r)
}

// DecodeEmojis reads the set; that of no record is empty.
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
