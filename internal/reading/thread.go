package reading

import (
	"context"
	"fmt"
	"slices"

	"linnet/internal/core"
	"linnet/internal/linnet"
	"linnet/internal/store/db"
	"linnet/internal/store/statuses"
	"linnet/internal/timeline"
)

const (
	threadBatch = 200   // statuses that are read at once
	closedMost  = 1000  // replies that aren't public, read for one thread
	repliesMost = 10000 // replies read for one thread, visible or not
)

// Thread returns the conversation of a status: its ancestors, oldest first, and its descendants,
// each after its parent. Invisible statuses are left out and not counted. Replies to them are shown
// if they are visible.
// https://docs.joinmastodon.org/methods/statuses/#context
func (s *Service) Thread(ctx context.Context, viewer, id linnet.ID, q linnet.ThreadQuery) (t linnet.Thread, err error) {
	l := s.view.Loader(viewer)
	l.Want(id, 0)
	v, err := l.Show(ctx, id)
	if err != nil {
		return t, err
	}
	root := l.Status(v.ID)
	if v.Repost != nil {
		root = l.Status(v.Repost.ID)
	}
	if t.Ancestors, err = s.ancestors(ctx, viewer, root.Status.ThreadParent()); err != nil {
		return t, err
	}
	p, err := s.core.OpenPage(ctx, threadName(viewer, root.Status.ID), linnet.Page{Min: q.After})
	if err != nil {
		return t, err
	}
	after, err := p.Min.ID() // the direct reply after which the thread continues
	if err != nil {
		return t, err
	}
	d := &descent{s: s, viewer: viewer, room: linnet.MaxThreadStatuses, children: map[linnet.ID][]linnet.ID{}, views: map[linnet.ID]linnet.StatusView{}}
	if viewer != 0 {
		d.room = linnet.MaxThreadReader
	}
	if q.Most > 0 {
		d.room = min(d.room, q.Most)
		d.deeper = d.room / 3
	}
	if err := d.run(ctx, root, after); err != nil {
		return t, err
	}
	t.Descendants, t.Cut = d.flat(root.Status.ID), d.cut
	_, visible := d.views[d.after]
	t.After, err = timeline.Position{ID: d.after, Hidden: !visible}.Cursor(ctx, s.core, threadName(viewer, root.Status.ID))
	return t, err
}

// threadName returns the name of a thread that a viewer reads.
func threadName(viewer, root linnet.ID) core.ListName {
	return func() string { return fmt.Sprint("thread ", viewer, root) }
}

// ancestors returns the ancestors of a status. It finds each one from the status below it.
func (s *Service) ancestors(ctx context.Context, viewer, id linnet.ID) ([]linnet.StatusView, error) {
	most := linnet.MaxThreadAncestors
	if viewer != 0 {
		most = linnet.MaxThreadDepth
	}
	var up []linnet.StatusView
	for range most {
		if id == 0 {
			break
		}
		l := s.view.Loader(viewer)
		l.At = linnet.FilterThread
		l.Want(id, 0)
		if err := l.Run(ctx); err != nil {
			return nil, err
		}
		ref := l.Status(id)
		if ref.Status == nil {
			break
		}
		if v, ok := l.View(id); ok && !l.Relation(v.Author).Blocks() {
			up = append(up, v)
		}
		id = ref.Status.ThreadParent()
	}
	down := make([]linnet.StatusView, 0, len(up))
	for i := len(up) - 1; i >= 0; i-- {
		down = append(down, up[i])
	}
	return down, nil
}

// descent reads a thread level by level, so that the upper levels of a large thread are complete.
// Only visible statuses count. Replies that aren't public are stored separately and have their own
// limit, so that they can't displace other replies.
type descent struct {
	s        *Service
	viewer   linnet.ID
	room     int // statuses that can still be shown
	deeper   int // part of room that is reserved for levels below the direct replies
	read     int // replies read so far
	closed   int // those among them that aren't public
	children map[linnet.ID][]linnet.ID
	views    map[linnet.ID]linnet.StatusView
	after    linnet.ID
	cut      map[linnet.ID]bool
}

// branch is a status whose replies are read.
type branch struct {
	id           linnet.ID
	open, closed int64     // number of its replies
	from         linnet.ID // only replies after this one are read
}

func branchOf(ref *db.StatusRef) branch {
	return branch{id: ref.Status.ID, open: ref.Replies, closed: ref.Closed}
}

// limits returns the numbers of public and other replies to read at a time; 0 for none.
func (d *descent) limits(b branch) (open, closed int) {
	if b.open > 0 {
		open = int(min(b.open+1, threadBatch)) // one more than exist, to detect the end
	}
	if b.closed > 0 && d.closed < closedMost {
		closed = int(min(b.closed+1, threadBatch))
	}
	return open, closed
}

// run reads the descendants of root. It reads only direct replies after a given one.
func (d *descent) run(ctx context.Context, root *db.StatusRef, after linnet.ID) error {
	top := branchOf(root)
	top.from = after
	level := []branch{top}
	d.room -= d.deeper
	for depth := 0; len(level) > 0; depth++ {
		var next []branch
		for len(level) > 0 && depth < linnet.MaxThreadDepth && d.room > 0 && d.read < repliesMost {
			var below []branch
			var err error
			if level, below, err = d.step(ctx, level); err != nil {
				return err
			}
			next = append(next, below...)
		}
		if depth == 0 {
			d.room += d.deeper
			if len(level) > 0 {
				d.after = level[0].from
			}
		}
		for _, b := range level { // with replies that are not shown completely
			if d.cut == nil {
				d.cut = map[linnet.ID]bool{}
			}
			d.cut[b.id] = true
		}
		level = next
	}
	return nil
}

// step reads some replies of the first branches of a level. It returns the rest of the level and
// the branches that begin at these replies.
func (d *descent) step(ctx context.Context, level []branch) (left, below []branch, err error) {
	asked, err := d.ask(ctx, level)
	if err != nil {
		return nil, nil, err
	}
	l := d.s.view.Loader(d.viewer)
	l.At = linnet.FilterThread
	for _, a := range asked {
		for _, id := range a.found {
			l.Want(id, 0)
		}
	}
	if err := l.Run(ctx); err != nil {
		return nil, nil, err
	}
	for i, a := range asked {
		b := level[i]
		for _, id := range a.found {
			ref := l.Status(id)
			if ref.Status == nil {
				continue
			}
			if v, ok := l.View(id); ok && !l.Relation(v.Author).Blocks() {
				if d.room <= 0 {
					return append([]branch{b}, level[i+1:]...), below, nil
				}
				d.room--
				d.views[id] = v
			}
			b.from = id
			d.children[b.id] = append(d.children[b.id], id)
			if next := branchOf(ref); next.open > 0 || next.closed > 0 {
				below = append(below, next)
			}
		}
		if a.last != 0 {
			b.from = a.last
			left = append(left, b)
		}
	}
	return append(left, level[len(asked):]...), below, nil
}

// asked has the next replies to a status, oldest first.
type asked struct {
	found []linnet.ID
	last  linnet.ID // position to continue; 0 at the end
}

// ask reads the next replies of the first branches of a level, as many as fill a
// batch.
func (d *descent) ask(ctx context.Context, level []branch) ([]asked, error) {
	var asks []*statuses.Replies
	var of []int // index of the branch of each query
	n := 0
	for sum := 0; n < len(level) && sum < threadBatch; n++ {
		b := level[n]
		open, closed := d.limits(b)
		if open > 0 {
			asks, of = append(asks, &statuses.Replies{To: b.id, After: b.from, Limit: open}), append(of, n)
		}
		if closed > 0 {
			asks, of = append(asks, &statuses.Replies{To: b.id, After: b.from, Limit: closed, Closed: true}), append(of, n)
		}
		sum += open + closed
	}
	if err := d.s.st.Statuses.Replies(ctx, asks...); err != nil {
		return nil, core.StoreError(err)
	}
	out := make([]asked, n)
	for i, a := range asks {
		to := &out[of[i]]
		to.found = append(to.found, a.Found...)
		if a.Last != 0 && (to.last == 0 || a.Last < to.last) {
			to.last = a.Last
		}
		d.read += a.Read
		if a.Closed {
			d.closed += a.Read
		}
	}
	for i := range out { // later replies come with the next read, together with the replies of the other kind
		slices.Sort(out[i].found)
		if last := out[i].last; last != 0 {
			out[i].found = slices.DeleteFunc(out[i].found, func(id linnet.ID) bool { return id > last })
		}
	}
	return out, nil
}

// flat returns the shown statuses, each after its parent.
func (d *descent) flat(root linnet.ID) []linnet.StatusView {
	out := make([]linnet.StatusView, 0, len(d.views))
	var walk func(linnet.ID)
	walk = func(parent linnet.ID) {
		for _, id := range d.children[parent] {
			if v, ok := d.views[id]; ok {
				out = append(out, v)
			}
			walk(id)
		}
	}
	walk(root)
	return out
}
