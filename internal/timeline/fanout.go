package timeline

import (
	"context"
	"encoding/json"
	"strconv"

	"linnet/internal/kv"
	"linnet/internal/linnet"
)

const (
	// BatchSize is how many feeds one pass pushes to (POSTS_PER_PASS in the book).
	BatchSize = 1000
	// FirstBatch is how many of these the pass pushes to that is made before an act is
	// answered. On a Redis a whole batch takes some 7 ms, and most authors have fewer.
	FirstBatch = 100
	// RepostsPass is how many reposts of a deleted status one pass deletes, or how many
	// replies it marks: each takes as long as twenty feeds.
	RepostsPass = 50
)

// Stage names a step of work that goes in batches. The names lie in the arguments of
// tasks: one that is no longer used must stay readable.
type Stage string

// Where all work begins and ends; what is between has names of its own.
const (
	StageFirst Stage = "first"
	StageDone  Stage = "done"
)

// UnmarshalJSON reads a stage; a number, which earlier releases wrote, as its digits.
func (s *Stage) UnmarshalJSON(b []byte) error {
	var n json.Number
	if err := json.Unmarshal(b, &n); err == nil && len(b) > 0 && b[0] != '"' {
		*s = Stage(n)
		return nil
	}
	return json.Unmarshal(b, (*string)(s))
}

// Named is the name of a stage that an earlier release wrote as its place among some; of
// none it is the first. Others are as they are.
func (s Stage) Named(places []Stage) Stage {
	if s == "" {
		return places[0]
	}
	if n, err := strconv.Atoi(string(s)); err == nil && n >= 0 && n < len(places) {
		return places[n]
	}
	return s
}

// Cursor is how far the passes over a set have come.
type Cursor struct {
	Stage Stage     `json:"stage"`
	From  kv.Member `json:"from"`
}

// At is the cursor in a stage: from its beginning, if that is not where it stands.
func (w Cursor) At(stage Stage) Cursor {
	if w.Stage != stage {
		return Cursor{Stage: stage}
	}
	return w
}

// Next moves on: further in this set if the pass was full, else to a stage.
func (w Cursor) Next(full bool, from kv.Member, stage Stage) Cursor {
	if !full {
		return Cursor{Stage: stage}
	}
	return Cursor{Stage: w.Stage, From: from}
}

// EachBatch handles the next members of a set.
func (s *Service) EachBatch(ctx context.Context, key kv.Key, w Cursor, then Stage, f func([]linnet.ID) error) (int, Cursor, error) {
	return s.EachBatchOf(ctx, BatchSize, key, w, then, f)
}

// EachBatchOf is passOver for at most size members, which cost as much of a pass as
// passSize of the usual ones.
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
