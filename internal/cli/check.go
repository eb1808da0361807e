package cli

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"math"
	"net"
	"net/netip"
	"os"
	"strconv"
	"strings"
	"time"

	"linnet/internal/admin"
	"linnet/internal/admin/doctor"
	"linnet/internal/backend"
	"linnet/internal/config"
	"linnet/internal/core"
	"linnet/internal/exit"
	"linnet/internal/kv"
	"linnet/internal/kv/diskkv"
	"linnet/internal/version"
)

// check reads the whole store and prints inconsistencies. It fails if it finds any, so that scripts
// notice.
func check(ctx context.Context, c *call, b *backend.Backend) error {
	r, err := admin.Check(ctx, b.App, admin.CheckOptions{Progress: c.progress()})
	if err != nil {
		return fmt.Errorf("cannot check the store: %w", err)
	}
	if c.flag("json") {
		err = printJSON(c.stdout, r)
	} else {
		err = r.Print(c.stdout)
	}
	if n := r.Count[admin.Breach]; err == nil && n > 0 {
		return &exit.Error{Code: exit.Failed, What: fmt.Sprintf("problems found in the store: %d", n), Advice: "docs/admin/troubleshoot.md explains the problems."}
	}
	return err
}

// progress returns a progress display on standard error.
func (c *call) progress() *admin.Progress { return admin.NewProgress(c.stderr, isTerminal(c.stderr)) }

// digest prints a checksum of the store.
func digest(ctx context.Context, c *call, b *backend.Backend) error {
	opt := admin.DigestOptions{Shard: -1, Dir: b.Config.TempDir(), Progress: c.progress()}
	if text := c.line.flags["shard"]; text != "" {
		n, err := strconv.Atoi(text)
		if err != nil || n < 0 || n >= kv.Shards {
			return exit.UsageError(fmt.Sprintf("--shard must be a number from 0 to %d, not %q", kv.Shards-1, text), "")
		}
		opt.Shard = n
	}
	d, err := admin.DigestOf(ctx, b.Engine, opt)
	if err != nil {
		return fmt.Errorf("cannot compute the checksum of the store: %w", err)
	}
	if c.flag("json") {
		return printJSON(c.stdout, d)
	}
	return d.Print(c.stdout)
}

// doctorCommand prints the findings of a diagnosis. It fails if one is a fault, so that scripts
// notice.
func doctorCommand(ctx context.Context, c *call, b *backend.Backend) error {
	found := examine(ctx, b)
	var err error
	if c.flag("json") {
		err = printJSON(c.stdout, struct {
			Findings []core.Finding `json:"findings"`
		}{found})
	} else {
		err = printFindings(c.stdout, found)
	}
	faults := 0
	for _, f := range found {
		if f.State == core.FindsFault {
			faults++
		}
	}
	if err == nil && faults > 0 {
		return &exit.Error{Code: exit.Failed, What: fmt.Sprintf("problems found: %d", faults), Advice: "The list above suggests a remedy for each problem."}
	}
	return err
}

// printFindings prints a line for each finding and one for its remedy.
func printFindings(w io.Writer, found []core.Finding) error {
	var out strings.Builder
	for _, f := range found {
		fmt.Fprintf(&out, "%-8s %-12s %s\n", f.State, f.Area, f.Text)
		if f.Remedy != "" {
			fmt.Fprintf(&out, "%21s → %s\n", "", f.Remedy)
		}
	}
	_, err := io.WriteString(w, out.String())
	return err
}

// clockBehind is how far the clock may be behind the newest entry of the store.
const clockBehind = 2 * time.Second

// warnClock warns if the clock of this machine was set back since the last write to the store. With
// the embedded store there is no other clock to compare with.
func warnClock(ctx context.Context, b *backend.Backend, now time.Time, log *slog.Logger) {
	if newest := doctor.Newest(ctx, b.App); newest.Sub(now) > clockBehind {
		log.Warn("the clock of this machine is behind the newest entry in the store; set it and enable NTP", "clock", now.UTC(), "store", newest)
	}
}

// examine runs the diagnosis in this process.
func examine(ctx context.Context, b *backend.Backend) []core.Finding {
	c := b.Config
	dial := &net.Dialer{}
	host, _, _ := net.SplitHostPort(c.Addr)
	ip, err := netip.ParseAddr(host)
	everywhere := host == "" || err == nil && ip.IsUnspecified()
	p := &doctor.Patient{
		App: b.App, Engine: b.Engine, Files: b.Files,
		Program: version.Get().String(), Exclusive: c.Embedded(), Data: c.Data, Reserve: c.Reserve, Disk: diskkv.Free,
		Memory: c.Memory, OpenFiles: backend.OpenFilesLimit(), Videos: c.FFmpegPath() != "",
		Backups: c.Backup.To != "", BackUp: c.Backup.Schedule,
		PublicURL: b.PublicURL, Everywhere: everywhere && c.PublicURL == "" && strings.HasPrefix(b.PublicURL, "http://"), Forged: c.TooWideProxies().IsValid(),
		Dial: dial.DialContext, Lookup: net.DefaultResolver.LookupHost, Now: time.Now,
	}
	if p.Mail, err = c.MailServer(); err != nil {
		p.Mail = nil // a server would not start with these settings
	}
	if has := config.MachineMemory(os.DirFS("/")); has != math.MaxInt64 {
		p.HasMemory = has
	}
	return doctor.Examine(ctx, p)
}
