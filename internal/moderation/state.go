package moderation

import (
	"context"
	"time"

	"linnet/internal/core"
	"linnet/internal/task"
)

// State is what this server is doing at the moment.
type State struct {
	Tasks      map[string]TaskState // by kind; every kind is there
	Deliveries int64                // feeds that statuses are still to be pushed to, about
}

// TaskState is what this server holds of one kind of task.
type TaskState struct {
	Held   int
	Oldest time.Duration // how long the oldest has been running; 0 if there is none
}

// State returns the current state of this server.
func (s *Service) State() State {
	now := s.st.Now()
	st := State{Tasks: map[string]TaskState{}, Deliveries: s.timeline.Backlog.Total(now)}
	for kind, l := range s.tasks.Loads() {
		t := TaskState{Held: l.Held}
		if l.Held > 0 {
			t.Oldest = max(now.Sub(l.Oldest), 0)
		}
		st.Tasks[kind] = t
	}
	return st
}

// Servers returns the servers that have recently reported in the store. It returns none if one
// process owns the store.
func (s *Service) Servers(ctx context.Context) ([]task.Server, error) {
	all, err := s.tasks.Servers(ctx)
	return all, core.StoreError(err)
}

// DeadTasks returns the number of failed tasks of all servers. It reads every shard.
func (s *Service) DeadTasks(ctx context.Context) (int, error) {
	n, err := s.tasks.CountDead(ctx)
	return n, core.StoreError(err)
}
