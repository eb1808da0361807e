package social

import (
	"context"

	"linnet/internal/kv"
	"linnet/internal/linnet"
	"linnet/internal/store/relations"
	"linnet/internal/task"
)

// Membership has the rules of groups for relations to accounts that are groups. All functions except
// Wanted can run more than once.
type Membership struct {
	// Wanted returns the relation that a request of me to join a group creates. silenced reports
	// whether moderators have silenced me.
	Wanted func(ctx context.Context, me linnet.ID, group *linnet.User, silenced bool) (relations.EdgeChange, error)
	// StepDown ends the role of me in a group before me leaves it.
	StepDown func(ctx context.Context, me, group linnet.ID) error
	// Joined handles a new member.
	Joined func(ctx context.Context, group *linnet.User, a EdgeArgs) error
	// Left handles the end of a follow. group is nil if the followed account is deleted.
	Left func(ctx context.Context, group *linnet.User, a EdgeArgs) error
	// EndRole ends the role of a former member or a deleted user.
	EndRole func(ctx context.Context, group, who linnet.ID) error
}

// Listing has the rules of lists for users who are blocked or deleted.
type Listing struct {
	// Part removes other from me's lists if barred holds.
	Part func(ctx context.Context, me, other linnet.ID, barred kv.Cond) error
	// Forget deletes the lists of a deleted user and returns their number.
	Forget func(ctx context.Context, user linnet.ID) (int, error)
}

// Eraser deletes statuses.
type Eraser interface {
	// Erase deletes a status and starts the task that cleans up after it. It returns false if the
	// status was already deleted.
	Erase(ctx context.Context, st *linnet.Status, start func(task.Task)) (bool, error)
}

// UseMembership sets the rules of groups.
func (s *Service) UseMembership(m Membership) { s.membership = m }

// UseListing sets the rules of lists.
func (s *Service) UseListing(l Listing) { s.listing = l }
