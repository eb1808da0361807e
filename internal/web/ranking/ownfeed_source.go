package ranking

import (
	"fmt"
	"slices"
	"strings"

	"linnet/internal/discovery"
	"linnet/internal/linnet"
	"linnet/internal/text"
	"linnet/internal/web/page"
	"linnet/internal/web/ui"
)

// feedSource is a source of a feed. Its key in the form is its kind: home, local, or list, tag or
// account with its id or name after a colon.
type feedSource linnet.FeedSource

// same reports whether o is the same source, with any weight.
func (s feedSource) same(o linnet.FeedSource) bool {
	return s.Kind == o.Kind && s.ID == o.ID && s.Tag == o.Tag
}

func (s feedSource) key() string {
	switch s.Kind {
	case linnet.FromTag:
		return string(s.Kind) + ":" + s.Tag
	case linnet.FromList, linnet.FromAccount:
		return string(s.Kind) + ":" + s.ID.String()
	}
	return string(s.Kind)
}

// parseSource parses a key. ok is false if it is invalid.
func parseSource(key string) (s feedSource, ok bool) {
	kind, of, _ := strings.Cut(key, ":")
	s.Kind = linnet.FeedSourceKind(kind)
	switch s.Kind {
	case linnet.FromHome, linnet.FromLocal:
		return s, of == ""
	case linnet.FromTag:
		s.Tag = text.FoldTag(of)
		return s, text.ValidTag(of)
	case linnet.FromList, linnet.FromAccount:
		s.ID, ok = linnet.ParseID(of)
		return s, ok
	}
	return s, false
}

// feedChoice is a source in the form.
type feedChoice struct {
	Key, Name, Is, Icon string
	Who                 *linnet.UserView // user whose avatar replaces the icon
	Step                int              // step of the slider, if the source is chosen
	Weight, Much        string           // the weight as a number and as a word
}

// feedChoices returns the sources for the form, without deleted ones, and suggestions to add.
func (h *Pages) feedChoices(c *page.Context, all []linnet.FeedSource) (chosen, offers []feedChoice, err error) {
	lists, err := h.createdLists(c)
	if err != nil {
		return nil, nil, err
	}
	var ids []linnet.ID
	for _, src := range all {
		if src.Kind == linnet.FromAccount {
			ids = append(ids, src.ID)
		}
	}
	users, err := h.View.Users(c.Request.Context(), c.Me.ID, ids)
	if err != nil {
		return nil, nil, fmt.Errorf("look up accounts: %w", err)
	}
	for _, src := range all {
		if ch, ok := choiceOf(c, feedSource(src), lists, users); ok {
			ch.Step, ch.Weight, ch.Much = amountStep(src.Weight), factorWords(src.Weight), amountWord(c, src.Weight)
			chosen = append(chosen, ch)
		}
	}
	can := []feedSource{{Kind: linnet.FromHome}, {Kind: linnet.FromLocal}}
	for _, l := range lists {
		can = append(can, feedSource{Kind: linnet.FromList, ID: l.ID})
	}
	for _, src := range can {
		if ch, ok := choiceOf(c, src, lists, nil); ok && !slices.ContainsFunc(all, src.same) {
			offers = append(offers, ch)
		}
	}
	return chosen, offers, nil
}

// choiceOf returns a source for the form. ok is false if it is deleted.
func choiceOf(c *page.Context, src feedSource, lists []linnet.List, users []linnet.UserView) (ch feedChoice, ok bool) {
	ch.Key = src.key()
	switch src.Kind {
	case linnet.FromHome:
		ch.Name, ch.Is, ch.Icon = c.Tr("Home"), c.Tr("People you follow"), "home"
	case linnet.FromLocal:
		ch.Name, ch.Is, ch.Icon = c.Tr("Local"), c.Tr("All public posts"), "near"
	case linnet.FromTag:
		ch.Name, ch.Is, ch.Icon = "#"+src.Tag, c.Tr("Hashtag"), "hash"
	case linnet.FromList:
		i := slices.IndexFunc(lists, func(l linnet.List) bool { return l.ID == src.ID })
		if i < 0 {
			return ch, false
		}
		ch.Name, ch.Is, ch.Icon = lists[i].Title, c.Tr("List"), "list"
	case linnet.FromAccount:
		i := slices.IndexFunc(users, func(u linnet.UserView) bool { return u.ID == src.ID })
		if i < 0 {
			return ch, false
		}
		ch = accountChoice(c, &users[i])
	}
	return ch, true
}

func accountChoice(c *page.Context, u *linnet.UserView) feedChoice {
	is := c.Tr("Person")
	if !u.Person() {
		is = c.Tr("Group")
	}
	return feedChoice{Key: feedSource{Kind: linnet.FromAccount, ID: u.ID}.key(), Name: ui.DisplayName(*u), Is: is + ", @" + u.Login, Who: u}
}

// feedFound is the maximum number of users, groups and tags in search results, each.
const feedFound = 4

// feedHits returns the users, groups and tags that match a search and aren't chosen. Tags without
// posts can be chosen too.
func (h *Pages) feedHits(c *page.Context, find string, chosen []linnet.FeedSource) (hits []feedChoice, err error) {
	q := discovery.TypedQuery(find)
	q.Limit = feedFound
	if !strings.HasPrefix(find, "#") {
		for _, groups := range []bool{false, true} {
			q.People, q.Groups = !groups, groups
			users, err := h.Discovery.SearchUsers(c.Request.Context(), c.Me.ID, q)
			if err != nil {
				return nil, fmt.Errorf("search accounts: %w", err)
			}
			for i := range users {
				hits = append(hits, accountChoice(c, &users[i]))
			}
		}
	}
	if !strings.HasPrefix(find, "@") {
		tags, err := h.tagHits(c, q)
		if err != nil {
			return nil, err
		}
		hits = append(hits, tags...)
	}
	return slices.DeleteFunc(hits, func(h feedChoice) bool {
		return slices.ContainsFunc(chosen, func(o linnet.FeedSource) bool { return feedSource(o).key() == h.Key })
	}), nil
}

func (h *Pages) tagHits(c *page.Context, q discovery.SearchQuery) (hits []feedChoice, err error) {
	tags, err := h.Discovery.SearchTags(c.Request.Context(), q)
	if err != nil {
		return nil, fmt.Errorf("search tags: %w", err)
	}
	names := []string{}
	if typed := strings.TrimPrefix(q.Text, "#"); text.ValidTag(typed) {
		names = append(names, typed)
	}
	for _, t := range tags {
		names = append(names, t.Name)
	}
	for _, name := range names {
		src := feedSource{Kind: linnet.FromTag, Tag: text.FoldTag(name)}
		if ch, _ := choiceOf(c, src, nil, nil); !slices.ContainsFunc(hits, func(h feedChoice) bool { return h.Key == ch.Key }) {
			hits = append(hits, ch)
		}
	}
	return hits, nil
}
