package admin

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"linnet/internal/audit"
	"linnet/internal/kv"
	"linnet/internal/moderation"
	"linnet/internal/record"
	"linnet/internal/task"
)

// mostTasks is the maximum number of queued tasks that are read.
const mostTasks = 200_000

// queue has the subjects of the queued tasks.
type queue struct {
	waiting map[record.Subject]bool
	dead    map[record.Subject]string // ids of failed tasks
	size    int
}

func readQueue(ctx context.Context, engine kv.Engine) (*queue, error) {
	q := &queue{waiting: map[record.Subject]bool{}, dead: map[record.Subject]string{}}
	for _, dead := range []bool{false, true} {
		tasks, err := task.List(ctx, engine, dead, mostTasks)
		if err != nil {
			return nil, fmt.Errorf("read the queue: %w", err)
		}
		q.size += len(tasks)
		for _, t := range tasks {
			for _, a := range moderation.TaskSubjects(t.Kind, t.Args) {
				if dead {
					q.dead[a] = t.ID
				} else {
					q.waiting[a] = true
				}
			}
		}
	}
	return q, nil
}

// about reports whether a task for one of the subjects is waiting. If none is, it returns the id of
// a failed one, if any.
func (q *queue) about(subjects []record.Subject) (dead string, waits bool) {
	for _, a := range subjects {
		if q.waiting[a] {
			return "", true
		}
		if id := q.dead[a]; id != "" {
			dead = id
		}
	}
	return dead, false
}

// recheck audits the suspects again several times and reports persistent findings. It reads the
// queue before and after the last time, because a task in either read explains a finding in
// between.
func (c *checker) recheck(ctx context.Context) error {
	var last []audit.Finding
	var before *queue
	for look := 0; look < rechecks && len(c.suspects) > 0; look++ {
		if err := audit.Sleep(ctx, c.opt.Pause); err != nil {
			return err
		}
		var err error
		if before, err = readQueue(ctx, c.svc.Store().Engine()); err != nil {
			return err
		}
		if last, err = c.auditSuspects(ctx); err != nil {
			return err
		}
		c.suspects = map[kv.Key]signs{}
		for _, f := range last {
			if c.suspects[f.At] == nil {
				c.suspects[f.At] = signs{}
			}
			c.suspects[f.At][c.sign(f)] = true
		}
	}
	if len(last) == 0 {
		return nil
	}
	var err error
	if c.queue, err = readQueue(ctx, c.svc.Store().Engine()); err != nil {
		return err
	}
	for a := range before.waiting {
		c.queue.waiting[a] = true
	}
	for _, f := range last {
		c.classify(f, c.queue)
	}
	return nil
}

// auditSuspects returns the distinct findings that exist now and existed before.
func (c *checker) auditSuspects(ctx context.Context) ([]audit.Finding, error) {
	keys := make([]kv.Key, 0, len(c.suspects))
	for key := range c.suspects {
		keys = append(keys, key)
	}
	slices.SortFunc(keys, func(a, b kv.Key) int { return strings.Compare(a.String(), b.String()) })
	var out []audit.Finding
	for part := range slices.Chunk(keys, checkBatch) {
		found, err := c.audit.Keys(ctx, part)
		if err != nil {
			return nil, err
		}
		_, feeds, err := c.svc.Moderation.FeedAudit.Feeds(ctx, slices.DeleteFunc(part, func(k kv.Key) bool { return !record.IsFeed(k) }))
		if err != nil {
			return nil, fmt.Errorf("check feeds: %w", err)
		}
		for _, f := range append(found.Findings, feeds...) {
			if c.suspects[f.At][c.sign(f)] {
				out = append(out, f)
			}
		}
	}
	return out, nil
}
