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

// Queued is how many tasks of a kind wait in the store, and since when the first
// of them is due.
type Queued struct {
	Kind   string
	Tasks  int
	Oldest task.Listed
}

// tasksMost is how many tasks of each sort an administrator is shown.
const tasksMost = 500

// Tasks tells of the tasks of the whole installation: those that wait, by kind,
// and those that were set aside; of each at most 500 are looked at. It asks every
// shard, so it is for staff who look after the machine.
func (s *Service) Tasks(ctx context.Context, by linnet.Actor) (waiting []Queued, dead []task.Listed, err error) {
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

// RetryTask puts a task that was set aside back among the due ones, DropTask
// forgets it: by an administrator. NotFound if there is none.
func (s *Service) RetryTask(ctx context.Context, by linnet.Actor, shard uint16, id string) error {
	return s.resolveTask(ctx, by, core.ActRetry, shard, id)
}

// DropTask: see RetryTask.
func (s *Service) DropTask(ctx context.Context, by linnet.Actor, shard uint16, id string) error {
	return s.resolveTask(ctx, by, core.ActDrop, shard, id)
}

func (s *Service) resolveTask(ctx context.Context, by linnet.Actor, act linnet.Moderation, shard uint16, id string) error {
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

// RetryTasks and DropTasks do that to several tasks by one act, and say how many of
// them were still set aside.
func (s *Service) RetryTasks(ctx context.Context, by linnet.Actor, tasks []task.Listed) (int, error) {
	return s.resolveTasks(ctx, by, core.ActRetry, tasks)
}

// DropTasks: see RetryTasks.
func (s *Service) DropTasks(ctx context.Context, by linnet.Actor, tasks []task.Listed) (int, error) {
	return s.resolveTasks(ctx, by, core.ActDrop, tasks)
}

func (s *Service) resolveTasks(ctx context.Context, by linnet.Actor, act linnet.Moderation, tasks []task.Listed) (n int, err error) {
	if err := s.core.Authorize(ctx, by, linnet.ViewDevops); err != nil {
		return 0, err
	}
	if tasks, err = s.tasks.StillDead(ctx, tasks); err != nil || len(tasks) == 0 {
		return 0, core.StoreError(err)
	}
	detail := tasks[0].ID
	if len(tasks) > 1 {
		detail = wording.Keep("%d tasks", len(tasks))
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
