package cli

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"text/tabwriter"
	"time"

	"linnet/internal/backend"
	"linnet/internal/exit"
	"linnet/internal/linnet"
	"linnet/internal/task"
)

// maxListed limits the number of listed tasks.
const maxListed = 10_000

// taskInfo is the JSON form of a failed task.
type taskInfo struct {
	ID    string          `json:"id"`
	Kind  string          `json:"kind"`
	Args  json.RawMessage `json:"args"`
	Tries int             `json:"tries"`
	Cause string          `json:"cause"`
	At    time.Time       `json:"at"`
}

func tasksList(ctx context.Context, c *call, b *backend.Backend) error {
	dead, err := task.List(ctx, b.Engine, true, maxListed)
	if err != nil {
		return fmt.Errorf("cannot list the tasks: %w", err)
	}
	if c.flag("json") {
		infos := []taskInfo{}
		for _, t := range dead {
			infos = append(infos, taskInfo{ID: t.ID, Kind: t.Kind, Args: t.Args, Tries: t.Tries, Cause: t.Cause, At: t.At})
		}
		return printJSON(c.stdout, infos)
	}
	w := tabwriter.NewWriter(c.stdout, 0, 0, 2, ' ', 0)
	for _, t := range dead {
		fmt.Fprintf(w, "%s\t%s\t%s\t%d attempts\t%s\n", t.ID, t.Kind, t.At.Format(time.DateTime), t.Tries, t.Cause)
	}
	if len(dead) == 0 {
		fmt.Fprintln(w, "there are no failed tasks")
	}
	return w.Flush()
}

func tasksRetry(ctx context.Context, c *call, b *backend.Backend) error {
	return withFailedTasks(ctx, c, b, "will run again", b.App.Moderation.Server.RetryTasks)
}

func tasksDrop(ctx context.Context, c *call, b *backend.Backend) error {
	return withFailedTasks(ctx, c, b, "were discarded", b.App.Moderation.Server.DropTasks)
}

// withFailedTasks calls do with the failed tasks in the arguments.
func withFailedTasks(ctx context.Context, c *call, b *backend.Backend, done string, do func(context.Context, linnet.Actor, []task.Listed) (int, error)) error {
	dead, err := task.List(ctx, b.Engine, true, maxListed)
	if err != nil {
		return fmt.Errorf("cannot list the tasks: %w", err)
	}
	if !slices.Equal(c.args(), []string{"all"}) {
		var chosen []task.Listed
		for _, id := range c.args() {
			i := slices.IndexFunc(dead, func(t task.Listed) bool { return t.ID == id })
			if i < 0 {
				return &exit.Error{Code: exit.NotFound, What: fmt.Sprintf("there is no failed task %s", id), Advice: "See linnet tasks list."}
			}
			chosen = append(chosen, dead[i])
		}
		dead = chosen
	}
	n, err := do(ctx, linnet.Operator(), dead)
	if err != nil {
		return refused(fmt.Sprintf("%d of %d tasks %s, then", n, len(dead), done), err)
	}
	_, err = fmt.Fprintf(c.stdout, "%d tasks %s\n", n, done)
	return err
}
