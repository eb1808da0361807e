package core

import (
	"context"
	"time"

	"linnet/internal/linnet"
)

// Observer receives events for metrics. Its functions must be fast and safe for concurrent use. Nil
// functions are skipped.
type Observer struct {
	Posted      func(linnet.Visibility)
	Delivered   func(timeline string, inline bool, feeds int)                         // "home" or "list"
	FannedOut   func(delay time.Duration)                                             // from the action to the last follower's feed
	TaskBegins  func(ctx context.Context, kind string) (context.Context, func(error)) // a batch starts; returns its context and a function to call at its end
	TaskEnded   func(kind, outcome string, took time.Duration)                        // "done", "failed" or "dead"
	EventSent   func(linnet.EventType)
	LoginFailed func()
	Refused     func(what string)    // a rate limit was reached
	Pushed      func(outcome string) // an attempt to push to a device is over, see NotePushed
	Mailed      func(outcome string) // an attempt to send an e-mail is over, see NoteMailed
	Previewed   func(outcome string) // an attempt to fetch a linked page or picture is over, see NotePreviewed
}

// The Note methods report events to an Observer, which can be nil.
//
// NotePosted reports a new status.
func (o *Observer) NotePosted(v linnet.Visibility) {
	if o != nil && o.Posted != nil {
		o.Posted(v)
	}
}

// NoteDelivered reports a batch that was pushed to n feeds.
func (o *Observer) NoteDelivered(timeline string, inline bool, n int) {
	if o != nil && o.Delivered != nil && n > 0 {
		o.Delivered(timeline, inline, n)
	}
}

// NoteFannedOut reports that a status has reached the last feed, and how long after it was posted.
func (o *Observer) NoteFannedOut(delay time.Duration) {
	if o != nil && o.FannedOut != nil {
		o.FannedOut(delay)
	}
}

// NoteTaskBegins reports the start of a batch. It returns the context of the batch and a function
// to call at its end.
func (o *Observer) NoteTaskBegins(ctx context.Context, kind string) (context.Context, func(error)) {
	if o != nil && o.TaskBegins != nil {
		return o.TaskBegins(ctx, kind)
	}
	return ctx, func(error) {}
}

// NoteTaskEnded reports the end of a batch of a task.
func (o *Observer) NoteTaskEnded(kind, outcome string, took time.Duration) {
	if o != nil && o.TaskEnded != nil {
		o.TaskEnded(kind, outcome, took)
	}
}

// NoteEventSent reports an event that was sent to a listener.
func (o *Observer) NoteEventSent(t linnet.EventType) {
	if o != nil && o.EventSent != nil {
		o.EventSent(t)
	}
}

// NotePushed reports the outcome of an attempt to push: "sent"; "gone" if the subscription has
// ended; "later" if it will be tried again; "failed" if not.
func (o *Observer) NotePushed(outcome string) {
	if o != nil && o.Pushed != nil {
		o.Pushed(outcome)
	}
}

// NoteMailed reports the outcome of an attempt to send an e-mail: "sent"; "later" if it will be
// tried again; "refused" if the receiver or the e-mail is not accepted; "failed" after too many
// attempts.
func (o *Observer) NoteMailed(outcome string) {
	if o != nil && o.Mailed != nil {
		o.Mailed(outcome)
	}
}

// NotePreviewed reports the outcome of fetching the page of a link: "found"; "nothing" if it has no
// card; "failed" if it can be tried again; "refused" if the address must not be fetched.
func (o *Observer) NotePreviewed(outcome string) {
	if o != nil && o.Previewed != nil {
		o.Previewed(outcome)
	}
}

// NoteLoginFailed reports a wrong password or code.
func (o *Observer) NoteLoginFailed() {
	if o != nil && o.LoginFailed != nil {
		o.LoginFailed()
	}
}

// NoteRefused reports that a rate limit was reached.
func (o *Observer) NoteRefused(what string) {
	if o != nil && o.Refused != nil {
		o.Refused(what)
	}
}
