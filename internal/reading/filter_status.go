package reading

import (
	"context"
	"slices"

	"linnet/internal/core"
	"linnet/internal/linnet"
)

// FilterStatus returns a status of the user's filters.
func (s *Service) FilterStatus(ctx context.Context, me, id linnet.ID) (linnet.FilterStatus, error) {
	set, err := s.st.Inbox.Filters(ctx, me)
	if err != nil {
		return linnet.FilterStatus{}, core.StoreError(err)
	}
	f, i := filteredIn(set, id)
	if f == nil {
		return linnet.FilterStatus{}, errNoFilter
	}
	return f.Statuses[i], nil
}

func filteredIn(set *linnet.FilterSet, id linnet.ID) (*linnet.Filter, int) {
	for n := range set.Filters {
		f := &set.Filters[n]
		if i := slices.IndexFunc(f.Statuses, func(st linnet.FilterStatus) bool { return st.ID == id }); i >= 0 {
			return f, i
		}
	}
	return nil, 0
}

// AddFilterStatus adds a visible status to a filter of me. The status can be deleted later.
func (s *Service) AddFilterStatus(ctx context.Context, me, filter, status linnet.ID) (out linnet.FilterStatus, err error) {
	if _, err := s.Filter(ctx, me, filter); err != nil {
		return out, err
	}
	if _, err := s.view.Status(ctx, me, status); err != nil {
		return out, err
	}
	err = s.changeFilters(ctx, me, func(set *linnet.FilterSet) error {
		f, err := filterIn(set, filter)
		switch {
		case err != nil:
			return err
		case slices.ContainsFunc(f.Statuses, func(st linnet.FilterStatus) bool { return st.Status == status }):
			return linnet.FieldError("status_id", "ERR_TAKEN", "is already in this filter")
		case len(f.Statuses) >= linnet.MaxFilterStatuses:
			return linnet.FieldError("status_id", "ERR_TOO_LONG", "can't be added: a filter can have at most %d posts. Remove one first", linnet.MaxFilterStatuses)
		}
		out = linnet.FilterStatus{ID: s.st.NewID(me.Shard(), 0), Status: status}
		f.Statuses = append(f.Statuses, out)
		return nil
	})
	return out, err
}

// DeleteFilterStatus removes a status from a filter.
func (s *Service) DeleteFilterStatus(ctx context.Context, me, id linnet.ID) error {
	return s.changeFilters(ctx, me, func(set *linnet.FilterSet) error {
		f, i := filteredIn(set, id)
		if f == nil {
			return errNoFilter
		}
		f.Statuses = slices.Delete(f.Statuses, i, i+1)
		return nil
	})
}
