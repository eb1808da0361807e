// Package task is deferred work: the part of an act that need not be done
// before it is answered, such as the passes of a fan-out over many followers
// (execute_later in the book's listings).
//
// A task is written in the same transaction as the change that causes it, and
// is done at least once, in passes of bounded work. It knows shards, due times
// and payloads, and nothing of what the work is.
//
// A pass runs relaxed (kv.Relaxed): what it writes may become durable after it has
// returned, but never after the removal of the task that would repeat it. A pass that
// may be a repeat reads what is durable (kv.Durable): that nothing is left to do has
// to survive as what it would do does.
//
// Invariants:
//
//   - A task exists exactly if the transaction of its act was made (outbox).
//   - At any time at most one server holds its lease; a server that lost the
//     lease may still be running a pass, so every pass must be repeatable.
//   - A task ends by its handler saying so, or in the dead-letter set after
//     MaxTries faults. An unavailable engine is no fault of the task.
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
	// Lease is how long a task belongs to the server that took it, counted
	// from the taking or the last renewal, as long as that server gives signs
	// of life.
	Lease = 30 * time.Second
	// MaxTries is how many faults a task may have before it is set aside.
	MaxTries = 5

	kindDue  = "tasks"     // set of task ids by due time, one per shard
	kindTask = "task"      // the task itself
	kindDead = "deadtasks" // set of task ids set aside, by time, one per shard
)

// Task is one piece of deferred work. Args are the handler's own.
type Task struct {
	ID    string
	Shard uint16
	Kind  string
	Args  []byte

	due   int64                         // the score under which this server holds it
	later bool                          // it is nobody's before it is due
	tries int                           // faults so far
	waits int                           // times in a row that the store was away
	done  bool                          // nothing is left but to remove it
	asked bool                          // a request is at work on it
	again bool                          // the pass that comes next may have been made before, in part
	after []func(context.Context) error // what the pass in a request has left, see After
	rest  any                           // what comes then
	since time.Time                     // this server holds it
	cause string
	ver   uint64
}

// record is how a task lies in the store.
type record struct {
	Kind  string          `json:"kind"`
	Args  json.RawMessage `json:"args"`
	Tries int             `json:"tries,omitempty"`
	Error string          `json:"error,omitempty"`
}

// DueKey is the set of tasks of a shard by due time in Unix milliseconds.
func DueKey(shard uint16) kv.Key { return kv.Key{Kind: kindDue, Shard: shard} }

// DeadKey is the set of tasks of a shard that were set aside, by time.
func DeadKey(shard uint16) kv.Key { return kv.Key{Kind: kindDead, Shard: shard} }

// Key is the record of a task.
func Key(shard uint16, id string) kv.Key { return kv.Key{Kind: kindTask, Shard: shard, ID: id} }

// New makes a task that is due at once but leased to the caller, who has to
// write Ops in the transaction of the act and then call Queue.Run or Start.
// Queue.New lets others see also who holds it.
// Args must encode as JSON.
func New(shard uint16, kind string, args any, now time.Time) (Task, error) {
	b, err := json.Marshal(args)
	if err != nil {
		return Task{}, fmt.Errorf("encode arguments of task %s: %w", kind, err)
	}
	return Task{ID: rand.Text(), Shard: shard, Kind: kind, Args: b, due: wholeSecond(now.Add(Lease)).UnixMilli(), ver: 1}, nil
}

// With is the task with other arguments, before it is written. Those that do not encode
// as JSON are a fault of the program.
func (t Task) With(args any) Task {
	b, err := json.Marshal(args)
	if err != nil {
		panic(fmt.Sprintf("arguments of task %s: %v", t.Kind, err))
	}
	t.Args = b
	return t
}

// Ops are the changes that create the task.
func (t Task) Ops() []kv.Op {
	key := DueKey(t.Shard)
	if t.later {
		key = LaterKey(t.Shard)
	}
	return []kv.Op{t.put(), kv.Add{Key: key, Member: t.ID, Score: t.due}}
}

func (t Task) put() kv.Op {
	data, _ := json.Marshal(record{Kind: t.Kind, Args: t.Args, Tries: t.tries, Error: t.cause}) // Args are JSON: cannot fail
	return kv.Put{Key: Key(t.Shard, t.ID), Data: data, Version: t.ver}
}

// held is the condition that the lease is still this server's.
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

// Handler does one pass of a task: bounded work, repeatable. It returns the
// arguments of the rest (encodable as JSON), or nil when nothing is left.
type Handler func(ctx context.Context, args []byte) (rest any, err error)
