package compose

import (
	"fmt"
	"strings"

	"linnet/internal/discovery"
	"linnet/internal/text"
	"linnet/internal/web/page"
	"linnet/internal/web/paths"
	"linnet/internal/web/ui"
)

// completions is the maximum number of completions in the composer.
const completions = 6

// suggestion is a completion of a word, or a result of a search. Text replaces the word, and Name
// describes it.
type suggestion struct {
	Text    string `json:"text"`
	Name    string `json:"name,omitempty"`
	Picture string `json:"picture,omitempty"` // address of an emoji
	Face    string `json:"face,omitempty"`    // address of an avatar
	Path    string `json:"path,omitempty"`    // page of the result of a search
}

// Complete returns completions of "@", "#" or ":" and some letters, as JSON for the script. With
// the parameter "search" it returns accounts and tags, and with "to" possible recipients of a
// message.
func (h *Pages) Complete(c *page.Context) error {
	if err := page.CheckReader(c); err != nil {
		return err
	}
	var found []suggestion
	var err error
	in := c.Request.URL.Query()
	q := in.Get("q")
	if typed := in.Get("search"); typed != "" {
		found, err = h.completeSearch(c, typed)
	} else if typed := in.Get("to"); typed != "" {
		found, err = h.completeAccount(c, discovery.SearchQuery{Text: typed, Limit: completions, People: true})
	} else if name, ok := strings.CutPrefix(q, "@"); ok {
		found, err = h.completeAccount(c, discovery.SearchQuery{Text: name, Limit: completions})
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

// completeAccount returns the first accounts that a search finds.
func (h *Pages) completeAccount(c *page.Context, q discovery.SearchQuery) (found []suggestion, err error) {
	users, err := h.Discovery.SearchUsers(c.Request.Context(), c.Me.ID, q)
	for _, u := range users {
		if !u.ID.System() || !q.People { // the server's accounts receive no messages
			found = append(found, suggestion{Text: "@" + u.Login, Name: ui.DisplayName(u), Face: paths.Avatar(u), Path: paths.Person(u.Login)})
		}
	}
	return found, err
}

// completeSearch returns the accounts and tags that a search finds first.
func (h *Pages) completeSearch(c *page.Context, typed string) (found []suggestion, err error) {
	q := discovery.TypedQuery(typed)
	q.Limit = completions
	if !strings.HasPrefix(typed, "#") {
		if found, err = h.completeAccount(c, q); err != nil {
			return nil, err
		}
	}
	if !strings.HasPrefix(typed, "@") {
		tags, err := h.Discovery.SearchTags(c.Request.Context(), q)
		if err != nil {
			return nil, err
		}
		for _, t := range tags[:min(len(tags), completions/2)] {
			found = append(found, suggestion{Text: "#" + t.Name, Path: paths.Tag(t.Name)})
		}
	}
	return found, nil
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
