package view

import (
	"context"

	"linnet/internal/core"
	"linnet/internal/linnet"
)

// ForReaders loads the views of one status for several viewers, without matches of filters, in as
// few round trips as for one. Viewers who can't see it get none.
func (s *Service) ForReaders(ctx context.Context, id linnet.ID, viewers []linnet.ID) (map[linnet.ID]*linnet.StatusView, error) {
	b := s.st.Batch()
	all := make([]Loader, len(viewers))
	for i, who := range viewers {
		all[i] = Loader{s: s, Viewer: who, B: b, Reader: b.Reader(who)}
		all[i].Want(id, 0)
	}
	for {
		for i := range all {
			all[i].expand()
		}
		if b.Empty() {
			break
		}
		if err := b.Run(ctx); err != nil {
			return nil, core.StoreError(err)
		}
	}
	views := make(map[linnet.ID]*linnet.StatusView, len(viewers))
	for i := range all {
		if err := all[i].askLeft(ctx); err != nil {
			return nil, err
		}
		if v, ok := all[i].unfiltered(id, 0); ok {
			views[all[i].Viewer] = &v
		}
	}
	return views, nil
}
