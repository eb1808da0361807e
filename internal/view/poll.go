package view

import (
	"context"
	"slices"

	"linnet/internal/linnet"
	"linnet/internal/store/db"
)

// pollSlot is a poll whose votes a Loader has requested.
type pollSlot struct {
	status linnet.ID
	ref    *db.PollRef
}

// askPoll loads the viewer's votes in the poll of a status. Authors have no votes in their own
// polls.
func (l *Loader) askPoll(st *linnet.Status) {
	if st.Poll == nil || slices.ContainsFunc(l.polls, func(p pollSlot) bool { return p.status == st.ID }) {
		return
	}
	viewer := l.Viewer
	if viewer == st.Author {
		viewer = 0
	}
	l.polls = append(l.polls, pollSlot{st.ID, l.B.Poll(st.ID, len(st.Poll.Options), viewer)})
}

// pollView returns the poll of a status for the viewer, or nil.
func (l *Loader) pollView(st *linnet.Status) *linnet.PollView {
	for _, p := range l.polls {
		if p.status != st.ID {
			continue
		}
		v := &linnet.PollView{Poll: st.Poll, ID: st.ID, Voters: p.ref.Voters, Ended: st.Poll.Expired(l.s.st.Now()),
			Voted: p.ref.Own != 0, Own: p.ref.Own.Options()}
		for _, n := range p.ref.Counts {
			v.Votes += n
		}
		if v.Ended || !st.Poll.HideTotals {
			v.Counts = p.ref.Counts
		}
		return v
	}
	return nil
}

// Poll returns a status with a poll. It returns NotFound if it has none.
// https://docs.joinmastodon.org/methods/polls/#get
func (s *Service) Poll(ctx context.Context, viewer, id linnet.ID) (linnet.StatusView, error) {
	v, err := s.Status(ctx, viewer, id)
	if err == nil && v.PollView == nil {
		err = ErrNoStatus
	}
	return v, err
}
