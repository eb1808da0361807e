package core

import (
	"context"
	"encoding/json"
	"strconv"
	"sync"

	"linnet/internal/kv"
	"linnet/internal/linnet"
)

// Event is what servers tell each other: one an act, never one a follower.
type Event struct {
	Type         linnet.EventType  `json:"t"`
	Status       linnet.ID         `json:"s,omitempty"`
	To           linnet.ID         `json:"to,omitempty"`
	Notice       linnet.ID         `json:"n,omitempty"`
	Conversation linnet.ID         `json:"c,omitempty"` // a conversation of To's
	Session      string            `json:"ses,omitempty"`
	Author       linnet.ID         `json:"by,omitempty"` // of a deleted status, with what follows
	Visibility   linnet.Visibility `json:"vis,omitempty"`
	Tags         []string          `json:"tags,omitempty"`
	Mentions     []linnet.ID       `json:"m,omitempty"`
	Group        linnet.ID         `json:"g,omitempty"`  // of what was for its members alone
	Watchers     []linnet.ID       `json:"w,omitempty"`  // who is told of a status by a notification
	Of           linnet.ID         `json:"of,omitempty"` // the author of what a deleted promotion was of, with those who promoted it
	Promoters    []linnet.ID       `json:"p,omitempty"`
	Edited       int64             `json:"ed,omitempty"` // when the status was edited, Unix milliseconds
	Announcement linnet.ID         `json:"a,omitempty"`
	Set          uint64            `json:"v,omitempty"`  // the version of all announcements, with it; or of all roles
	Name         string            `json:"na,omitempty"` // of a reaction to it, and how many there are
	Count        int64             `json:"k,omitempty"`
	Ended        int64             `json:"e,omitempty"` // when the poll of the status expired of which Watchers are told, Unix milliseconds
}

const (
	EventEnd    linnet.EventType = "end"    // a session is over
	EventUser   linnet.EventType = "user"   // moderators have changed what To may do: sessions are looked up anew
	EventRoles  linnet.EventType = "roles"  // the roles that administrators have made are of another version
	EventReader linnet.EventType = "reader" // whom To follows, or a list of To's, has changed

	topics = 16
)

func topic(subject linnet.ID) string {
	return "events." + strconv.Itoa(int(subject.Shard())%topics)
}

// Emit tells all servers. It is not part of any promise: what is lost here is found
// by fetching.
func (s *Service) Emit(ctx context.Context, subject linnet.ID, ev Event) {
	if a, ok := ctx.Value(asideKey{}).(*aside); ok {
		a.emit(func() { s.emit(a.ctx, subject, ev) })
		return
	}
	s.emit(ctx, subject, ev)
}

// Aside lets what is emitted with the context that it returns be on its way while the act
// goes on, one event after the other. await has to be called before the act is answered:
// what comes of a later act is emitted later.
func Aside(ctx context.Context) (with context.Context, await func()) {
	a := &aside{ctx: ctx}
	return context.WithValue(ctx, asideKey{}, a), a.await
}

type asideKey struct{}

// aside is what an act has under way.
type aside struct {
	ctx  context.Context // of the act: the passes that emit may end before
	mu   sync.Mutex
	last chan struct{} // is closed when the latest event has been sent; nil: there was none
}

func (a *aside) emit(send func()) {
	a.mu.Lock()
	defer a.mu.Unlock()
	before, sent := a.last, make(chan struct{})
	a.last = sent
	go func() {
		defer close(sent)
		if before != nil {
			<-before
		}
		send()
	}()
}

func (a *aside) await() {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.last != nil {
		<-a.last
	}
}

func (s *Service) emit(ctx context.Context, subject linnet.ID, ev Event) {
	b, err := json.Marshal(ev)
	if err == nil {
		err = s.bus.Publish(ctx, topic(subject), b)
	}
	if err != nil && ctx.Err() == nil {
		s.opt.Log.Debug("cannot publish event", "type", ev.Type, "err", err)
	}
}

// SubscribeEvents opens the way for the events of all servers.
func (s *Service) SubscribeEvents(ctx context.Context) (kv.Subscription, error) {
	names := make([]string, topics)
	for i := range names {
		names[i] = "events." + strconv.Itoa(i)
	}
	return s.bus.Subscribe(ctx, names...)
}
