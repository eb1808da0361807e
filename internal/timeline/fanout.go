package timeline

import (
	"context"

	"linnet/internal/kv"
	"linnet/internal/linnet"
)

const (
	// BatchSize is how many feeds one pass pushes to (POSTS_PER_PASS in the book).
	BatchSize = 1000
	// RepostsPass is how many reposts of a deleted status one pass deletes, or how many
	// replies it marks: each takes as long as twenty feeds.
	RepostsPass = 50
)

// Stages of carrying a status out or taking it back.
const (
	StageFirst      = iota // what is not a feed of followers or lists
	StageFollowers         // home feeds, in passes
	StageLists             // feeds of lists that contain the author, in passes
	StageWatchers          // people who are told of each status
	StageAdmirers          // favourites of a deleted status (erasing only)
	StageReposts           // reposts of a deleted status (erasing only)
	StagePromotions        // promotions of a deleted status (erasing only)
	StageReplies           // replies to a deleted status (erasing only)
	StageClosed            // those that not everybody may see (erasing only)
	StageDone
)

// Cursor is how far the passes over a set have come.
type Cursor struct {
	Stage int       `json:"stage"`
	From  kv.Member `json:"from"`
}

// Next moves on: further in this set if the pass was full, else to a stage.
func (w Cursor) Next(full bool, from kv.Member, stage int) Cursor {
	if !full {
		return Cursor{Stage: stage}
	}
	return Cursor{Stage: w.Stage, From: from}
}

// EachBatch handles the next members of a set.
func (s *Service) EachBatch(ctx context.Context, key kv.Key, w Cursor, then int, f func([]linnet.ID) error) (int, Cursor, error) {
	return s.EachBatchOf(ctx, BatchSize, key, w, then, f)
}

// EachBatchOf is passOver for at most size members, which cost as much of a pass as
// passSize of the usual ones.
func (s *Service) EachBatchOf(ctx context.Context, size int, key kv.Key, w Cursor, then int, f func([]linnet.ID) error) (int, Cursor, error) {
	ids, from, err := s.st.After(ctx, key, w.From, size)
	if err != nil {
		return 0, w, err
	}
	if len(ids) > 0 {
		if err := f(ids); err != nil {
			return 0, w, err
		}
	}
	return len(ids) * BatchSize / size, w.Next(len(ids) == size, from, then), nil
}
