// Package doctor examines an instance on its machine, reports problems and how to fix them. It
// checks the store and its durability, the disk, the clock, the public address, certificates,
// media, push, e-mail, background tasks and backups.
//
// It leaves no changes: it removes the file that times the disk and the file that tests the media
// location. It does not know commands, pages or configuration options.
package doctor

import (
	"context"
	"crypto/x509"
	"net"
	"time"

	"linnet/internal/admin/backup"
	"linnet/internal/app"
	"linnet/internal/blob"
	"linnet/internal/core"
	"linnet/internal/kv"
	"linnet/internal/mail"
	"linnet/internal/wording"
)

// Patience is the timeout of one check. Checks run concurrently.
const Patience = 5 * time.Second

// Patient is the server to check.
type Patient struct {
	App    *app.App
	Engine kv.Engine
	Files  blob.Store

	Program   string // displayed version of the program
	Exclusive bool   // the engine is in this process, with its files in Data
	Data      string // the data directory
	Reserve   int64  // bytes of free space to reserve there; 0 for none
	Disk      func(dir string) (free, total uint64, err error)
	Memory    int64           // memory limit of the program
	HasMemory int64           // memory of the machine; 0 if unknown
	OpenFiles uint64          // limit of open files of the process; 0 if unknown
	Mail      *mail.Server    // nil if the server sends no e-mail
	Videos    bool            // the server makes pictures of videos
	BackUp    backup.Schedule // schedule of backups
	Backups   bool            // this server has a location for backups

	PublicURL  string
	Everywhere bool // it accepts connections from other machines without TLS
	Forged     bool // clients can forge their address
	Dial       func(ctx context.Context, network, address string) (net.Conn, error)
	Lookup     func(ctx context.Context, host string) ([]string, error)
	Roots      *x509.CertPool // certificate authorities; nil for the system's
	Now        func() time.Time
}

// Examine runs all checks and returns the findings in a fixed order. It doesn't fail: errors are
// findings.
func Examine(ctx context.Context, p *Patient) []core.Finding {
	checks := []struct {
		area wording.Message
		look func(context.Context, *Patient) []core.Finding
	}{
		{said("program"), program}, {said("store"), store}, {said("clock"), clock}, {said("disk"), disk},
		{said("open files"), openFiles}, {said("memory"), memory}, {said("tasks"), tasks}, {said("backups"), backups},
		{said("search"), search}, {said("address"), address}, {said("certificate"), certificate},
		{said("media"), pictures}, {said("push"), pushes}, {said("e-mail"), mails},
	}
	found := make([]chan []core.Finding, len(checks))
	for i, check := range checks {
		found[i] = make(chan []core.Finding, 1)
		go func() {
			ctx, cancel := context.WithTimeout(ctx, Patience)
			defer cancel()
			found[i] <- check.look(ctx, p)
		}()
	}
	var out []core.Finding
	for i, f := range found {
		for _, one := range <-f {
			one.Area = checks[i].area
			out = append(out, one)
		}
	}
	return out
}

// said returns a message. The catalogue test finds its constant format.
func said(format string, values ...any) wording.Message { return wording.Messagef(format, values...) }

func good(text wording.Message) core.Finding {
	return core.Finding{State: core.FindsGood, Text: text}
}

func note(text, remedy wording.Message) core.Finding {
	return core.Finding{State: core.FindsNote, Text: text, Remedy: remedy}
}

func warning(text, remedy wording.Message) core.Finding {
	return core.Finding{State: core.FindsWarning, Text: text, Remedy: remedy}
}

func fault(text, remedy wording.Message) core.Finding {
	return core.Finding{State: core.FindsFault, Text: text, Remedy: remedy}
}

func one(f core.Finding) []core.Finding { return []core.Finding{f} }
