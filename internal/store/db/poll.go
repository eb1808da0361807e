package db

import (
	"linnet/internal/kv"
	"linnet/internal/linnet"
	"linnet/internal/record"
)

// PollRef has the votes in a poll after Run.
type PollRef struct {
	Voters int64   // number of voters
	Counts []int64 // votes by option
	Own    linnet.Choices
}

// Poll reads the votes in the poll of a status, and a viewer's own votes (0: none). They are not
// cached, because each vote changes them.
func (b *Batch) Poll(status linnet.ID, options int, viewer linnet.ID) *PollRef {
	ref := &PollRef{Counts: make([]int64, options)}
	all := &kv.Counters{Key: record.BallotsKey(status), Names: record.BallotNames()[:1+options]}
	b.ask(all, func() error {
		ref.Voters = max(all.Values[0], 0)
		for i := range ref.Counts {
			ref.Counts[i] = max(all.Values[1+i], 0)
		}
		return nil
	})
	if viewer != 0 {
		mine := &kv.Scores{Key: record.VotersKey(status), Members: []string{viewer.String()}}
		b.ask(mine, func() error {
			if mine.Found[0] {
				ref.Own = linnet.Choices(mine.Values[0])
			}
			return nil
		})
	}
	return ref
}
