package main

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"math"
	"net"
	"net/netip"
	"os"
	"strings"
	"time"

	"linnet/internal/admin/doctor"
	"linnet/internal/core"
	"linnet/internal/kv/diskkv"
)

// examine prints how the installation is. With faults it fails, so that scripts notice.
func examine(ctx context.Context, c *call, b *backend) error {
	found := b.examine(ctx)
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
		return &fault{code: exitFailed, what: fmt.Sprintf("found %d problems", faults), advice: "Each is listed above with a remedy."}
	}
	return err
}

// printFindings prints a line for each finding, and one for its remedy.
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

// clockBehind is by how much a clock may be behind what the store holds.
const clockBehind = 2 * time.Second

// lookAtClock warns where this machine's clock was set back since the store was written to: no
// other clock is there to be asked.
func (b *backend) lookAtClock(ctx context.Context, now time.Time, log *slog.Logger) {
	if newest := doctor.Newest(ctx, b.svc); newest.Sub(now) > clockBehind {
		log.Warn("the clock of this machine is behind the newest entry in the store; set it and enable NTP", "clock", now.UTC(), "store", newest)
	}
}

// examine looks how the installation is, from where this process runs.
func (b *backend) examine(ctx context.Context) []core.Finding {
	c := b.cfg
	dial := &net.Dialer{}
	host, _, _ := net.SplitHostPort(c.Addr)
	ip, err := netip.ParseAddr(host)
	everywhere := host == "" || err == nil && ip.IsUnspecified()
	p := &doctor.Patient{
		App: b.svc, Engine: b.engine, Files: b.files,
		Program: thisVersion().String(), Exclusive: c.embedded(), Data: c.Data, Reserve: c.Reserve, Disk: diskkv.Free,
		Memory: c.Memory, OpenFiles: openFilesLimit(), Videos: c.ffmpeg() != "",
		Backups: c.Backup.To != "", BackUp: c.Backup.Schedule,
		PublicURL: b.publicURL, Everywhere: everywhere && c.PublicURL == "" && strings.HasPrefix(b.publicURL, "http://"), Forged: c.tooWideProxies().IsValid(),
		Dial: dial.DialContext, Lookup: net.DefaultResolver.LookupHost, Now: time.Now,
	}
	if p.Mail, err = c.mailServer(); err != nil {
		p.Mail = nil // as the server that would not start with it
	}
	if has := machineMemory(os.DirFS("/")); has != math.MaxInt64 {
		p.HasMemory = has
	}
	return doctor.Examine(ctx, p)
}
