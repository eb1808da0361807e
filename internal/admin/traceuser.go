package admin

import (
	"context"
	"fmt"
	"io"
	"text/tabwriter"
	"time"

	"linnet/internal/app"
	"linnet/internal/kv"
	"linnet/internal/linnet"
	"linnet/internal/record"
)

// UserTrace describes how a user's posts are delivered, and the state of their home feed.
type UserTrace struct {
	ID        linnet.ID    `json:"id,string"`
	Login     string       `json:"login"`
	Followers int64        `json:"followers"`
	Following int64        `json:"following"`
	Pulled    bool         `json:"pulled"` // followers read the posts from the profile
	Home      string       `json:"home"`   // cold, filling or warm
	Entries   int          `json:"entries"`
	Floor     time.Time    `json:"floor,omitzero"`  // older statuses are read from profiles; zero if there are none
	Newest    time.Time    `json:"newest,omitzero"` // time of the newest entry
	Tasks     []TracedTask `json:"tasks"`           // tasks that contain the user
}

// TraceUser returns the state of a user's home feed and pending tasks. It writes nothing.
func TraceUser(ctx context.Context, a *app.App, engine kv.Engine, id linnet.ID) (t UserTrace, err error) {
	u, err := a.Core.LookupUser(ctx, id)
	if err != nil {
		return t, err
	}
	t = UserTrace{ID: id, Login: u.Login, Pulled: a.Timeline.Pulled(id), Home: "cold"}
	counts := &kv.Counters{Key: record.CountsKey(id), Names: []string{record.Follows().OtherCounter, record.Follows().OwnerCounter}}
	home := &kv.Feed{Key: record.HomeKey(id), Limit: kv.MaxRange}
	if err := engine.Read(ctx, counts, home); err != nil {
		return t, err
	}
	t.Followers, t.Following = counts.Values[0], counts.Values[1]
	switch home.State {
	case kv.Filling:
		t.Home = "filling"
	case kv.Warm:
		t.Home, t.Entries = "warm", len(home.IDs)
		if home.Floor != 0 {
			t.Floor = linnet.ID(home.Floor).Time()
		}
		if len(home.IDs) > 0 {
			t.Newest = linnet.ID(home.IDs[0]).Time()
		}
	}
	t.Tasks, err = tasksAbout(ctx, engine, id)
	return t, err
}

// Print writes the trace for people.
func (t *UserTrace) Print(w io.Writer) error {
	out := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintf(out, "User\t@%s, %v: follows %d, followed by %d\n", t.Login, t.ID, t.Following, t.Followers)
	carried := "pushed to the home timelines of followers"
	if t.Pulled {
		carried = "read from the profile by followers, because there are too many to push to"
	}
	fmt.Fprintf(out, "Posts\t%s\n", carried)
	switch t.Home {
	case "warm":
		since := "complete"
		if !t.Floor.IsZero() {
			since = "posts before " + t.Floor.UTC().Format(time.RFC3339) + " are read from profiles"
		}
		fmt.Fprintf(out, "Home\tstored with %d entries, newest %s; %s\n", t.Entries, t.Newest.UTC().Format(time.RFC3339), since)
	case "filling":
		fmt.Fprintf(out, "Home\tbeing built\n")
	default:
		fmt.Fprintf(out, "Home\tnot stored: it is rebuilt from profiles at the next visit\n")
	}
	printTasks(out, t.Tasks)
	return out.Flush()
}

// printTasks writes a line for each task.
func printTasks(out io.Writer, tasks []TracedTask) {
	for _, k := range tasks {
		state := "waiting until " + k.Due.UTC().Format(time.RFC3339)
		if k.Dead {
			state = "failed at " + k.Due.UTC().Format(time.RFC3339) + ": " + k.Cause
		}
		fmt.Fprintf(out, "Task\t%s %s %s (%d attempts)\n", k.Kind, k.ID, state, k.Tries)
	}
	if len(tasks) == 0 {
		fmt.Fprintf(out, "Tasks\tnone waiting\n")
	}
}
