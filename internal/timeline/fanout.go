package timeline

import (
	"context"
	"encoding/json"
	"strconv"

	"linnet/internal/kv"
	"linnet/internal/linnet"
)

const (
	// BatchSize is the number of feeds that one batch writes (POSTS_PER_PASS in the book).
	BatchSize = 1000
	// FirstBatch is the number of feeds that are written before the response. With Redis a whole
	// batch takes about 7 ms, and most authors have fewer followers.
	FirstBatch = 100
	// RepostsPass is the number of boosts of a deleted status that one batch deletes, or of replies
	// that it marks. Each takes as long as about twenty feeds.
	RepostsPass = 50
)

// Stage is the name of a step of a task with batches. Names are stored in the arguments of tasks,
// so an unused one must stay readable.
type Stage string

// First and last stage of all tasks. Each task has its own names for stages between them.
const (
	StageFirst Stage = "first"
	StageDone  Stage = "done"
)

// UnmarshalJSON reads a stage. Earlier releases wrote numbers, which become their digits.
func (s *Stage) UnmarshalJSON(b []byte) error {
	var n json.Number
	if err := json.Unmarshal(b, &n); err == nil && len(b) > 0 && b[0] != '"' {
		*s = Stage(n)
		return nil
	}
	return json.Unmarshal(b, (*string)(s))
}

// Named converts the number of an earlier release, which is an index of stages, to its stage. An
// empty stage becomes the first one. Others are unchanged.
func (s Stage) Named(stages []Stage) Stage {
	if s == "" {
		return stages[0]
	}
	if n, err := strconv.Atoi(string(s)); err == nil && n >= 0 && n < len(stages) {
		return stages[n]
	}
	return s
}

// Cursor is the progress of batches over a set.
type Cursor struct {
	Stage Stage     `json:"stage"`
	From  kv.Member `json:"from"`
}

// At returns the cursor if it is in a stage, or else the beginning of the stage.
func (w Cursor) At(stage Stage) Cursor {
	if w.Stage != stage {
		return Cursor{Stage: stage}
	}
	return w
}

// Next advances the cursor: within the set if the batch was full, or else to a stage.
func (w Cursor) Next(full bool, from kv.Member, stage Stage) Cursor {
	if !full {
		return Cursor{Stage: stage}
	}
	return Cursor{Stage: w.Stage, From: from}
}

// EachBatch calls f for the next members of a set.
func (s *Service) EachBatch(ctx context.Context, key kv.Key, w Cursor, then Stage, f func([]linnet.ID) error) (int, Cursor, error) {
	return s.EachBatchOf(ctx, BatchSize, key, w, then, f)
}

// EachBatchOf calls f for at most size members. They cost as much as passSize members of other
// sets.
func (s *Service) EachBatchOf(ctx context.Context, size int, key kv.Key, w Cursor, then Stage, f func([]linnet.ID) error) (int, Cursor, error) {
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
