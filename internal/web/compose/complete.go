package compose

import (
	"fmt"
	"strings"

	"linnet/internal/discovery"
	"linnet/internal/linnet"
	"linnet/internal/text"
	"linnet/internal/web/page"
	"linnet/internal/web/paths"
	"linnet/internal/web/ui"
)

// completions is the maximum number of completions in the composer.
const completions = 6

// suggestion is a completion of a word. Text replaces the word, and Name describes it.
type suggestion struct {
	Text    string `json:"text"`
	Name    string `json:"name,omitempty"`
	Picture string `json:"picture,omitempty"` // address of an emoji
}

// Complete returns completions of "@", "#" or ":" and some letters, as JSON for the composer's
// script.
func (h *Pages) Complete(c *page.Context) error {
	var found []suggestion
	var err error
	q := c.Request.URL.Query().Get("q")
	if name, ok := strings.CutPrefix(q, "@"); ok {
		var users []linnet.UserView
		users, err = h.Discovery.SearchUsers(c.Request.Context(), c.Me.ID, discovery.SearchQuery{Text: name, Limit: completions})
		for _, u := range users {
			found = append(found, suggestion{Text: "@" + u.Login, Name: ui.DisplayName(u)})
		}
	} else if tag, ok := strings.CutPrefix(q, "#"); ok {
		found, err = h.completeTag(c, tag)
	} else if code, ok := strings.CutPrefix(q, ":"); ok {
		found = h.completeEmoji(c, code)
	}
	if err != nil {
		return fmt.Errorf("complete %q: %w", q, err)
	}
	return c.JSON(append([]suggestion{}, found...))
}

// completeEmoji returns emoji whose shortcodes begin with a text, followed by others that contain
// it.
func (h *Pages) completeEmoji(c *page.Context, begun string) []suggestion {
	var first, then []suggestion
	for _, e := range h.Core.Emojis().Offered() {
		s := suggestion{Text: ":" + e.Shortcode + ":", Picture: paths.File(e.StillName())}
		switch i := strings.Index(strings.ToLower(e.Shortcode), strings.ToLower(begun)); {
		case i == 0:
			first = append(first, s)
		case i > 0:
			then = append(then, s)
		}
	}
	all := append(first, then...)
	return all[:min(len(all), completions)]
}

// completeTag returns tags used by the writer, then those used by others, as in a search.
func (h *Pages) completeTag(c *page.Context, begun string) ([]suggestion, error) {
	own, err := h.Discovery.SuggestedTags(c.Request.Context(), c.Me.ID)
	if err != nil {
		return nil, err
	}
	featured, err := h.Discovery.FeaturedTags(c.Request.Context(), c.Me.ID, c.Me.ID)
	if err != nil {
		return nil, err
	}
	others, err := h.Discovery.SearchTags(c.Request.Context(), discovery.SearchQuery{Text: begun, Limit: completions})
	if err != nil {
		return nil, err
	}
	var names []string
	for _, t := range featured {
		names = append(names, t.Name)
	}
	for _, t := range append(own, others...) {
		names = append(names, t.Name)
	}
	var found []suggestion
	seen := map[string]bool{}
	for _, n := range names {
		folded := text.FoldTag(n)
		if !seen[folded] && strings.HasPrefix(folded, text.FoldTag(begun)) && len(found) < completions {
			seen[folded] = true
			found = append(found, suggestion{Text: "#" + n})
		}
	}
	return found, nil
}
