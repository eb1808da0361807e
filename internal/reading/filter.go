package reading

import (
	"context"
	"errors"
	"slices"
	"time"
	"unicode/utf8"

	"linnet/internal/core"
	"linnet/internal/linnet"
	"linnet/internal/store"
	"linnet/internal/store/db"
	"linnet/internal/store/inbox"
	"linnet/internal/text"
)

var errNoFilter = linnet.Errorf(linnet.NotFound, "Record not found")

// Filters returns the user's filters, oldest first, including expired ones.
// https://docs.joinmastodon.org/methods/filters/
func (s *Service) Filters(ctx context.Context, me linnet.ID) ([]linnet.Filter, error) {
	set, err := s.st.Inbox.Filters(ctx, me)
	if err != nil {
		return nil, core.StoreError(err)
	}
	return set.Filters, nil
}

// living removes deleted statuses from a filter. All filters of a user can contain thousands, so
// only one filter is checked at a time.
func (s *Service) living(ctx context.Context, f linnet.Filter) (linnet.Filter, error) {
	if len(f.Statuses) == 0 {
		return f, nil
	}
	b := s.st.Batch()
	refs := make([]*db.StatusRef, len(f.Statuses))
	for i, named := range f.Statuses {
		refs[i] = b.Status(named.Status)
	}
	if err := b.Run(ctx); err != nil {
		return f, core.StoreError(err)
	}
	var there []linnet.FilterStatus // the cached filter is shared
	for i, named := range f.Statuses {
		if refs[i].Status != nil {
			there = append(there, named)
		}
	}
	f.Statuses = there
	return f, nil
}

// Filter returns a filter of me, without deleted statuses.
func (s *Service) Filter(ctx context.Context, me, id linnet.ID) (linnet.Filter, error) {
	set, err := s.st.Inbox.Filters(ctx, me)
	if err != nil {
		return linnet.Filter{}, core.StoreError(err)
	}
	f, err := filterIn(set, id)
	if err != nil {
		return linnet.Filter{}, err
	}
	return s.living(ctx, *f)
}

func filterIn(set *linnet.FilterSet, id linnet.ID) (*linnet.Filter, error) {
	i := slices.IndexFunc(set.Filters, func(f linnet.Filter) bool { return f.ID == id })
	if i < 0 {
		return nil, errNoFilter
	}
	return &set.Filters[i], nil
}

// changeFilters changes the filters of me and notifies me's apps. It calls change again after a
// concurrent change.
func (s *Service) changeFilters(ctx context.Context, me linnet.ID, change func(*linnet.FilterSet) error) error {
	for range core.PageRounds {
		set, err := s.st.Inbox.Filters(ctx, me)
		if err != nil {
			return core.StoreError(err)
		}
		if err := change(set); err != nil {
			if linnet.KindOf(err) == linnet.NotFound && !store.IsDurable(ctx) {
				ctx = store.Durable(ctx)
				continue
			}
			return err
		}
		ok, err := s.st.Inbox.PutFilters(ctx, me, set)
		if errors.Is(err, inbox.ErrTooLarge) {
			return linnet.FieldError("keyword", "ERR_TOO_LONG", "would make your filters exceed %d KiB in total. Delete some",
				linnet.MaxFiltersBytes>>10)
		}
		if errors.Is(err, db.ErrDeleted) {
			return core.ErrNoUser
		}
		if ok {
			s.core.Emit(ctx, me, core.Event{Type: linnet.EventFilters, To: me})
		}
		if ok || err != nil {
			return core.StoreError(err)
		}
	}
	return linnet.Errorf(linnet.Conflict, "Another app is changing your filters. Try again.")
}

// CreateFilter creates a filter. It requires a title and at least one context.
func (s *Service) CreateFilter(ctx context.Context, me linnet.ID, c linnet.FilterChange) (out linnet.Filter, err error) {
	if c.Title == nil {
		c.Title = new(string)
	}
	if c.Context == nil {
		c.Context = new(linnet.FilterContext)
	}
	err = s.changeFilters(ctx, me, func(set *linnet.FilterSet) error {
		if len(set.Filters) >= linnet.MaxFilters {
			return linnet.Errorf(linnet.Invalid, "Validation failed: You can have at most %d filters. Delete one first", linnet.MaxFilters)
		}
		out = linnet.Filter{ID: s.st.NewID(me.Shard(), 0)}
		if err := s.changeFilter(me, &out, c); err != nil {
			return err
		}
		set.Filters = append(set.Filters, out)
		return nil
	})
	return out, err
}

// UpdateFilter changes a filter and its keywords.
func (s *Service) UpdateFilter(ctx context.Context, me, id linnet.ID, c linnet.FilterChange) (out linnet.Filter, err error) {
	err = s.changeFilters(ctx, me, func(set *linnet.FilterSet) error {
		f, err := filterIn(set, id)
		if err != nil {
			return err
		}
		err = s.changeFilter(me, f, c)
		out = *f
		return err
	})
	return out, err
}

// DeleteFilter removes a filter with its keywords and statuses.
func (s *Service) DeleteFilter(ctx context.Context, me, id linnet.ID) error {
	return s.changeFilters(ctx, me, func(set *linnet.FilterSet) error {
		if _, err := filterIn(set, id); err != nil {
			return err
		}
		set.Filters = slices.DeleteFunc(set.Filters, func(f linnet.Filter) bool { return f.ID == id })
		return nil
	})
}

func (s *Service) changeFilter(me linnet.ID, f *linnet.Filter, c linnet.FilterChange) error {
	if c.Title != nil {
		t, err := TitleText(*c.Title, linnet.MaxFilterTitle)
		if err != nil {
			return err
		}
		f.Title = t
	}
	if c.Context != nil && *c.Context&linnet.FilterEverywhere == 0 {
		return linnet.FieldError("context", "ERR_BLANK", "can't be blank: choose home, notifications, public, thread or account")
	}
	core.Set(&f.Context, c.Context)
	core.Set(&f.Action, c.Action)
	if c.ExpiresIn != nil {
		f.ExpiresAt = time.Time{}
		if *c.ExpiresIn > 0 {
			f.ExpiresAt = s.st.Now().Add(*c.ExpiresIn)
		}
	}
	for _, k := range c.Keywords {
		if err := s.changeKeyword(me, f, k); err != nil {
			return err
		}
	}
	return nil
}

// TitleText normalizes a title, or returns an error for an invalid one.
func TitleText(typed string, most int) (string, error) {
	return filterText("title", text.Line(typed), most)
}

// filterText checks a title or keyword. A keyword is stored as typed, because the statuses that it
// matches are as well.
func filterText(field, typed string, most int) (string, error) {
	t := core.Lines(typed)
	switch {
	case t == "":
		return "", linnet.FieldError(field, "ERR_BLANK", "can't be blank")
	case len(t) > 4*most || utf8.RuneCountInString(t) > most:
		return "", linnet.FieldError(field, "ERR_TOO_LONG", "is too long (maximum is %d characters)", most)
	}
	return t, core.CheckMarks(field, t)
}
