package moderation

import (
	"context"
	"time"

	"linnet/internal/core"
	"linnet/internal/identity"
	"linnet/internal/kv"
	"linnet/internal/store"
	"linnet/internal/task"
	"linnet/internal/timeline"
)

// Server reports the state of this server and of the store to administrators, resolves failed tasks
// and starts backups. It is safe for concurrent use.
type Server struct {
	st    *store.Store
	opt   core.Options
	tasks *task.Queue
	state kv.State

	core     *core.Service
	timeline *timeline.Service
	settings *identity.Settings
}

// State has the current work of this server.
type State struct {
	Tasks      map[string]TaskState // for every kind
	Deliveries int64                // approximate number of feeds that statuses are still pushed to
}

// TaskState has the number of running tasks of a kind on this server.
type TaskState struct {
	Held   int
	Oldest time.Duration // time since which the oldest is running; 0 if there is none
}

// State returns the current state of this server.
func (s *Server) State() State {
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

// Servers returns the servers of the store with a recent heartbeat. It returns none if one process
// owns the store.
func (s *Server) Servers(ctx context.Context) ([]task.Server, error) {
	all, err := s.tasks.Servers(ctx)
	return all, core.StoreError(err)
}

// DeadTasks returns the number of failed tasks of all servers. It reads every shard.
func (s *Server) DeadTasks(ctx context.Context) (int, error) {
	n, err := s.tasks.CountDead(ctx)
	return n, core.StoreError(err)
}
