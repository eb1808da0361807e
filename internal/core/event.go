package core

import (
	"context"
	"encoding/json"
	"strconv"

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
	Ended        int64             `json:"e,omitempty"` // when the poll of the status expired of which Watchers are told, Unix milliseconds
}

const (
	EventEnd    linnet.EventType = "end"    // a session is over
	EventUser   linnet.EventType = "user"   // moderators have changed what To may do: sessions are looked up anew
	EventReader linnet.EventType = "reader" // whom To follows, or a list of To's, has changed

	topics = 16
)

func topic(subject linnet.ID) string {
	return "events." + strconv.Itoa(int(subject.Shard())%topics)
}

// Emit tells all servers. It is not part of any promise: what is lost here is found
// by fetching.
func (s *Service) Emit(ctx context.Context, subject linnet.ID, ev Event) {
	b, err := json.Marshal(ev)
	if err == nil {
		err = s.bus.Publish(ctx, topic(subject), b)
	}
	if err != nil && ctx.Err() == nil {
		s.opt.Log.Debug("publish event", "type", ev.Type, "err", err)
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
