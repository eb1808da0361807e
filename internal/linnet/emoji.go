package linnet

import (
	"cmp"
	"slices"
)

// Limits of custom emoji.
const (
	MaxEmojis        = 1000      // of an installation
	MaxEmojiBytes    = 256 << 10 // of the file that is sent, as in Mastodon
	MaxEmojiCategory = 40        // characters
)

// Emoji is a custom emoji, a picture that is shown in place of ":shortcode:".
type Emoji struct {
	Shortcode string // letters, digits and underscores of ASCII; case counts
	Category  string // group in emoji pickers; can be empty
	Name      string // of its file
	Still     string // of the file that does not move; "": Name does not
	Unlisted  bool   // it is not offered where one is chosen, and shown all the same
	Disabled  bool   // it is neither offered nor shown: its shortcode is text
}

// Files are the names of its files.
func (e *Emoji) Files() []string {
	if e.Still == "" {
		return []string{e.Name}
	}
	return []string{e.Name, e.Still}
}

// StillName is the file of it that does not move.
func (e *Emoji) StillName() string { return cmp.Or(e.Still, e.Name) }

// EmojiSet is all custom emoji of an installation, in the order in which they are
// offered. It is not changed once made; the nil set is empty.
type EmojiSet struct {
	Version uint64 // of the record; 0: there is none
	All     []Emoji

	shown map[string]int // index of the enabled ones
}

// NewEmojiSet makes the set, and puts its emoji in order: by category, those without one
// first, and by shortcode.
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

// NewEmoji describes an emoji that is to be added.
type NewEmoji struct {
	Shortcode string
	Category  string
	Unlisted  bool
}

// EmojiChange changes an emoji; nil leaves a part as it is.
type EmojiChange struct {
	Shortcode *string // texts that have the former one show it as text
	Category  *string
	Unlisted  *bool
	Disabled  *bool
}

// Pictured has the custom emoji of a text, and the text with pictures as safe HTML for pages. Apps
// get the plain text and the list.
type Pictured struct {
	Emojis  []Emoji  // each once, in order of first appearance; at least one
	Name    string   // of a person
	Body    string   // the text of a status, the note of a person
	Warning string   // of a status
	Lines   []string // the options of a poll, or the values of profile fields
	Labels  []string // of profile fields
}

// Of are the emoji of something; none of nil.
func (p *Pictured) Of() []Emoji {
	if p == nil {
		return nil
	}
	return p.Emojis
}
