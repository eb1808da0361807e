package social

import (
	"context"

	"linnet/internal/linnet"
)

const (
	threadDepth = 20 // levels of descendants
	threadWidth = 60 // direct replies read of each status
)

// Thread shows a status's conversation: its ancestors, oldest first, and its
// descendants, each after its parent. What the viewer may not see is left out,
// and with it the replies to it only where nothing else leads to them.
// https://docs.joinmastodon.org/methods/statuses/#context
func (s *Service) Thread(ctx context.Context, viewer, id linnet.ID) (t linnet.Thread, err error) {
	v, err := s.Status(ctx, viewer, id)
	if err != nil {
		return t, err
	}
	st := &v.Status
	if v.Repost != nil {
		st = &v.Repost.Status
	}
	if t.Ancestors, err = s.ancestors(ctx, viewer, st.InReplyTo); err != nil {
		return t, err
	}
	t.Descendants, err = s.descendants(ctx, viewer, st.ID)
	return t, err
}

// ancestors goes up from a status. Each is known only from the one below it.
func (s *Service) ancestors(ctx context.Context, viewer, id linnet.ID) ([]linnet.StatusView, error) {
	var up []linnet.StatusView
	for range linnet.MaxThreadAncestors {
		if id == 0 {
			break
		}
		l := s.loader(viewer)
		l.at = linnet.FilterThread
		l.want(id, 0)
		if err := l.run(ctx); err != nil {
			return nil, err
		}
		ref := l.status(id)
		if ref.Status == nil {
			break
		}
		if v, ok := l.view(id); ok && !l.relation(v.Author).Blocks() {
			up = append(up, v)
		}
		id = ref.Status.InReplyTo
	}
	down := make([]linnet.StatusView, 0, len(up))
	for i := len(up) - 1; i >= 0; i-- {
		down = append(down, up[i])
	}
	return down, nil
}

// descendants goes down level by level, then puts each status after its parent.
func (s *Service) descendants(ctx context.Context, viewer, root linnet.ID) ([]linnet.StatusView, error) {
	children := map[linnet.ID][]linnet.ID{}
	level := []linnet.ID{root}
	var all []linnet.ID
	for depth := 0; depth < threadDepth && len(level) > 0 && len(all) < linnet.MaxThreadStatuses; depth++ {
		replies, err := s.st.Replies(ctx, level, threadWidth)
		if err != nil {
			return nil, kvError(err)
		}
		var next []linnet.ID
		for i, parent := range level {
			room := max(linnet.MaxThreadStatuses-len(all), 0)
			ids := replies[i][:min(len(replies[i]), room)]
			children[parent] = ids
			next, all = append(next, ids...), append(all, ids...)
		}
		level = next
	}
	l := s.loader(viewer)
	l.at = linnet.FilterThread
	for _, id := range all {
		l.want(id, 0)
	}
	if err := l.run(ctx); err != nil {
		return nil, err
	}
	out := make([]linnet.StatusView, 0, len(all))
	var walk func(linnet.ID)
	walk = func(parent linnet.ID) {
		for _, id := range children[parent] {
			if v, ok := l.view(id); ok && !l.relation(v.Author).Blocks() {
				out = append(out, v)
			}
			walk(id)
		}
	}
	walk(root)
	return out, nil
}
