package doctor

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"linnet/internal/blob"
	"linnet/internal/core"
	"linnet/internal/kv"
	"linnet/internal/record"
)

func program(ctx context.Context, p *Patient) []core.Finding {
	const area = "program"
	out := one(good(area, fmt.Sprintf("%s; the store has format %d", p.Program, record.Format)))
	if p.Exclusive {
		return out
	}
	servers, err := p.App.Moderation.Servers(ctx)
	if err != nil {
		return append(out, warning(area, "Which servers use the store cannot be read: "+err.Error(), "See what is said of the store."))
	}
	var versions, each []string
	for _, s := range servers {
		version := cmp.Or(s.Version, "one that does not say its version")
		versions, each = append(versions, version), append(each, fmt.Sprintf("%s has %s", s.Name, version))
	}
	slices.Sort(versions)
	if versions = slices.Compact(versions); len(versions) > 1 {
		return append(out, warning(area, "Servers of different versions use the store: "+listOf(each),
			"That is for the minutes of an upgrade; start the older ones with the new program too."))
	}
	if len(servers) > 0 {
		out = append(out, good(area, fmt.Sprintf("servers on the store: %d, all of version %s", len(servers), versions[0])))
	}
	return out
}

// namedServers is how many servers are named one by one.
const namedServers = 10

func listOf(texts []string) string {
	if more := len(texts) - namedServers; more > 0 {
		return fmt.Sprintf("%s and %d more", strings.Join(texts[:namedServers], ", "), more)
	}
	return strings.Join(texts, ", ")
}

// slowStore is a way to the store and back at which each request is noticeably slower:
// a page asks it one to three times, one after the other.
const slowStore = 5 * time.Millisecond

// store asks whether the store works, what it promises, and what its engine advises.
func store(ctx context.Context, p *Patient) []core.Finding {
	const area = "store"
	if err := p.Engine.Ping(ctx); err != nil {
		var known *kv.Trouble
		if errors.As(err, &known) {
			return one(fault(area, known.Error(), known.Reason))
		}
		return one(fault(area, "It does not answer or takes no writes: "+err.Error(), "Is it running, and does this machine reach it? The log of the server says more."))
	}
	i := p.Engine.Info()
	out := one(good(area, i.Engine+" at "+i.Place+": "+i.Durability))
	for _, a := range i.Advice {
		f := warning(area, a.Text, a.Remedy)
		if a.Grave {
			f.State = core.FindsFault
		}
		out = append(out, f)
	}
	if p.Exclusive {
		return out
	}
	trips := make([]time.Duration, 9)
	for n := range trips {
		began := time.Now()
		if _, err := p.Engine.Now(ctx); err != nil {
			return append(out, fault(area, "It stopped answering: "+err.Error(), "Look whether it has restarted, and at the network between."))
		}
		trips[n] = time.Since(began)
	}
	slices.Sort(trips)
	text := fmt.Sprintf("A question to it and the answer take %s", trips[len(trips)/2].Round(10*time.Microsecond))
	if trips[len(trips)/2] > slowStore {
		return append(out, warning(area, text+": each request waits for it a few times.", "Bring the servers and the store closer together, into one building."))
	}
	return append(out, good(area, text))
}

// How far the clock of this machine may be off from that of the store, by which all
// servers go.
const (
	clockOff  = time.Second
	clockLost = time.Minute
)

func clock(ctx context.Context, p *Patient) []core.Finding {
	const area = "clock"
	if p.Exclusive {
		if now := p.Now(); now.Year() < 2026 {
			return one(fault(area, "This machine says that it is "+now.Format(time.DateOnly), "Set its clock, and let NTP keep it."))
		}
		return one(good(area, "This machine's, which is the only one: "+p.Now().UTC().Format(time.RFC3339)))
	}
	before := p.Now()
	theirs, err := p.Engine.Now(ctx)
	if err != nil {
		return one(fault(area, "That of the store cannot be read: "+err.Error(), ""))
	}
	off := theirs.Sub(before.Add(p.Now().Sub(before) / 2)).Round(time.Millisecond)
	text := fmt.Sprintf("This machine and the store differ by %s", off.Abs())
	switch {
	case off.Abs() > clockLost:
		return one(fault(area, text, "Let NTP set both. Servers go by the store's clock, certificates and logs by this machine's."))
	case off.Abs() > clockOff:
		return one(warning(area, text, "Let NTP keep both."))
	}
	return one(good(area, text))
}

func tasks(ctx context.Context, p *Patient) []core.Finding {
	const area = "tasks"
	dead, err := p.App.Moderation.DeadTasks(ctx)
	if err != nil {
		return one(fault(area, "They cannot be counted: "+err.Error(), ""))
	}
	var out []core.Finding
	if dead > 0 {
		out = one(warning(area, fmt.Sprintf("%d were given up after repeated failures", dead), "linnet tasks list says why; linnet tasks retry all runs them again."))
	}
	for kind, t := range p.App.Moderation.State().Tasks {
		if t.Oldest > time.Minute {
			out = append(out, warning(area, fmt.Sprintf("%d of the kind %s are held, the oldest for %s", t.Held, kind, t.Oldest.Round(time.Second)),
				"Workers do not keep up: is the store slow? Else add a server with the role worker."))
		}
	}
	if len(out) == 0 {
		return one(good(area, "None was given up, and none waits for long"))
	}
	return out
}

// oldBackup is the age of a backup that nobody has planned at which one is due.
const oldBackup = 48 * time.Hour

func backups(ctx context.Context, p *Patient) []core.Finding {
	const area = "backups"
	last, any, err := p.App.Store().Accounts.LastBackup(ctx)
	if err != nil {
		return one(fault(area, "What is known of them cannot be read: "+err.Error(), ""))
	}
	_, _, kept, err := p.App.Store().Accounts.Backups(ctx)
	if err != nil {
		return one(fault(area, "What is known of them cannot be read: "+err.Error(), ""))
	}
	var out []core.Finding
	if !kept.Failed.IsZero() {
		out = one(fault(area, "The last one failed, at "+kept.Failed.UTC().Format(time.RFC3339)+": "+kept.Why, "The page Store of the administration shows the next try; linnet backup makes one now."))
	}
	const make = "Set backup.to and backup.schedule, or run linnet backup by the clock."
	if !any {
		if p.Backups && !p.BackUp.Never {
			return append(out, warning(area, "There is none yet", "The first is made as the server starts; the page Store of the administration shows it."))
		}
		return append(out, warning(area, "There is none: a broken disk loses everything", make))
	}
	now, overdue := p.Now(), last.Moment.Add(oldBackup)
	if next := p.BackUp.Next(last.Moment, now); p.Backups && !next.IsZero() {
		overdue = next.Add(next.Sub(last.Moment)) // one was left out
	}
	text := fmt.Sprintf("The last good one is of %s and lies in %s", last.Moment.UTC().Format(time.RFC3339), last.Where)
	if now.After(overdue) {
		return append(out, warning(area, text+": "+now.Sub(last.Moment).Round(time.Hour).String()+" ago", make))
	}
	return append(out, good(area, text))
}

func search(ctx context.Context, p *Patient) []core.Finding {
	const area = "search"
	r, err := p.App.Discovery.IndexReport(ctx)
	switch {
	case err != nil:
		return one(fault(area, "The index cannot be read: "+err.Error(), "linnet search rebuild makes it anew."))
	case r.Making:
		return one(note(area, fmt.Sprintf("The index is being made, %d %% of it is there: older posts are not all found yet", r.Percent), ""))
	}
	return one(good(area, fmt.Sprintf("The index is complete: %d segments, %d posts, %d to be added", r.Segments, r.Statuses, r.Queued)))
}

// pictures writes a file where they are kept, reads it and removes it.
func pictures(ctx context.Context, p *Patient) []core.Finding {
	const area = "pictures"
	if p.Files == nil {
		return one(note(area, "Nobody can send any", ""))
	}
	text := []byte("Written by linnet doctor, which removes it.")
	name := blob.NewName("txt")
	err := p.Files.Put(ctx, name, "text/plain", bytes.NewReader(text))
	if err == nil {
		var f *blob.File
		if f, err = p.Files.Open(ctx, name); err == nil {
			var back bytes.Buffer
			if _, err = back.ReadFrom(f); err == nil && !bytes.Equal(back.Bytes(), text) {
				err = errors.New("what was written comes back as something else")
			}
			f.Close()
		}
		if gone := p.Files.Delete(ctx, name); err == nil {
			err = gone
		}
	}
	var out []core.Finding
	if err != nil {
		out = one(fault(area, "They cannot be kept in "+p.Files.Where()+": "+err.Error(), "Posts go on without them. Give this user rights to the place, or the key rights to get, put, list and delete."))
	} else {
		out = one(good(area, "They are kept in "+p.Files.Where()))
	}
	if !p.Videos {
		out = append(out, note(area, "Videos and sounds have no picture, and HEIC and AVIF are refused: there is no ffmpeg", "Install it, or name it with the option ffmpeg."))
	}
	return out
}
