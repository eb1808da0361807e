package core

import (
	"context"
	"encoding/json"
	"fmt"

	"linnet/internal/task"
)

// TaskHandler returns a task handler for a function with typed arguments. A nil result means that
// the task is done.
func TaskHandler[T any](f func(context.Context, T) (*T, error)) task.Handler {
	return func(ctx context.Context, raw []byte) (any, error) {
		var args T
		if err := json.Unmarshal(raw, &args); err != nil {
			return nil, fmt.Errorf("decode the arguments of a task: %w", err)
		}
		rest, err := f(ctx, args)
		if rest == nil || err != nil {
			return nil, err
		}
		return rest, nil
	}
}
