package social

import (
	"context"

	"linnet/internal/linnet"
)

// verdict is what becomes of a notification about to be made.
type verdict uint8

const (
	told verdict = iota
	dropped
)

// judged is a notification with its verdict.
type judged struct {
	linnet.Notification
	verdict verdict
}

// told says whether a notification is to be made: it has a type, and its
// recipient wants it.
func (n judged) told() bool { return n.Type != "" && n.verdict != dropped }

// judge decides for each recipient whether they want a notification, in one round
// trip. about is the status that it concerns, or nil.
func (s *Service) judge(ctx context.Context, about *linnet.Status, _ linnet.Notification, to []linnet.ID) ([]verdict, error) {
	verdicts := make([]verdict, len(to))
	if about == nil || len(to) == 0 {
		return verdicts, nil
	}
	b := s.st.Batch()
	muted := make([]*bool, len(to))
	for i, id := range to {
		muted[i] = b.ThreadMuted(id, about.Conversation)
	}
	if err := b.Run(ctx); err != nil {
		return nil, err
	}
	for i := range to {
		if *muted[i] {
			verdicts[i] = dropped
		}
	}
	return verdicts, nil
}

// chosen are those of a list whose position is wanted.
func chosen(ids []linnet.ID, wanted func(i int) bool) []linnet.ID {
	out := make([]linnet.ID, 0, len(ids))
	for i, id := range ids {
		if wanted(i) {
			out = append(out, id)
		}
	}
	return out
}
