package social

import (
	"context"
	"time"

	"linnet/internal/linnet"
	"linnet/internal/task"
)

// Observer is told of what happens, for metrics. Its functions must be quick and
// safe for concurrent use; nil ones are left out.
type Observer struct {
	Posted      func(linnet.Visibility)
	Delivered   func(timeline string, inline bool, feeds int)  // "home" or "list"
	FannedOut   func(delay time.Duration)                      // from the act to the last follower's feed
	TaskEnded   func(kind, outcome string, took time.Duration) // "done", "failed" or "dead"
	EventSent   func(linnet.EventType)
	LoginFailed func()
	Refused     func(what string) // a rate limit was reached
}

func (o *Observer) posted(v linnet.Visibility) {
	if o != nil && o.Posted != nil {
		o.Posted(v)
	}
}

func (o *Observer) delivered(timeline string, inline bool, n int) {
	if o != nil && o.Delivered != nil && n > 0 {
		o.Delivered(timeline, inline, n)
	}
}

func (o *Observer) fannedOut(delay time.Duration) {
	if o != nil && o.FannedOut != nil {
		o.FannedOut(delay)
	}
}

func (o *Observer) taskEnded(kind, outcome string, took time.Duration) {
	if o != nil && o.TaskEnded != nil {
		o.TaskEnded(kind, outcome, took)
	}
}

func (o *Observer) eventSent(t linnet.EventType) {
	if o != nil && o.EventSent != nil {
		o.EventSent(t)
	}
}

func (o *Observer) loginFailed() {
	if o != nil && o.LoginFailed != nil {
		o.LoginFailed()
	}
}

func (o *Observer) refused(what string) {
	if o != nil && o.Refused != nil {
		o.Refused(what)
	}
}

// State is what this server is doing at the moment.
type State struct {
	Tasks      map[string]TaskState // by kind; every kind is there
	Deliveries int64                // feeds that statuses are still to be pushed to, about
	Streams    map[OpenStream]int
}

// TaskState is what this server holds of one kind of task.
type TaskState struct {
	Held   int
	Oldest time.Duration // for how long it has held the oldest; 0 if there is none
}

// OpenStream names a kind of stream and how it is listened to.
type OpenStream struct {
	Transport string // as Listener.Over has it
	Stream    linnet.StreamKind
}

// State tells what this server is doing at the moment.
func (s *Service) State() State {
	now := s.st.Now()
	st := State{Tasks: map[string]TaskState{}, Deliveries: s.backlog.total(now), Streams: map[OpenStream]int{}}
	for kind, l := range s.tasks.Loads() {
		t := TaskState{Held: l.Held}
		if l.Held > 0 {
			t.Oldest = max(now.Sub(l.Oldest), 0)
		}
		st.Tasks[kind] = t
	}
	for _, l := range s.hub.all() {
		transport, streams := l.state()
		for _, stream := range streams {
			st.Streams[OpenStream{transport, stream.Kind}]++
		}
	}
	return st
}

// DeadTasks counts the tasks of the whole installation that were set aside. It
// reads every shard.
func (s *Service) DeadTasks(ctx context.Context) (int, error) {
	n, err := task.CountDead(ctx, s.st.Engine())
	return n, kvError(err)
}
