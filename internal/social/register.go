package social

import (
	"context"

	"linnet/internal/kv"
	"linnet/internal/linnet"
	"linnet/internal/store/relations"
	"linnet/internal/task"
)

// Membership is what the storey of groups makes of relations to accounts that are
// groups. All of it may be repeated, but for Wanted.
type Membership struct {
	// Wanted is the wish of me to be in a group, who may be silenced by moderators.
	Wanted func(ctx context.Context, me linnet.ID, group *linnet.User, silenced bool) (relations.EdgeChange, error)
	// StepDown ends what me is in a group besides a member, before me leaves it.
	StepDown func(ctx context.Context, me, group linnet.ID) error
	// Joined is told that somebody has come into a group.
	Joined func(ctx context.Context, group *linnet.User, a EdgeArgs) error
	// Left is told that somebody no longer follows what is a group, a person, or no
	// longer there: nil.
	Left func(ctx context.Context, group *linnet.User, a EdgeArgs) error
	// EndRole ends the role in a group of somebody who has left it, or the world.
	EndRole func(ctx context.Context, group, who linnet.ID) error
}

// Listing is what the storey of lists does when people part.
type Listing struct {
	// Part takes other out of me's lists, for as long as barred holds.
	Part func(ctx context.Context, me, other linnet.ID, barred kv.Cond) error
	// Forget deletes the lists of a deleted user, and says how many there were.
	Forget func(ctx context.Context, user linnet.ID) (int, error)
}

// Eraser deletes a status and starts the task that cleans up after it. It reports
// false if the status was gone already.
type Eraser func(ctx context.Context, st *linnet.Status, start func(task.Task)) (bool, error)

// UseMembership sets what groups make of relations.
func (s *Service) UseMembership(m Membership) { s.membership = m }

// UseListing sets what lists do when people part.
func (s *Service) UseListing(l Listing) { s.listing = l }

// OnGroupRequest sets who tells those who run a group that somebody asks to be let in.
func (s *Service) OnGroupRequest(tell func(ctx context.Context, group *linnet.User, from linnet.ID) error) {
	s.tellRequest = tell
}

// EraseBy sets who deletes statuses.
func (s *Service) EraseBy(erase Eraser) { s.erase = erase }

// OnAction sets who is told of what people do.
func (s *Service) OnAction(f func(context.Context, Action) error) { s.onAction = f }
