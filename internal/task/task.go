// Package task runs deferred work: the parts of an action that need not be done before the
// response, such as the batches of a fan-out to many followers (execute_later in the book's
// listings).
//
// A task is written in the same transaction as the change that causes it, and runs at least once,
// in batches of bounded work. The package knows shards, due times and payloads, and not the work
// itself.
//
// A batch runs relaxed (kv.Relaxed): its writes may become durable after it has returned, but never
// after the removal of the task that would repeat it. A batch that may be a repetition reads
// durable data (kv.Durable), because the decision that nothing is left to do must be as durable as
// the work.
//
// Invariants:
//
//   - A task exists exactly if the transaction of its action was made (outbox).
//   - At most one server holds its lease at a time. A server that lost the lease may
//     still run a batch, so every batch must be repeatable.
//   - A task ends when its handler says so, or in the dead-letter set after MaxTries
//     errors. An unavailable engine is not an error of the task.
package task

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"fmt"
	"time"

	"linnet/internal/kv"
)

const (
	// Lease is the time for which a task belongs to the server that took it, or renewed its lease,
	// as long as that server sends heartbeats.
	Lease = 30 * time.Second
	// MaxTries is the number of errors after which a task is moved to the dead-letter set.
	MaxTries = 5

	kindDue  = "tasks"     // set of task ids by due time, one per shard
	kindTask = "task"      // the task itself
	kindDead = "deadtasks" // set of failed tasks by time, one per shard
)

// Task is one piece of deferred work. Only the handler interprets Args.
type Task struct {
	ID    string
	Shard uint16
	Kind  string
	Args  []byte

	due   int64                         // the score under which this server holds it
	later bool                          // it has no holder before it is due
	tries int                           // errors so far
	waits int                           // consecutive failures because the store was unavailable
	done  bool                          // only its removal is left
	asked bool                          // a request runs its batch
	again bool                          // the next batch may be a repetition
	after []func(context.Context) error // deferred end of a batch in a request, see After
	rest  any                           // arguments of the rest
	since time.Time                     // time since which this server holds it
	cause string
	ver   uint64
}

// record is the stored form of a task.
type record struct {
	Kind  string          `json:"kind"`
	Args  json.RawMessage `json:"args"`
	Tries int             `json:"tries,omitempty"`
	Error string          `json:"error,omitempty"`
}

// DueKey is the set of tasks of a shard by due time in Unix milliseconds.
func DueKey(shard uint16) kv.Key { return kv.Key{Kind: kindDue, Shard: shard} }

// DeadKey is the set of failed tasks of a shard, by time.
func DeadKey(shard uint16) kv.Key { return kv.Key{Kind: kindDead, Shard: shard} }

// Key is the key of a task's record.
func Key(shard uint16, id string) kv.Key { return kv.Key{Kind: kindTask, Shard: shard, ID: id} }

// New returns a task that is due at once, with a lease of the caller. The caller writes its Ops in
// the transaction of the action and then calls Queue.Run or Start. Queue.New also makes the holder
// visible to other servers. Args must encode as JSON.
func New(shard uint16, kind string, args any, now time.Time) (Task, error) {
	b, err := json.Marshal(args)
	if err != nil {
		return Task{}, fmt.Errorf("encode arguments of task %s: %w", kind, err)
	}
	return Task{ID: rand.Text(), Shard: shard, Kind: kind, Args: b, due: wholeSecond(now.Add(Lease)).UnixMilli(), ver: 1}, nil
}

// With returns the task with other arguments, before it is written. Arguments that do not encode as
// JSON are a programming error.
func (t Task) With(args any) Task {
	b, err := json.Marshal(args)
	if err != nil {
		panic(fmt.Sprintf("arguments of task %s: %v", t.Kind, err))
	}
	t.Args = b
	return t
}

// Ops returns the changes that create the task.
func (t Task) Ops() []kv.Op {
	key := DueKey(t.Shard)
	if t.later {
		key = LaterKey(t.Shard)
	}
	return []kv.Op{t.put(), kv.Add{Key: key, Member: t.ID, Score: t.due}}
}

func (t Task) put() kv.Op {
	data, _ := json.Marshal(record{Kind: t.Kind, Args: t.Args, Tries: t.tries, Error: t.cause}) // Args are JSON: this cannot fail
	return kv.Put{Key: Key(t.Shard, t.ID), Data: data, Version: t.ver}
}

// held returns the condition that this server still has the lease.
func (t Task) held() kv.Cond {
	return kv.ScoreIs{Key: DueKey(t.Shard), Member: t.ID, Score: t.due}
}

func decode(shard uint16, id string, q kv.Get) (Task, error) {
	var r record
	if err := json.Unmarshal(q.Data, &r); err != nil {
		return Task{}, fmt.Errorf("decode task %s: %w", id, err)
	}
	return Task{ID: id, Shard: shard, Kind: r.Kind, Args: r.Args, tries: r.Tries, cause: r.Error, ver: q.Version, again: true}, nil
}

// Handler runs one batch of a task, which is bounded and repeatable. It returns the arguments of
// the rest (encodable as JSON), or nil when nothing is left.
type Handler func(ctx context.Context, args []byte) (rest any, err error)
