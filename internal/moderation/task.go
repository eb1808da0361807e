package moderation

import (
	"context"
	"strings"

	"linnet/internal/core"
	"linnet/internal/kv"
	"linnet/internal/linnet"
	"linnet/internal/task"
	"linnet/internal/wording"
)

// Queued has the number of waiting tasks of a kind and the due time of the first.
type Queued struct {
	Kind   string
	Tasks  int
	Oldest task.Listed
}

// tasksMost is the maximum number of waiting tasks, and of failed ones, that are shown.
const tasksMost = 500

// Tasks returns the waiting tasks of all servers by kind, and the failed ones, at most 500 of each.
// It reads every shard. by must be allowed to manage the server.
func (s *Server) Tasks(ctx context.Context, by linnet.Actor) (waiting []Queued, dead []task.Listed, err error) {
	if err := s.core.Authorize(ctx, by, linnet.ViewDevops); err != nil {
		return nil, nil, err
	}
	due, err := s.tasks.List(ctx, false, tasksMost)
	if err != nil {
		return nil, nil, core.StoreError(err)
	}
	at := map[string]int{}
	for _, t := range due {
		i, ok := at[t.Kind]
		if !ok {
			i = len(waiting)
			at[t.Kind], waiting = i, append(waiting, Queued{Kind: t.Kind, Oldest: t})
		}
		q := &waiting[i]
		q.Tasks++
		if t.At.Before(q.Oldest.At) {
			q.Oldest = t
		}
	}
	dead, err = s.tasks.List(ctx, true, tasksMost)
	return waiting, dead, core.StoreError(err)
}

// RetryTask makes a failed task due again. It returns NotFound if there is none.
func (s *Server) RetryTask(ctx context.Context, by linnet.Actor, shard uint16, id string) error {
	return s.resolveTask(ctx, by, core.ActRetry, shard, id)
}

// DropTask deletes a failed task. It returns NotFound if there is none.
func (s *Server) DropTask(ctx context.Context, by linnet.Actor, shard uint16, id string) error {
	return s.resolveTask(ctx, by, core.ActDrop, shard, id)
}

func (s *Server) resolveTask(ctx context.Context, by linnet.Actor, act linnet.Moderation, shard uint16, id string) error {
	if err := s.core.Authorize(ctx, by, linnet.ViewDevops); err != nil {
		return err
	}
	if shard >= kv.Shards || len(id) > 100 || strings.Trim(id, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_.") != "" {
		return errNoTask
	}
	n, err := s.resolveTasks(ctx, by, act, []task.Listed{{Shard: shard, ID: id}})
	if err == nil && n == 0 {
		err = errNoTask
	}
	return err
}

// RetryTasks makes several failed tasks due again in one action, and returns the number of tasks
// that were still failed.
func (s *Server) RetryTasks(ctx context.Context, by linnet.Actor, tasks []task.Listed) (int, error) {
	return s.resolveTasks(ctx, by, core.ActRetry, tasks)
}

// DropTasks deletes several failed tasks like RetryTasks.
func (s *Server) DropTasks(ctx context.Context, by linnet.Actor, tasks []task.Listed) (int, error) {
	return s.resolveTasks(ctx, by, core.ActDrop, tasks)
}

func (s *Server) resolveTasks(ctx context.Context, by linnet.Actor, act linnet.Moderation, tasks []task.Listed) (n int, err error) {
	if err := s.core.Authorize(ctx, by, linnet.ViewDevops); err != nil {
		return 0, err
	}
	if tasks, err = s.tasks.StillDead(ctx, tasks); err != nil || len(tasks) == 0 {
		return 0, core.StoreError(err)
	}
	detail := tasks[0].ID
	if len(tasks) > 1 {
		detail = wording.Store("%d tasks", len(tasks))
	}
	if err := s.core.LogAct(ctx, by, act, 0, detail, ""); err != nil {
		return 0, err
	}
	for _, t := range tasks {
		var done bool
		if act == core.ActRetry {
			done, err = s.tasks.Retry(ctx, t)
		} else {
			done, err = s.tasks.Drop(ctx, t)
		}
		if err != nil {
			return n, core.StoreError(err)
		}
		if done {
			n++
		}
	}
	return n, nil
}

var errNoTask = linnet.Errorf(linnet.NotFound, "This task doesn't exist.")
