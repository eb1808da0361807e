package social

import (
	"context"

	"linnet/internal/linnet"
	"linnet/internal/task"
)

// Posts is what people and groups need of statuses: groups write messages, and what
// somebody has posted goes with the account.
type Posts interface {
	// Erase deletes a status and starts the task that cleans up after it. It reports
	// false if the status was gone already.
	Erase(ctx context.Context, st *linnet.Status, start func(task.Task)) (bool, error)
	// TellRequest tells those who run a group that somebody asks to be let in, once an
	// hour however often they ask.
	TellRequest(ctx context.Context, group *linnet.User, from linnet.ID) error
	// TellOffer tells somebody that they are invited into a group.
	TellOffer(ctx context.Context, group *linnet.User, by, who linnet.ID) error
}
