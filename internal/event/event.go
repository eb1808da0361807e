// Package event carries facts from the service that owns a change to the services that react to it.
// Package app registers all handlers in one function, before anything is emitted.
//
// The task or request that has made the change emits the fact after the commit. Handlers run at
// once, in the order of their registration, and can run more than once for a change. If one fails,
// the emitter returns the error, so a task is retried and emits the fact again.
//
// Facts are for consequences. A service that needs an answer from another one gets it as an
// argument of its constructor. Messages between servers are events of core.Service.Emit.
package event

import (
	"context"
	"errors"
	"time"

	"linnet/internal/linnet"
)

// Facts has the handlers of every fact. The zero Facts has none.
type Facts struct {
	Posted             Handlers[Posted]
	FannedOut          Handlers[FannedOut]
	Edited             Handlers[Edited]
	Deleted            Handlers[Deleted]
	FirstVote          Handlers[FirstVote]
	VotesChanged       Handlers[VotesChanged]
	FeedFollowed       Handlers[FeedFollowed]
	GroupRequested     Handlers[GroupRequested]
	GroupInvited       Handlers[GroupInvited]
	SignedUp           Handlers[SignedUp]
	SignUpExpired      Handlers[SignUpExpired]
	PermissionsChanged Handlers[PermissionsChanged]
	SecurityLogged     Handlers[SecurityLogged]
	UserActive         Handlers[UserActive]
	BecamePrivate      Handlers[BecamePrivate]
}

// Handlers are the functions that receive facts of type F.
type Handlers[F any] []func(context.Context, F) error

// Add registers handlers. It must not be called concurrently with Emit.
func (h *Handlers[F]) Add(f ...func(context.Context, F) error) { *h = append(*h, f...) }

// Emit calls all handlers and returns their errors.
func (h Handlers[F]) Emit(ctx context.Context, fact F) error {
	var failed error
	for _, f := range h {
		if err := f(ctx, fact); err != nil {
			failed = errors.Join(failed, err)
		}
	}
	return failed
}

// Posted reports that a status was published.
type Posted struct {
	Status *linnet.Status
	Queued time.Time // when it entered the queue of the search index
}

// FannedOut reports that a status is in the home feeds of all followers.
type FannedOut struct{ Delay time.Duration } // since it was posted

// Edited reports that the text of a status was changed.
type Edited struct {
	Status *linnet.Status
	Queued time.Time // when it entered the queue of the search index
}

// Deleted reports that a status was deleted.
type Deleted struct{ Status *linnet.Status }

// FirstVote reports that a user has favourited or boosted a status for the first time. A retried
// task does not emit it again, since it is only for statistics.
type FirstVote struct{ Status, By linnet.ID }

// VotesChanged reports that a status has a new favourite, boost or reply of another user.
type VotesChanged struct {
	Status *linnet.Status
	Votes  linnet.Votes // includes the new one
}

// FeedFollowed reports that a user follows the account of an external feed.
type FeedFollowed struct{ Feed linnet.ID }

// GroupRequested reports that a user has requested to join a group.
type GroupRequested struct {
	Group *linnet.User
	By    linnet.ID
}

// GroupInvited reports that a member has invited a user to a group.
type GroupInvited struct {
	Group  *linnet.User
	By, To linnet.ID
}

// SignedUp reports that a user has signed up. It is not emitted for accounts that staff creates.
type SignedUp struct{ User linnet.ID }

// SignUpExpired reports that the e-mail address of a new account was not confirmed in time.
type SignUpExpired struct{ User linnet.ID }

// PermissionsChanged reports that moderators may have changed the permissions of a user. Only the
// server that made the change emits it.
type PermissionsChanged struct{ User linnet.ID }

// SecurityLogged reports a new entry in the security log of a user.
type SecurityLogged struct {
	User  linnet.ID
	Event linnet.SecurityEvent
}

// UserActive reports that a user has made a request. It is repeated after a while.
type UserActive struct{ User linnet.ID }

// BecamePrivate reports that this server has received settings that hide content from visitors. It
// is also emitted for later versions of such settings.
type BecamePrivate struct{}
