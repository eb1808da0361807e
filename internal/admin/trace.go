package admin

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"
	"text/tabwriter"
	"time"

	"linnet/internal/app"
	"linnet/internal/kv"
	"linnet/internal/linnet"
	"linnet/internal/record"
	"linnet/internal/store/statuses"
	"linnet/internal/task"
	"linnet/internal/timeline"
	"linnet/internal/view"
)

// traceTasks is the maximum number of waiting and failed tasks that are searched for a status.
const traceTasks = 10_000

// StatusTrace describes where a status was delivered. It doesn't contain its text, which the
// operator may not be allowed to read.
type StatusTrace struct {
	ID         linnet.ID `json:"id,string"`
	Author     string    `json:"author"` // login; "" if the account is deleted
	Posted     time.Time `json:"posted"`
	Edited     time.Time `json:"edited,omitzero"`
	Visibility string    `json:"visibility"`
	Answers    linnet.ID `json:"answers,string,omitempty"`
	Reposts    linnet.ID `json:"reposts,string,omitempty"`
	Group      linnet.ID `json:"group,string,omitempty"`

	Tasks     []TracedTask    `json:"tasks"`  // waiting and failed tasks that contain it
	Timelines []TimelineCheck `json:"places"` // public locations
	Pulled    bool            `json:"pulled"` // the author has so many followers that they read it from the profile
	Homes     Homes           `json:"homes"`  // home feeds of the author's followers
	For       *Sight          `json:"for,omitempty"`
}

// TracedTask is a task for a status or user.
type TracedTask struct {
	ID    string    `json:"id"`
	Kind  string    `json:"kind"`
	Due   time.Time `json:"due"` // or time of the failure
	Tries int       `json:"tries"`
	Cause string    `json:"cause,omitempty"`
	Dead  bool      `json:"dead"`
}

// TimelineCheck is a timeline or set that can contain a status.
type TimelineCheck struct {
	Name    string `json:"name"`
	Belongs bool   `json:"belongs"`
	Is      bool   `json:"is"`
}

// Homes has the numbers of followers' home timelines by state of delivery.
type Homes struct {
	Followers int64    `json:"followers"`
	Looked    int      `json:"looked"`  // number of checked followers
	Reached   int      `json:"reached"` // feeds with it
	Lacking   int      `json:"lacking"` // feeds without it
	Below     int      `json:"below"`   // the status is older than the feed and read from the author's profile
	Cold      int      `json:"cold"`    // no feed, rebuilt when the reader returns
	Examples  []string `json:"examples,omitempty"`
}

// Sight describes whether a user sees a status, and the reason if not.
type Sight struct {
	Login string   `json:"login"`
	Sees  view.Why `json:"why"`          // "" if they do
	Home  view.Why `json:"why_not_home"` // "" if it is on the home timeline
	Feed  string   `json:"feed"`
}

// TraceStatus determines where a status was delivered. It checks at most the given number of
// followers' home feeds. Unless viewer is 0, it explains whether that user sees the status. ok is
// false if the status doesn't exist. It only reads.
func TraceStatus(ctx context.Context, a *app.App, engine kv.Engine, id, viewer linnet.ID, followers int) (t StatusTrace, ok bool, err error) {
	st, err := a.Store().Statuses.Status(ctx, id)
	if linnet.KindOf(err) == linnet.NotFound || err == nil && st == nil {
		return t, false, nil
	}
	if err != nil {
		return t, false, err
	}
	t = StatusTrace{ID: id, Posted: id.Time(), Visibility: st.Visibility.String(), Answers: st.InReplyTo, Reposts: st.RepostOf, Group: st.Group}
	if n := len(st.Edits); n > 0 {
		t.Edited = time.UnixMilli(st.Edits[n-1])
	}
	if u, err := a.Core.LookupUser(ctx, st.Author); err == nil {
		t.Author = u.Login
	} else if linnet.KindOf(err) != linnet.NotFound {
		return t, false, err
	}
	if t.Tasks, err = tasksAbout(ctx, engine, id); err != nil {
		return t, false, err
	}
	if t.Timelines, err = checkTimelines(ctx, engine, st); err != nil {
		return t, false, err
	}
	t.Pulled = a.Timeline.Pulled(st.Author)
	if t.Homes, err = homesOf(ctx, engine, st, followers); err != nil {
		return t, false, err
	}
	if viewer != 0 {
		t.For, err = sightOf(ctx, a, engine, id, viewer)
	}
	return t, err == nil, err
}

// tasksAbout finds the tasks whose arguments contain a status.
func tasksAbout(ctx context.Context, engine kv.Engine, id linnet.ID) ([]TracedTask, error) {
	out := []TracedTask{}
	for _, dead := range []bool{false, true} {
		all, err := task.List(ctx, engine, dead, traceTasks)
		if err != nil {
			return nil, err
		}
		for _, l := range all {
			if names(l.Args, id) {
				out = append(out, TracedTask{ID: l.ID, Kind: l.Kind, Due: l.At, Tries: l.Tries, Cause: l.Cause, Dead: l.Dead})
			}
		}
	}
	return out, nil
}

// names reports whether the arguments of a task contain a status, as a number or text.
func names(args []byte, id linnet.ID) bool {
	var fields map[string]json.RawMessage
	if json.Unmarshal(args, &fields) != nil {
		return false
	}
	for _, v := range fields {
		if strings.Trim(string(v), `"`) == id.String() {
			return true
		}
	}
	return false
}

// checkTimelines checks the public locations of a status: the author's profile, the public timeline
// and tags.
func checkTimelines(ctx context.Context, engine kv.Engine, st *linnet.Status) ([]TimelineCheck, error) {
	global, tags := timeline.PublicTimelines(st)
	by := &kv.Get{Key: record.UserKey(st.Author)}
	if err := engine.Read(ctx, by); err != nil {
		return nil, err
	}
	author, _, err := record.DecodeUser(st.Author, by)
	listed := err == nil && !author.Hidden() && !author.Silenced
	var timelines []TimelineCheck
	var qs []kv.Query
	ask := func(name string, belongs bool, key kv.Key, member string) {
		timelines, qs = append(timelines, TimelineCheck{Name: name, Belongs: belongs}), append(qs, &kv.Scores{Key: key, Members: []string{member}})
	}
	ask("profile of the author", true, record.PostsKey(st.Author), record.ProfileEntry(st))
	ask("public timeline", global && listed, record.GlobalKey(record.GlobalSlice(st.Author)), st.ID.String())
	for _, tag := range tags {
		ask("#"+tag, listed, record.TagKey(tag), record.TagMember(st))
	}
	if parent, _ := st.Parent(); parent != 0 {
		set, _ := statuses.RepliesOf(st)
		ask("replies of "+parent.String(), true, set, record.PostEntry(st))
	}
	if err := engine.Read(ctx, qs...); err != nil {
		return nil, err
	}
	for i, q := range qs {
		timelines[i].Is = q.(*kv.Scores).Found[0]
	}
	return timelines, nil
}

// traceBatch is the number of followers checked at a time.
const traceBatch = 500

// homesOf checks the home feeds of the author's followers, the earliest first.
func homesOf(ctx context.Context, engine kv.Engine, st *linnet.Status, most int) (h Homes, err error) {
	counts := &kv.Counters{Key: record.CountsKey(st.Author), Names: []string{record.Follows().OtherCounter}}
	if err := engine.Read(ctx, counts); err != nil {
		return h, err
	}
	h.Followers = counts.Values[0]
	var after *kv.Member
	for h.Looked < most {
		page := &kv.Range{Key: record.Follows().CopyKey(st.Author), Above: after, Limit: min(traceBatch, most-h.Looked)}
		if err := engine.Read(ctx, page); err != nil {
			return h, err
		}
		if len(page.Members) == 0 {
			return h, nil
		}
		after = &page.Members[len(page.Members)-1]
		var feeds []kv.Query
		for _, m := range page.Members {
			id, ok := linnet.ParseID(m.Member)
			if !ok {
				return h, fmt.Errorf("%q does not follow %v", m.Member, st.Author)
			}
			feeds = append(feeds, feedAround(id, st.ID))
		}
		if err := engine.Read(ctx, feeds...); err != nil {
			return h, err
		}
		for i, q := range feeds {
			h.count(q.(*kv.Feed), st.ID, page.Members[i].Member)
		}
	}
	return h, nil
}

// feedAround returns a query for the newest entry up to a status.
func feedAround(reader, id linnet.ID) *kv.Feed {
	return &kv.Feed{Key: record.HomeKey(reader), Below: uint64(id) + 1, Limit: 1}
}

// traceExamples is the maximum number of listed homes without the status.
const traceExamples = 5

func (h *Homes) count(f *kv.Feed, id linnet.ID, reader string) {
	h.Looked++
	switch {
	case f.State != kv.Warm:
		h.Cold++
	case slices.Contains(f.IDs, uint64(id)):
		h.Reached++
	case f.Floor >= uint64(id):
		h.Below++
	default:
		h.Lacking++
		if len(h.Examples) < traceExamples {
			h.Examples = append(h.Examples, reader)
		}
	}
}

// sightOf returns whether a user sees a status, and the reason if not.
func sightOf(ctx context.Context, a *app.App, engine kv.Engine, id, viewer linnet.ID) (*Sight, error) {
	u, err := a.Core.LookupUser(ctx, viewer)
	if err != nil {
		return nil, err
	}
	s := &Sight{Login: u.Login}
	if s.Sees, s.Home, err = a.Reading.Why(ctx, viewer, id); err != nil {
		return nil, err
	}
	f := feedAround(viewer, id)
	if err := engine.Read(ctx, f); err != nil {
		return nil, err
	}
	var h Homes
	h.count(f, id, "")
	switch {
	case h.Cold > 0:
		s.Feed = "not stored: it is rebuilt from profiles at the next visit"
	case h.Reached > 0:
		s.Feed = "contains the post"
	case h.Below > 0:
		s.Feed = "the post is older than the stored timeline and is read from the author's profile"
	default:
		s.Feed = "does not contain the post"
	}
	return s, nil
}

// Print writes the trace for people.
func (t *StatusTrace) Print(w io.Writer) error {
	out := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	line := func(name, format string, args ...any) { fmt.Fprintf(out, name+"\t"+format+"\n", args...) }
	author := "@" + t.Author
	if t.Author == "" {
		author = "a deleted account"
	}
	line("Post", "%v by %s, %s, posted %s", t.ID, author, t.Visibility, t.Posted.UTC().Format(time.RFC3339))
	if !t.Edited.IsZero() {
		line("Edited", "%s", t.Edited.UTC().Format(time.RFC3339))
	}
	if t.Answers != 0 {
		line("Reply to", "%v", t.Answers)
	}
	if t.Reposts != 0 {
		line("Boost of", "%v", t.Reposts)
	}
	if t.Group != 0 {
		line("Group", "%v", t.Group)
	}
	printTasks(out, t.Tasks)
	for _, p := range t.Timelines {
		line("Timeline", "%s: %s", p.Name, map[[2]bool]string{{true, true}: "present", {true, false}: "missing", {false, true}: "present, but does not belong there", {false, false}: "does not belong there"}[[2]bool{p.Belongs, p.Is}])
	}
	if t.Pulled {
		line("Homes", "not pushed: the author has so many followers that their timelines read the profile instead")
	}
	h := t.Homes
	line("Homes", "%d followers, %d checked: %d timelines contain the post, %d lack it, %d start after it, %d are not stored", h.Followers, h.Looked, h.Reached, h.Lacking, h.Below, h.Cold)
	if len(h.Examples) > 0 {
		line("Lacking", "for example %s (--for NAME explains why)", strings.Join(h.Examples, ", "))
	}
	if t.For != nil {
		line("For", "@%s %s", t.For.Login, sentence(t.For.Sees, "sees it", "does not see it: "))
		line("Home", "%s", sentence(t.For.Home, "belongs there", "does not belong there: "))
		line("Feed", "%s", t.For.Feed)
	}
	return out.Flush()
}

func sentence(why view.Why, yes, no string) string {
	if why == view.Seen {
		return yes
	}
	return no + string(why)
}
