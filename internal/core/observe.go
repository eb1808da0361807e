package core

import (
	"context"
	"time"

	"linnet/internal/linnet"
)

// Observer is told of what happens, for metrics. Its functions must be quick and
// safe for concurrent use; nil ones are left out.
type Observer struct {
	Posted      func(linnet.Visibility)
	Active      func(linnet.ID)                                                       // somebody is here; told again after a while
	Delivered   func(timeline string, inline bool, feeds int)                         // "home" or "list"
	FannedOut   func(delay time.Duration)                                             // from the act to the last follower's feed
	TaskBegins  func(ctx context.Context, kind string) (context.Context, func(error)) // a pass: what it runs with, and what is told of its end
	TaskEnded   func(kind, outcome string, took time.Duration)                        // "done", "failed" or "dead"
	EventSent   func(linnet.EventType)
	LoginFailed func()
	Refused     func(what string)    // a rate limit was reached
	Pushed      func(outcome string) // a try to push to a device has ended, see NotePushed
	Mailed      func(outcome string) // a try to send a mail has ended, see NoteMailed
	Previewed   func(outcome string) // a page or picture behind a link was asked for, see NotePreviewed
}

// The Note methods tell what happened to whoever listens; a nil Observer is nobody.
//
// NotePosted: a status was posted.
func (o *Observer) NotePosted(v linnet.Visibility) {
	if o != nil && o.Posted != nil {
		o.Posted(v)
	}
}

// NoteActive: somebody is here.
func (o *Observer) NoteActive(id linnet.ID) {
	if o != nil && o.Active != nil {
		o.Active(id)
	}
}

// NoteDelivered: a batch was pushed to n feeds.
func (o *Observer) NoteDelivered(timeline string, inline bool, n int) {
	if o != nil && o.Delivered != nil && n > 0 {
		o.Delivered(timeline, inline, n)
	}
}

// NoteFannedOut: the last feed has a status, so long after it was posted.
func (o *Observer) NoteFannedOut(delay time.Duration) {
	if o != nil && o.FannedOut != nil {
		o.FannedOut(delay)
	}
}

// NoteTaskBegins: a pass of a task begins. It runs with the context, and its end is told to the
// function.
func (o *Observer) NoteTaskBegins(ctx context.Context, kind string) (context.Context, func(error)) {
	if o != nil && o.TaskBegins != nil {
		return o.TaskBegins(ctx, kind)
	}
	return ctx, func(error) {}
}

// NoteTaskEnded: a batch of a task is over.
func (o *Observer) NoteTaskEnded(kind, outcome string, took time.Duration) {
	if o != nil && o.TaskEnded != nil {
		o.TaskEnded(kind, outcome, took)
	}
}

// NoteEventSent: an event has gone to a listener.
func (o *Observer) NoteEventSent(t linnet.EventType) {
	if o != nil && o.EventSent != nil {
		o.EventSent(t)
	}
}

// NotePushed: a try to push to a device has ended: "sent"; "gone", the subscription is
// over; "later", it is tried again; "failed", it is not.
func (o *Observer) NotePushed(outcome string) {
	if o != nil && o.Pushed != nil {
		o.Pushed(outcome)
	}
}

// NoteMailed: a try to send a mail has ended: "sent"; "later", it is tried again; "refused",
// the receiver or the mail is not taken; "failed", it was tried too often.
func (o *Observer) NoteMailed(outcome string) {
	if o != nil && o.Mailed != nil {
		o.Mailed(outcome)
	}
}

// NotePreviewed: the page behind a link was asked for: "found"; "nothing", it has no card;
// "failed", it may be asked for again; "refused", it lies where nothing may be asked for.
func (o *Observer) NotePreviewed(outcome string) {
	if o != nil && o.Previewed != nil {
		o.Previewed(outcome)
	}
}

// NoteLoginFailed: somebody gave a wrong password or code.
func (o *Observer) NoteLoginFailed() {
	if o != nil && o.LoginFailed != nil {
		o.LoginFailed()
	}
}

// NoteRefused: a rate limit was reached.
func (o *Observer) NoteRefused(what string) {
	if o != nil && o.Refused != nil {
		o.Refused(what)
	}
}
