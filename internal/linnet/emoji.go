package linnet

import (
	"cmp"
	"slices"
)

// Limits of custom emoji.
const (
	MaxEmojis        = 1000      // per instance
	MaxEmojiBytes    = 256 << 10 // of an uploaded file, as in Mastodon
	MaxEmojiCategory = 40        // characters
)

// Emoji is a custom emoji, a picture that replaces ":shortcode:".
type Emoji struct {
	Shortcode string // ASCII letters, digits and underscores; case-sensitive
	Category  string // group in emoji pickers; can be empty
	Name      string // of its file
	Still     string // name of the still picture's file; "" if Name is a still picture
	Unlisted  bool   // pickers don't show it, but texts do
	Disabled  bool   // neither pickers nor texts show it: its shortcode is text
}

// Files returns the names of its files.
func (e *Emoji) Files() []string {
	if e.Still == "" {
		return []string{e.Name}
	}
	return []string{e.Name, e.Still}
}

// StillName returns the name of the file with the still picture.
func (e *Emoji) StillName() string { return cmp.Or(e.Still, e.Name) }

// EmojiSet has all custom emoji of an instance in the order of pickers. It is immutable. The nil
// set is empty.
type EmojiSet struct {
	Version uint64 // of the record; 0 for none
	All     []Emoji

	shown map[string]int // index of the enabled ones
}

// NewEmojiSet returns a sorted set: by category, first the emoji without one, and then by
// shortcode.
func NewEmojiSet(version uint64, all []Emoji) *EmojiSet {
	s := &EmojiSet{Version: version, All: slices.Clone(all), shown: make(map[string]int, len(all))}
	slices.SortFunc(s.All, func(a, b Emoji) int {
		return cmp.Or(cmp.Compare(a.Category, b.Category), cmp.Compare(a.Shortcode, b.Shortcode))
	})
	for i := range s.All {
		if !s.All[i].Disabled {
			s.shown[s.All[i].Shortcode] = i
		}
	}
	return s
}

// Shown returns the enabled emoji with a shortcode, or nil. It must not be modified.
func (s *EmojiSet) Shown(code string) *Emoji {
	if s == nil {
		return nil
	}
	if i, ok := s.shown[code]; ok {
		return &s.All[i]
	}
	return nil
}

// Among returns the enabled emoji with some shortcodes, in that order.
func (s *EmojiSet) Among(codes []string) (out []Emoji) {
	for _, c := range codes {
		if e := s.Shown(c); e != nil {
			out = append(out, *e)
		}
	}
	return out
}

// Offered returns the emoji that pickers show.
func (s *EmojiSet) Offered() (out []Emoji) {
	if s == nil {
		return nil
	}
	for _, e := range s.All {
		if !e.Disabled && !e.Unlisted {
			out = append(out, e)
		}
	}
	return out
}

// NewEmoji describes an emoji to add.
type NewEmoji struct {
	Shortcode string
	Category  string
	Unlisted  bool
}

// EmojiChange changes an emoji. Nil fields stay.
type EmojiChange struct {
	Shortcode *string // texts with the old one show it as text
	Category  *string
	Unlisted  *bool
	Disabled  *bool
}

// Pictured has the custom emoji of a text, and the text with pictures as safe HTML for pages. Apps
// get the plain text and the list.
type Pictured struct {
	Emojis  []Emoji  // each once, in order of first appearance; at least one
	Name    string   // of a user
	Body    string   // text of a status, or note of a user
	Warning string   // of a status
	Lines   []string // the options of a poll, or the values of profile fields
	Labels  []string // of profile fields
}

// Of returns the emoji of a Pictured, none for nil.
func (p *Pictured) Of() []Emoji {
	if p == nil {
		return nil
	}
	return p.Emojis
}
