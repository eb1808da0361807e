package doctor_test

import (
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"errors"
	"log/slog"
	"math/big"
	"net"
	"strings"
	"testing"
	"time"

	"linnet/internal/admin/backup"
	"linnet/internal/admin/doctor"
	"linnet/internal/app"
	"linnet/internal/app/apptest"
	"linnet/internal/blob"
	"linnet/internal/core"
	"linnet/internal/kv"
	"linnet/internal/kv/diskkv"
	"linnet/internal/kv/memkv"
	"linnet/internal/locale"
	"linnet/internal/mail"
	"linnet/internal/mail/mailtest"
	"linnet/internal/record"
	"linnet/internal/store"
	"linnet/internal/task"
	"linnet/internal/wording"
)

// unwell is an engine with configurable errors, advice and clock.
type unwell struct {
	*memkv.Engine
	ping   error
	advice []kv.Advice
	off    time.Duration
}

func (e *unwell) Ping(context.Context) error { return e.ping }

func (e *unwell) Info() kv.Info {
	i := e.Engine.Info()
	i.Advice = e.advice
	return i
}

func (e *unwell) Now(context.Context) (time.Time, error) { return time.Now().Add(e.off), nil }

// ward is a healthy patient, until a test case causes one problem.
type ward struct {
	*doctor.Patient
	engine  *unwell
	version uint64 // version of records written by cases
}

func newWard(t *testing.T) *ward {
	t.Helper()
	e := &unwell{Engine: memkv.New(memkv.Options{})}
	st := store.New(e, store.Options{})
	if err := st.Instance.CheckFormat(t.Context()); err != nil {
		t.Fatal(err)
	}
	files := apptest.Files(t)
	a, err := app.New(st, app.Options{Derive: apptest.Derive, PublicURL: "https://linnet.test", Files: files, Log: slog.New(slog.DiscardHandler)})
	if err != nil {
		t.Fatal(err)
	}
	post := mailtest.New(t, mailtest.Options{Auth: true})
	p := &doctor.Patient{
		Mail: &mail.Server{Addr: post.Addr, From: "linnet@linnet.test", User: mailtest.User, Password: mailtest.Password, Roots: post.Roots},
		App:  a, Engine: e, Files: files, Program: "linnet 1.2.3", Data: t.TempDir(), Reserve: 1e9,
		Disk:   func(string) (free, total uint64, err error) { return 50e9, 100e9, nil },
		Memory: 1e9, HasMemory: 4e9, OpenFiles: 65536, Videos: true, Backups: true, BackUp: backup.Schedule{Every: 24 * time.Hour},
		PublicURL: "http://127.0.0.1:8420",
		Dial: func(context.Context, string, string) (net.Conn, error) {
			ours, theirs := net.Pipe()
			theirs.Close()
			return ours, nil
		},
		Lookup: func(context.Context, string) ([]string, error) { return []string{"192.0.2.7"}, nil },
		Now:    time.Now,
	}
	w := &ward{Patient: p, engine: e}
	w.backedUp(t, time.Now().Add(-time.Hour))
	return w
}

// backedUp records a backup with a time.
func (w *ward) backedUp(t *testing.T, at time.Time) {
	t.Helper()
	w.put(t, record.LastBackupKey(), record.Encode(record.LastBackup{Moment: at, Where: "/srv/backup"}))
}

// put writes a record, replacing any earlier one.
func (w *ward) put(t *testing.T, key kv.Key, data []byte) {
	t.Helper()
	w.version++
	if _, err := w.engine.Txn(t.Context(), nil, kv.Put{Key: key, Data: data, Version: w.version}); err != nil {
		t.Fatal(err)
	}
}

// beat writes a server's sign of life.
func (w *ward) beat(t *testing.T, member string) {
	t.Helper()
	if err := w.engine.Apply(t.Context(), kv.Add{Key: task.ServersKey(), Member: member, Score: time.Now().UnixMilli()}); err != nil {
		t.Fatal(err)
	}
}

// TestExamine checks that a healthy instance has no warnings, and that each problem is found with a
// remedy.
func TestExamine(t *testing.T) {
	refused := errors.New("connection refused")
	for _, c := range []struct {
		name string
		ail  func(t *testing.T, w *ward)
		want string // "state area: part of the text"; "" if there is no problem
	}{
		{"nothing", func(*testing.T, *ward) {}, ""},
		{"the store is away", func(_ *testing.T, w *ward) { w.engine.ping = kv.ErrUnavailable }, "fault store: doesn't respond"},
		{"the store was emptied", func(_ *testing.T, w *ward) {
			w.engine.ping = &kv.Trouble{Reason: wording.Message("in memory: all data is lost when the process ends"), Err: kv.ErrUnavailable}
		}, "fault store: all data is lost"},
		{"its engine advises", func(_ *testing.T, w *ward) {
			w.engine.advice = []kv.Advice{{Text: wording.Message("Redis couldn't write its snapshot"), Remedy: wording.Message("Synchronize both clocks with NTP.")}}
		}, "warning store: write its snapshot"},
		{"its engine warns", func(_ *testing.T, w *ward) {
			w.engine.advice = []kv.Advice{{Text: wording.Message("sets of ids use five times as much memory"), Remedy: wording.Message("Synchronize both clocks with NTP."), Grave: true}}
		}, "fault store: five times"},
		{"clocks differ", func(_ *testing.T, w *ward) { w.engine.off = -3 * time.Second }, "warning clock: differ by 3"},
		{"clocks differ by far", func(_ *testing.T, w *ward) { w.engine.off = time.Hour }, "fault clock: differ by 1h"},
		{"a clock from before there was this program", func(_ *testing.T, w *ward) {
			w.Exclusive, w.Now = true, func() time.Time { return time.Unix(0, 0) }
		}, "fault clock: clock shows 1970-01-01"},
		{"a clock from before the last backup", func(t *testing.T, w *ward) {
			w.Exclusive = true
			w.backedUp(t, time.Now().Add(24*time.Hour))
		}, "fault clock: the store contains newer data, from"},
		{"the disk is nearly full", func(_ *testing.T, w *ward) {
			w.Disk = func(string) (uint64, uint64, error) { return 4e9, 100e9, nil }
		}, "warning disk: 4.0 GB of 100.0 GB"},
		{"the disk is full", func(_ *testing.T, w *ward) {
			w.Exclusive = true
			w.Disk = func(string) (uint64, uint64, error) { return 9e8, 100e9, nil }
		}, "fault disk: the store refuses writes"},
		{"few files", func(_ *testing.T, w *ward) { w.OpenFiles = 1024 }, "warning open files: 1024"},
		{"much memory", func(_ *testing.T, w *ward) { w.Memory = 35e8 }, "warning memory: 3.5 GB"},
		{"more than there is", func(_ *testing.T, w *ward) { w.Memory = 8e9 }, "fault memory: has 4.0 GB"},
		{"a task was given up", func(t *testing.T, w *ward) {
			if err := w.engine.Apply(t.Context(), kv.Add{Key: task.DeadKey(0), Member: "T1", Score: 1}); err != nil {
				t.Fatal(err)
			}
		}, "warning tasks: 1 tasks failed repeatedly"},
		{"servers of two versions", func(t *testing.T, w *ward) {
			w.beat(t, "1/host-a/x/0.2.0")
			w.beat(t, "2/host-b/y")
		}, "warning program: server host-a runs version 0.2.0, server host-b runs version (unknown)"},
		{"servers of one version", func(t *testing.T, w *ward) {
			w.beat(t, "1/host-a/x/0.2.0")
			w.beat(t, "2/host-b/y/0.2.0")
		}, ""},
		{"old backup", func(t *testing.T, w *ward) { w.backedUp(t, time.Now().Add(-73*time.Hour)) }, "warning backups: 73 hours ago"},
		{"one backup was left out", func(t *testing.T, w *ward) { w.backedUp(t, time.Now().Add(-49*time.Hour)) }, "warning backups: 49 hours ago"},
		{"no schedule, old backup", func(t *testing.T, w *ward) {
			w.Backups = false
			w.backedUp(t, time.Now().Add(-49*time.Hour))
		}, "warning backups: 49 hours ago"},
		{"failed backup", func(t *testing.T, w *ward) {
			w.put(t, record.BackupResultsKey(), record.Encode(record.BackupResults{Failed: time.Now(), Why: "no space"}))
		}, "fault backups: no space"},
		{"a backup without pictures", func(t *testing.T, w *ward) {
			w.put(t, record.LastBackupKey(), record.Encode(record.LastBackup{Moment: time.Now(), Where: "/srv/backup", Lacks: "no space"}))
		}, "fault backups: in /srv/backup: no space"},
		{"and one before that has them", func(t *testing.T, w *ward) {
			w.put(t, record.LastBackupKey(), record.Encode(record.LastBackup{Moment: time.Now(), Where: "/srv/backup", Lacks: "no space", Whole: time.Unix(0, 0)}))
		}, "fault backups: no space. The last complete backup is from 1970-01-01"},
		{"a backup of which that is not known", func(t *testing.T, w *ward) {
			w.put(t, record.LastBackupKey(), record.Encode(record.LastBackup{Moment: time.Now(), Where: "/srv/backup", Unsure: "no space"}))
		}, "warning backups: in /srv/backup: no space"},
		{"pictures cannot be kept", func(_ *testing.T, w *ward) { w.Files = brokenFiles{w.Files} }, "fault media: read-only"},
		{"everybody may say who they are", func(_ *testing.T, w *ward) { w.Forged = true }, "fault address: Any client can fake its IP address"},
		{"others come in by http", func(_ *testing.T, w *ward) { w.Everywhere = true }, "fault address: plain HTTP"},
		{"a public name by http", func(_ *testing.T, w *ward) { w.PublicURL = "http://linnet.example" }, "fault address: plain HTTP"},
		{"no such name", func(_ *testing.T, w *ward) {
			w.PublicURL = "http://linnet.example"
			w.Lookup = func(context.Context, string) ([]string, error) { return nil, errors.New("no such host") }
		}, "fault address: linnet.example has no address in DNS"},
		{"no mail server", func(t *testing.T, w *ward) { w.Mail.Addr = "127.0.0.1:1" }, "fault e-mail: 127.0.0.1:1 doesn't accept e-mail"},
		{"a wrong password for it", func(t *testing.T, w *ward) { w.Mail.Password = "nonsense" }, "fault e-mail: doesn't accept e-mail"},
		{"the last mail failed", func(t *testing.T, w *ward) {
			w.put(t, record.MailStateKey(), record.Encode(record.MailState{Failed: time.Now().UnixMilli(), Why: "no such user"}))
		}, "warning e-mail: no such user"},
		{"no push services", func(_ *testing.T, w *ward) {
			w.Dial = func(context.Context, string, string) (net.Conn, error) { return nil, refused }
		}, "warning push: fcm.googleapis.com, updates.push"},
	} {
		t.Run(c.name, func(t *testing.T) {
			w := newWard(t)
			c.ail(t, w)
			var bad []string
			for _, f := range doctor.Examine(t.Context(), w.Patient) {
				if f.State == core.FindsWarning || f.State == core.FindsFault {
					bad = append(bad, string(f.State)+" "+f.Area.String()+": "+f.Text.String())
					if f.Remedy == "" {
						t.Errorf("no remedy for %q", f.Text)
					}
				}
				for _, said := range []wording.Message{f.Area, f.Text, f.Remedy} {
					if said != "" && !strings.HasPrefix(said.In(locale.Pseudo()), "⟦") {
						t.Errorf("%q is in no catalogue", said)
					}
				}
			}
			if c.want == "" {
				if len(bad) > 0 {
					t.Errorf("found %q", bad)
				}
				return
			}
			head, text, _ := strings.Cut(c.want, ": ")
			hit := false
			for _, b := range bad {
				hit = hit || strings.HasPrefix(b, head+": ") && strings.Contains(b, text)
			}
			if !hit || len(bad) > 2 { // a host name over http is a second problem
				t.Errorf("found %q, want %q", bad, c.want)
			}
		})
	}
}

// TestBackupsTwiceIll checks that a failed backup and an incomplete one are two findings, but only
// one if they have the same reason.
func TestBackupsTwiceIll(t *testing.T) {
	for why, want := range map[string]int{"read-only file system": 2, "no space": 1} {
		w := newWard(t)
		w.put(t, record.LastBackupKey(), record.Encode(record.LastBackup{Moment: time.Now(), Where: "/srv/backup", Lacks: "no space"}))
		w.put(t, record.BackupResultsKey(), record.Encode(record.BackupResults{Failed: time.Now(), Why: why}))
		var found []string
		for _, f := range doctor.Examine(t.Context(), w.Patient) {
			if f.Area == "backups" {
				found = append(found, f.Text.String())
			}
		}
		if len(found) != want || !strings.Contains(found[0], why) {
			t.Errorf("of %q is said %q", why, found)
		}
	}
}

// brokenFiles refuses all files.
type brokenFiles struct{ blob.Store }

func (brokenFiles) Put(context.Context, string, string, blob.Source) error {
	return errors.New("read-only file system")
}

// TestNoBackups checks that an instance without backups has one finding with the current state:
// running, failed or none yet.
func TestNoBackups(t *testing.T) {
	e := memkv.New(memkv.Options{})
	w := newWard(t)
	a, err := app.New(store.New(e, store.Options{}), app.Options{Derive: apptest.Derive, PublicURL: "https://linnet.test", Log: slog.New(slog.DiscardHandler)})
	if err != nil {
		t.Fatal(err)
	}
	w.App = a
	w.engine.Engine = e
	said := func(state core.Finds, text string) (found int) {
		t.Helper()
		for _, f := range doctor.Examine(t.Context(), w.Patient) {
			if f.Area != "backups" {
				continue
			}
			if found++; f.State != state || !strings.Contains(f.Text.String(), text) {
				t.Errorf("%s %s, want %s %s", f.State, f.Text, state, text)
			}
		}
		return found
	}
	w.put(t, record.BackupRunningKey(), record.Encode(record.BackupRunning{By: "here", Began: time.Now()}))
	if said(core.FindsNote, "The first backup has been running") != 1 {
		t.Error("more is said than that the first is being made")
	}
	if _, err := e.Txn(t.Context(), nil, kv.Delete{Key: record.BackupRunningKey()}); err != nil {
		t.Fatal(err)
	}
	w.put(t, record.BackupResultsKey(), record.Encode(record.BackupResults{Failed: time.Now(), Why: "no space"}))
	if said(core.FindsFault, "no space") != 1 {
		t.Error("more is said than that the first failed")
	}
	if _, err := e.Txn(t.Context(), nil, kv.Delete{Key: record.BackupResultsKey()}); err != nil {
		t.Fatal(err)
	}
	for _, f := range doctor.Examine(t.Context(), w.Patient) {
		if f.Area == "backups" && f.State == core.FindsWarning && strings.Contains(f.Text.String(), "There is no backup") {
			return
		}
	}
	t.Error("nothing is said of backups")
}

// TestCertificate checks that the certificate of the public address is verified as in an app.
func TestCertificate(t *testing.T) {
	for _, c := range []struct {
		name  string
		until time.Duration
		host  string
		known bool // the authority is known
		state core.Finds
	}{
		{"good", 90 * 24 * time.Hour, "linnet.example", true, core.FindsGood},
		{"soon over", 9 * 24 * time.Hour, "linnet.example", true, core.FindsWarning},
		{"over", -time.Minute, "linnet.example", true, core.FindsFault},
		{"for another name", 90 * 24 * time.Hour, "other.example", true, core.FindsFault},
		{"of no authority", 90 * 24 * time.Hour, "linnet.example", false, core.FindsFault},
	} {
		t.Run(c.name, func(t *testing.T) {
			w := newWard(t)
			w.PublicURL = "https://linnet.example"
			l, own := listenTLS(t, c.host, c.until)
			if w.Roots = x509.NewCertPool(); c.known {
				w.Roots.AddCert(own)
			}
			w.Dial = func(ctx context.Context, network, address string) (net.Conn, error) {
				if address != "linnet.example:443" {
					return nil, errors.New("not asked for")
				}
				return (&net.Dialer{}).DialContext(ctx, network, l.Addr().String())
			}
			for _, f := range doctor.Examine(t.Context(), w.Patient) {
				if f.Area == "certificate" {
					if f.State != c.state || !strings.Contains(f.Text.String(), "linnet.example") {
						t.Errorf("%+v", f)
					}
					return
				}
			}
			t.Error("it was not looked at")
		})
	}
}

// listenTLS listens with a self-signed certificate.
func listenTLS(t *testing.T, host string, until time.Duration) (net.Listener, *x509.Certificate) {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	template := &x509.Certificate{SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: host}, DNSNames: []string{host}, NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(until)}
	der, err := x509.CreateCertificate(rand.Reader, template, template, key.Public(), key)
	if err != nil {
		t.Fatal(err)
	}
	own, err := x509.ParseCertificate(der)
	if err != nil {
		t.Fatal(err)
	}
	l, err := tls.Listen("tcp", "127.0.0.1:0", &tls.Config{Certificates: []tls.Certificate{{Certificate: [][]byte{der}, PrivateKey: key}}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	go func() {
		for {
			conn, err := l.Accept()
			if err != nil {
				return
			}
			go func() {
				conn.(*tls.Conn).HandshakeContext(context.Background())
				conn.Close()
			}()
		}
	}()
	return l, own
}

// TestEmbedded checks that fsync is timed on the disk of an embedded store.
func TestEmbedded(t *testing.T) {
	w := newWard(t)
	w.Exclusive, w.Disk = true, diskkv.Free
	found := doctor.Examine(t.Context(), w.Patient)
	timed := false
	for _, f := range found {
		timed = timed || f.Area == "disk" && strings.Contains(f.Text.String(), "fsync")
	}
	if !timed {
		t.Errorf("the disk was not timed: %+v", found)
	}
	if free, total, err := diskkv.Free(w.Data); err != nil || free == 0 || total < free {
		t.Errorf("%d of %d, %v", free, total, err)
	}
}
