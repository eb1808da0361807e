package core

import (
	"context"
	"encoding/json"
	"strconv"
	"sync"

	"linnet/internal/kv"
	"linnet/internal/linnet"
)

// Event is a message between servers: one per action, never one per follower.
type Event struct {
	Type         linnet.EventType  `json:"t"`
	Status       linnet.ID         `json:"s,omitempty"`
	To           linnet.ID         `json:"to,omitempty"`
	Notice       linnet.ID         `json:"n,omitempty"`
	Conversation linnet.ID         `json:"c,omitempty"` // a conversation of To's
	Session      string            `json:"ses,omitempty"`
	Author       linnet.ID         `json:"by,omitempty"` // author of a deleted status
	Visibility   linnet.Visibility `json:"vis,omitempty"`
	Tags         []string          `json:"tags,omitempty"`
	Mentions     []linnet.ID       `json:"m,omitempty"`
	Group        linnet.ID         `json:"g,omitempty"`  // group of a deleted post that only its members could read
	Watchers     []linnet.ID       `json:"w,omitempty"`  // users with a notification about a status
	Of           linnet.ID         `json:"of,omitempty"` // author of the status of a deleted promotion, with the promoters
	Promoters    []linnet.ID       `json:"p,omitempty"`
	Edited       int64             `json:"ed,omitempty"` // when the status was edited, Unix milliseconds
	Announcement linnet.ID         `json:"a,omitempty"`
	Set          uint64            `json:"v,omitempty"`  // version of all announcements (with Announcement) or of all roles
	Name         string            `json:"na,omitempty"` // name and count of a reaction
	Count        int64             `json:"k,omitempty"`
	Ended        int64             `json:"e,omitempty"` // when the poll expired that Watchers are notified of, in Unix milliseconds
}

const (
	EventEnd    linnet.EventType = "end"    // a session is over
	EventUser   linnet.EventType = "user"   // moderators have changed To's permissions: reload its sessions
	EventRoles  linnet.EventType = "roles"  // the version of the custom roles has changed
	EventReader linnet.EventType = "reader" // To's follows or lists have changed

	topics = 16
)

// Emit sends an event to all servers. Delivery is not guaranteed: clients fetch the events they
// missed.
func (s *Service) Emit(ctx context.Context, subject linnet.ID, ev Event) {
	if q, ok := ctx.Value(asyncKey{}).(*asyncEvents); ok {
		q.send(func() { s.emit(q.ctx, subject, ev) })
		return
	}
	s.emit(ctx, subject, ev)
}

// AsyncEvents returns a context with which Emit sends events in the background, one after the
// other. wait must be called before the response, so that events of a later action come later.
func AsyncEvents(ctx context.Context) (with context.Context, wait func()) {
	q := &asyncEvents{ctx: ctx}
	return context.WithValue(ctx, asyncKey{}, q), q.wait
}

type asyncKey struct{}

// asyncEvents has the pending events of an action.
type asyncEvents struct {
	ctx  context.Context // context of the action; those of background batches can end before
	mu   sync.Mutex
	last chan struct{} // is closed when the latest event has been sent; nil: there was none
}

func (q *asyncEvents) send(event func()) {
	q.mu.Lock()
	defer q.mu.Unlock()
	before, sent := q.last, make(chan struct{})
	q.last = sent
	go func() {
		defer close(sent)
		if before != nil {
			<-before
		}
		event()
	}()
}

func (q *asyncEvents) wait() {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.last != nil {
		<-q.last
	}
}

func (s *Service) emit(ctx context.Context, subject linnet.ID, ev Event) {
	b, err := json.Marshal(ev)
	if err == nil {
		err = s.bus.Publish(ctx, "events."+strconv.Itoa(int(subject.Shard())%topics), b)
	}
	if err != nil && ctx.Err() == nil {
		s.opt.Log.Debug("cannot publish event", "type", ev.Type, "err", err)
	}
}

// SubscribeEvents subscribes to the events of all servers.
func (s *Service) SubscribeEvents(ctx context.Context) (kv.Subscription, error) {
	names := make([]string, topics)
	for i := range names {
		names[i] = "events." + strconv.Itoa(i)
	}
	return s.bus.Subscribe(ctx, names...)
}
