package doctor

import (
	"bytes"
	"context"
	"errors"
	"slices"
	"time"

	"linnet/internal/app"
	"linnet/internal/blob"
	"linnet/internal/core"
	"linnet/internal/kv"
	"linnet/internal/linnet"
	"linnet/internal/record"
	"linnet/internal/uploads"
	"linnet/internal/wording"
)

func program(ctx context.Context, p *Patient) []core.Finding {
	out := one(good(said("%s, store format %d", p.Program, record.Format)))
	if p.Exclusive {
		return out
	}
	servers, err := p.App.Moderation.Server.Servers(ctx)
	if err != nil {
		return append(out, warning(said("Can't determine which servers use the store: %v", err), said("See the result of the check “store”.")))
	}
	var versions []string
	var each []wording.Message
	for _, s := range servers {
		versions, each = append(versions, s.Version), append(each, said("server %s runs version %s", s.Name, versionOf(s.Version)))
	}
	slices.Sort(versions)
	if versions = slices.Compact(versions); len(versions) > 1 {
		return append(out, warning(said("Servers of different versions share the store: %s", listOf(each)),
			said("Different versions are fine for a few minutes during an upgrade. Then restart the older servers with the new version.")))
	}
	if len(servers) > 0 {
		out = append(out, good(said("Servers sharing the store: %d, all running version %s", len(servers), versionOf(versions[0]))))
	}
	return out
}

// namedServers is the maximum number of servers that are listed by name.
const namedServers = 10

func listOf(texts []wording.Message) (all wording.Message) {
	for i, text := range texts {
		switch {
		case i == 0:
			all = text
		case i < namedServers:
			all = said("%s, %s", all, text)
		default:
			return said("%s and %d more", all, len(texts)-i)
		}
	}
	return all
}

// versionOf returns a displayed version.
func versionOf(version string) wording.Message {
	if version == "" {
		return said("(unknown)")
	}
	return wording.Message(version)
}

// slowStore is the duration of a round trip to the store from which requests become noticeably
// slower. A page takes one to three, one after the other.
const slowStore = 5 * time.Millisecond

// store checks the store, its durability and the advice of its engine.
func store(ctx context.Context, p *Patient) []core.Finding {
	if err := p.Engine.Ping(ctx); err != nil {
		var known *kv.Trouble
		if errors.As(err, &known) {
			text, _ := wording.Of(known)
			return one(fault(text, wording.From(known.Reason)))
		}
		return one(fault(said("The store doesn't respond or refuses writes: %v", err), said("Check that the store is running and that this machine can reach it. The server's log has details.")))
	}
	i := p.Engine.Info()
	out := one(good(said("%s at %s: %s", wording.Message(i.Engine), i.Location, i.Durability)))
	for _, a := range i.Advice {
		f := warning(wording.From(a.Text), wording.From(a.Remedy))
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
			return append(out, fault(said("The store stopped responding: %v", err), said("Check whether the store restarted, and check the network between this machine and the store.")))
		}
		trips[n] = time.Since(began)
	}
	slices.Sort(trips)
	text := said("A round trip to the store takes %s", trips[len(trips)/2].Round(10*time.Microsecond))
	if trips[len(trips)/2] > slowStore {
		return append(out, warning(said("%s, and a request can need several round trips", text), said("Move the servers and the store closer together, ideally into the same data centre.")))
	}
	return append(out, good(text))
}

// Limits of the difference between the clocks of this machine and the store. All servers use the
// store's clock.
const (
	clockOff  = time.Second
	clockLost = time.Minute
)

// written returns the date of this code. Clocks with an earlier date are wrong.
func written() time.Time { return time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC) }

// Newest returns the time of the newest record that can be found quickly; zero for none.
func Newest(ctx context.Context, a *app.App) (since time.Time) {
	if last, any, err := a.Store().Instance.LastBackup(ctx); err == nil && any {
		since = last.Moment.UTC()
	}
	if newest, err := a.Reading.Public(ctx, 0, linnet.PublicQuery{}, linnet.Page{Limit: 1}); err == nil && len(newest.Items) > 0 {
		if at := newest.Items[0].ID.Time(); at.After(since) {
			since = at
		}
	}
	return since
}

// ownClock checks the clock of a machine without a reference: no record may be from the future.
func ownClock(ctx context.Context, p *Patient) core.Finding {
	now, since := p.Now().UTC(), Newest(ctx, p.App)
	if now.Before(written()) {
		return fault(said("This machine's clock shows %s", wording.Day(now)), said("Set the clock and synchronize it with NTP."))
	}
	if since.Sub(now) > clockLost {
		return fault(said("This machine's clock shows %s, but the store contains newer data, from %s", now, since), said("Set the clock and synchronize it with NTP."))
	}
	return good(said("The server uses this machine's clock, which shows %s", now))
}

func clock(ctx context.Context, p *Patient) []core.Finding {
	if p.Exclusive {
		return one(ownClock(ctx, p))
	}
	before := p.Now()
	theirs, err := p.Engine.Now(ctx)
	if err != nil {
		return one(fault(said("Can't read the store's clock: %v", err), ""))
	}
	off := theirs.Sub(before.Add(p.Now().Sub(before) / 2)).Round(time.Millisecond)
	text := said("The clocks of this machine and the store differ by %s", off.Abs())
	switch {
	case off.Abs() > clockLost:
		return one(fault(text, said("Synchronize both clocks with NTP. Servers use the store's clock; certificates and logs use this machine's.")))
	case off.Abs() > clockOff:
		return one(warning(text, said("Synchronize both clocks with NTP.")))
	}
	return one(good(text))
}

func tasks(ctx context.Context, p *Patient) []core.Finding {
	dead, err := p.App.Moderation.Server.DeadTasks(ctx)
	if err != nil {
		return one(fault(said("Can't count the tasks: %v", err), ""))
	}
	var out []core.Finding
	if dead > 0 {
		out = one(warning(said("%d tasks failed repeatedly and are no longer retried", dead), said("To see why, run linnet tasks list. To run them again, run linnet tasks retry all.")))
	}
	for kind, t := range p.App.Moderation.Server.State().Tasks {
		if t.Oldest > time.Minute {
			out = append(out, warning(said("%d tasks of type %s are waiting, the oldest for %s", t.Held, kind, t.Oldest.Round(time.Second)),
				said("Workers can't keep up. Check whether the store is slow. If the store is Redis, you can also add a server with the role worker.")))
		}
	}
	if len(out) == 0 {
		return one(good(said("No tasks have failed, and none has been waiting for long")))
	}
	return out
}

// oldBackup is the age of the last backup from which another is due without a schedule.
const oldBackup = 48 * time.Hour

func backups(ctx context.Context, p *Patient) []core.Finding {
	last, any, err := p.App.Store().Instance.LastBackup(ctx)
	if err != nil {
		return one(fault(said("Can't read the backup status: %v", err), ""))
	}
	now, running, results, err := p.App.Store().Instance.Backups(ctx)
	if err != nil {
		return one(fault(said("Can't read the backup status: %v", err), ""))
	}
	var out []core.Finding
	if !results.Failed.IsZero() && (last.Lacks == "" || results.Why != last.Lacks) { // reported below otherwise
		out = one(fault(said("The last backup failed at %s: %s", results.Failed.UTC(), wording.Message(results.Why)), said("The Store page of the administration shows when the next backup runs. To create a backup now, run linnet backup TARGET.")))
	}
	make := said("Set backup.to and backup.schedule, or run linnet backup TARGET on a schedule.")
	if !any {
		switch {
		case running:
			return append(out, note(said("The first backup has been running since %s on server %s", now.Began.UTC(), now.By), ""))
		case len(out) > 0: // the failure explains the missing backup
			return out
		case p.Backups && !p.BackUp.Never:
			return append(out, warning(said("There is no backup yet"), said("A server creates the first backup within a minute of starting. To create one now, run linnet backup TARGET.")))
		}
		return append(out, warning(said("There is no backup: if the disk fails, you lose everything"), make))
	}
	today, overdue := p.Now(), last.Moment.Add(oldBackup)
	if next := p.BackUp.Next(last.Moment, today); p.Backups && !next.IsZero() {
		overdue = next.Add(next.Sub(last.Moment)) // one backup was missed
	}
	if text := wording.Message(last.Lacks + last.Unsure); text != "" {
		return append(out, notWhole(last, said("The last backup is from %s, in %s: %s", last.Moment.UTC(), last.Where, text)))
	}
	text := said("The last complete backup is from %s, in %s", last.Moment.UTC(), last.Where)
	if today.After(overdue) {
		return append(out, warning(said("%s (%d hours ago)", text, int64(today.Sub(last.Moment).Round(time.Hour)/time.Hour)), make))
	}
	return append(out, good(text))
}

// notWhole returns the finding for a backup that is or may be incomplete.
func notWhole(last record.LastBackup, text wording.Message) core.Finding {
	if !last.Whole.IsZero() {
		text = said("%s. The last complete backup is from %s", text, last.Whole.UTC())
	}
	if last.Lacks == "" {
		return warning(text, said("To create a new backup now, run linnet backup TARGET."))
	}
	return fault(text, said("To see which records refer to the missing files, run linnet check. Check that the right media directory is mounted, then create a new backup."))
}

func search(ctx context.Context, p *Patient) []core.Finding {
	r, err := p.App.Discovery.IndexReport(ctx)
	switch {
	case err != nil:
		return one(fault(said("Can't read the search index: %v", err), said("Run linnet search rebuild.")))
	case r.Making:
		return one(note(said("The search index is being built (%d%%). Until it's complete, search may not find all older posts", r.Percent), ""))
	}
	return one(good(said("The search index has %d segments with %d posts. %d new posts are queued", r.Segments, r.Statuses, r.Queued)))
}

// pictures writes, reads and deletes a file in the media storage.
func pictures(ctx context.Context, p *Patient) []core.Finding {
	if p.Files == nil {
		return one(note(said("Media uploads are off"), ""))
	}
	text := []byte("Written by linnet doctor, which removes it.")
	name := blob.NewName("txt")
	err := p.Files.Put(ctx, name, "text/plain", bytes.NewReader(text))
	if err == nil {
		var f *blob.File
		if f, err = p.Files.Open(ctx, name); err == nil {
			var back bytes.Buffer
			if _, err = back.ReadFrom(f); err == nil && !bytes.Equal(back.Bytes(), text) {
				err = errChanged{}
			}
			f.Close()
		}
		if fault := p.Files.Delete(ctx, name); err == nil {
			err = fault
		}
	}
	var out []core.Finding
	if err != nil {
		out = one(fault(said("Can't write to %s: %v", p.Files.Where(), err), said("Posts without media still work. Give the user that runs Linnet write access to the directory, or give the S3 key permission to get, put, list and delete.")))
	} else {
		out = append(one(good(said("Stored in %s", p.Files.Where()))), mediaLocation(ctx, p)...)
	}
	if !p.Videos {
		out = append(out, note(said("ffmpeg is missing: videos and audio have no preview, and HEIC and AVIF pictures are rejected"), said("Install ffmpeg, or set its path with the option ffmpeg.")))
	}
	return out
}

// mediaLocation checks that the media location is the one recorded in the store.
func mediaLocation(ctx context.Context, p *Patient) []core.Finding {
	remedy := said("Mount the shared media directory, or set media or s3.bucket to the same location on every server. If you moved the files here, run linnet media to check that they're complete. Then run linnet media --accept to use this location.")
	switch is, err := p.App.Uploads.LocationState(ctx); {
	case err != nil:
		return one(fault(said("Can't check whether other servers use the same media location: %v", err), ""))
	case is == uploads.LocationOther:
		return one(fault(said("%s is not the media location of this store: it has a different marker", p.Files.Where()), remedy))
	case is == uploads.LocationUnmarked:
		return one(fault(said("%s is not the media location of this store: it has no matching marker", p.Files.Where()), remedy))
	}
	return nil
}

// errChanged is returned if a file has changed since it was written.
type errChanged struct{}

func (e errChanged) Error() string { return e.Message().String() }

// Message implements wording.Messenger.
func (errChanged) Message() wording.Message {
	return said("the data read back differs from the data written")
}
