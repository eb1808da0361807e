package reading

import (
	"context"
	"slices"

	"linnet/internal/core"
	"linnet/internal/linnet"
)

// changeKeyword adds, changes or removes one keyword of a filter.
func (s *Service) changeKeyword(me linnet.ID, f *linnet.Filter, c linnet.KeywordChange) error {
	if c.ID == 0 {
		if c.Remove {
			return nil
		}
		if len(f.Keywords) >= linnet.MaxFilterKeywords {
			return linnet.FieldError("keyword", "ERR_TOO_LONG", "can't be added: a filter can have at most %d keywords. Remove one first", linnet.MaxFilterKeywords)
		}
		if c.Keyword == nil {
			c.Keyword = new(string)
		}
		f.Keywords = append(f.Keywords, linnet.FilterKeyword{ID: s.st.NewID(me.Shard(), 0), WholeWord: true})
		c.ID = f.Keywords[len(f.Keywords)-1].ID
	}
	i := slices.IndexFunc(f.Keywords, func(k linnet.FilterKeyword) bool { return k.ID == c.ID })
	switch {
	case i < 0:
		return errNoFilter
	case c.Remove:
		f.Keywords = slices.Delete(f.Keywords, i, i+1)
		return nil
	}
	k := &f.Keywords[i]
	core.Set(&k.WholeWord, c.WholeWord)
	if c.Keyword == nil {
		return nil
	}
	t, err := filterText("keyword", *c.Keyword, linnet.MaxFilterKeyword)
	k.Keyword = t
	return err
}

// FilterKeyword returns a keyword of the user's filters, with its filter.
func (s *Service) FilterKeyword(ctx context.Context, me, id linnet.ID) (linnet.FilterKeyword, linnet.Filter, error) {
	set, err := s.st.Inbox.Filters(ctx, me)
	if err != nil {
		return linnet.FilterKeyword{}, linnet.Filter{}, core.StoreError(err)
	}
	f, i := keywordIn(set, id)
	if f == nil {
		return linnet.FilterKeyword{}, linnet.Filter{}, errNoFilter
	}
	return f.Keywords[i], *f, nil
}

// keywordIn returns the filter and index of a keyword; nil if there is none.
func keywordIn(set *linnet.FilterSet, id linnet.ID) (*linnet.Filter, int) {
	for n := range set.Filters {
		f := &set.Filters[n]
		if i := slices.IndexFunc(f.Keywords, func(k linnet.FilterKeyword) bool { return k.ID == id }); i >= 0 {
			return f, i
		}
	}
	return nil, 0
}

// AddFilterKeyword adds a keyword to a filter of me.
func (s *Service) AddFilterKeyword(ctx context.Context, me, filter linnet.ID, c linnet.KeywordChange) (out linnet.FilterKeyword, err error) {
	c.ID, c.Remove = 0, false
	err = s.changeFilters(ctx, me, func(set *linnet.FilterSet) error {
		f, err := filterIn(set, filter)
		if err != nil {
			return err
		}
		if err := s.changeKeyword(me, f, c); err != nil {
			return err
		}
		out = f.Keywords[len(f.Keywords)-1]
		return nil
	})
	return out, err
}

// UpdateFilterKeyword changes the keyword with c's ID. If the filter change isn't nil it also
// changes the filter, and the keyword must be its only one. This is for apps that only know filters
// with one keyword. A title equal to the keyword changes with it.
func (s *Service) UpdateFilterKeyword(ctx context.Context, me linnet.ID, c linnet.KeywordChange,
	of *linnet.FilterChange) (out linnet.FilterKeyword, in linnet.Filter, err error) {
	err = s.changeFilters(ctx, me, func(set *linnet.FilterSet) error {
		f, i := keywordIn(set, c.ID)
		if f == nil {
			return errNoFilter
		}
		before := f.Keywords[i].Keyword
		if err := s.changeKeyword(me, f, c); err != nil {
			return err
		}
		if of != nil {
			if err := s.changeOnly(me, f, *of, before); err != nil {
				return err
			}
		}
		out, in = f.Keywords[i], *f
		return nil
	})
	return out, in, err
}

// changeOnly changes a filter for an app that sees its keywords as filters.
func (s *Service) changeOnly(me linnet.ID, f *linnet.Filter, c linnet.FilterChange, before string) error {
	if len(f.Keywords) == 1 {
		if title := f.Keywords[0].Keyword; f.Title == before {
			f.Title = cutTitle(title)
		}
		return s.changeFilter(me, f, c)
	}
	if c.Context != nil && *c.Context != f.Context || c.Action != nil && *c.Action != f.Action ||
		c.ExpiresIn != nil && (*c.ExpiresIn > 0 || !f.ExpiresAt.IsZero()) {
		return linnet.FieldError("context", "ERR_INVALID",
			"can't be changed in this app, because the filter has %d keywords. Change the filter on the web or in a newer app", len(f.Keywords))
	}
	return nil
}

// cutTitle returns a title for a filter made from a keyword, which can be longer.
func cutTitle(keyword string) string {
	runes := []rune(keyword)
	return string(runes[:min(len(runes), linnet.MaxFilterTitle)])
}

// CreateKeywordFilter creates a filter with one keyword, which is also its title.
func (s *Service) CreateKeywordFilter(ctx context.Context, me linnet.ID, k linnet.KeywordChange, c linnet.FilterChange) (linnet.Filter, error) {
	if k.Keyword == nil {
		k.Keyword = new(string)
	}
	keyword, err := filterText("phrase", *k.Keyword, linnet.MaxFilterKeyword)
	if err != nil {
		return linnet.Filter{}, err
	}
	title := cutTitle(keyword)
	c.Title, c.Keywords = &title, []linnet.KeywordChange{k}
	return s.CreateFilter(ctx, me, c)
}

// DeleteFilterKeyword removes a keyword. Its filter stays.
func (s *Service) DeleteFilterKeyword(ctx context.Context, me, id linnet.ID) error {
	return s.changeFilters(ctx, me, func(set *linnet.FilterSet) error {
		f, i := keywordIn(set, id)
		if f == nil {
			return errNoFilter
		}
		f.Keywords = slices.Delete(f.Keywords, i, i+1)
		return nil
	})
}
