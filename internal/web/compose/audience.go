package compose

import (
	"slices"

	"linnet/internal/linnet"
	"linnet/internal/locale"
)

// audienceChoice is an entry of the list of visibilities.
type audienceChoice struct {
	Word, Text, Hint, Icon string
	Chosen                 bool
}

// Visibilities returns the visibilities to choose from.
func (f Form) Visibilities() []audienceChoice {
	all := audienceChoices()
	all[min(f.Visibility, linnet.Direct)].Chosen = true
	if f.Group == nil {
		return all
	}
	return slices.DeleteFunc(all, func(a audienceChoice) bool {
		v, _ := linnet.ParseVisibility(a.Word)
		return !v.Open() // such posts don't go to the group
	})
}

// audienceChoices returns all visibilities, in English.
func audienceChoices() []audienceChoice {
	return []audienceChoice{{"public", locale.Mark("Public"), locale.Mark("Everyone. Appears in the local timeline and under hashtags"), "globe", false},
		{"unlisted", locale.Mark("Unlisted"), locale.Mark("Everyone. Doesn't appear in the local timeline or under hashtags"), "moon", false},
		{"private", locale.Mark("Followers"), locale.Mark("Only your followers"), "lock", false},
		{"direct", locale.Mark("Mentioned people only"), locale.Mark("Only people you mention in the post"), "at", false}}
}

// FixedAudience returns the audience if the writer can't choose it, and "" otherwise.
func (f Form) FixedAudience() string {
	switch {
	case f.Edit != nil && !f.Edit.ForMembers():
		return f.c.Tr(audienceChoices()[min(f.Edit.Visibility, linnet.Direct)].Text)
	case f.Edit != nil, f.Group != nil && f.Group.Group.Closed(), f.ReplyTo != nil && f.ReplyTo.ForMembers():
		return f.c.Tr("Group members")
	case len(f.To) > 0:
		return f.c.Tr("Recipients only")
	case f.Position > 0:
		return f.c.Tr(audienceChoices()[min(f.Visibility, linnet.Direct)].Text)
	}
	return ""
}
