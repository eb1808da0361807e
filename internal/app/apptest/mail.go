package apptest

import (
	"context"
	"path"
	"strings"
	"testing"
	"time"

	"linnet/internal/app"
	"linnet/internal/kv"
	"linnet/internal/linnet"
	"linnet/internal/mail"
	"linnet/internal/mail/mailtest"
	"linnet/internal/store"
	"linnet/internal/task"
)

// WithMail returns a running app that sends its mails to a test server.
func WithMail(t *testing.T, e kv.Engine, opt store.Options, at *mailtest.Server) *World {
	t.Helper()
	st := store.New(e, opt)
	s, err := app.New(st, app.Options{Derive: Derive, PublicURL: "https://linnet.test", Log: Quiet(), Exclusive: true, Files: Files(t),
		Mail: &mail.Server{Addr: at.Addr, TLS: mail.StartTLS, From: "linnet@linnet.test", Roots: at.Roots}})
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan struct{})
	go func() { defer close(done); s.Run(ctx) }()
	w := &World{T: t, App: s, Ctx: context.Background(), Store: st, works: true}
	w.Stop = func() { cancel(); <-done; w.works = false }
	t.Cleanup(w.Stop)
	return w
}

// OnMailEngines runs a test with a mail server over the engines of EachEngine.
func OnMailEngines(t *testing.T, f func(w *World, at *mailtest.Server, e kv.Engine)) {
	EachEngine(t, func(t *testing.T, e kv.Engine) {
		at := mailtest.New(t, mailtest.Options{})
		f(WithMail(t, e, store.Options{}, at), at, e)
	})
}

// UserWithEmail signs a user up and confirms the address.
func (w *World) UserWithEmail(at *mailtest.Server, login, address string) linnet.ID {
	w.Helper()
	before := len(at.Mails())
	u, err := w.Identity.SignUp(w.Ctx, linnet.SignUp{Login: login, Password: Password, Email: address, Agreed: true})
	if err != nil {
		w.Fatal(err)
	}
	w.OK(w.Emails.Confirm(w.Ctx, TokenIn(w.T, at.Wait(w, before+1)[before], "/confirm/")))
	return u.ID
}

// TokenIn returns the token of a link in a mail.
func TokenIn(t *testing.T, m mailtest.Mail, part string) string {
	t.Helper()
	link := m.Link(part)
	if !strings.HasPrefix(link, "https://linnet.test"+part) {
		t.Fatalf("no link %s in\n%s", part, m.Text())
	}
	return path.Base(link)
}

// Eventually waits until ok returns true.
func Eventually(t *testing.T, what string, ok func() bool) {
	t.Helper()
	for end := time.Now().Add(20 * time.Second); !ok(); time.Sleep(time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("%s: not in time", what)
		}
	}
}

// LeftMails returns the stored mail tasks, pending and dead.
func LeftMails(t *testing.T, e kv.Engine) (later, dead []string) {
	t.Helper()
	for s := range uint16(kv.Shards) {
		for i, key := range []kv.Key{task.LaterKey(s), task.DeadKey(s)} {
			r := &kv.Range{Key: key, Limit: kv.MaxRange}
			if err := e.Read(t.Context(), r); err != nil {
				t.Fatal(err)
			}
			for _, m := range r.Members {
				get := &kv.Get{Key: task.Key(s, m.Member)}
				if err := e.Read(t.Context(), get); err != nil {
					t.Fatal(err)
				}
				if i == 0 {
					later = append(later, string(get.Data))
				} else {
					dead = append(dead, string(get.Data))
				}
			}
		}
	}
	return later, dead
}

// NoMailsLeft waits until no mail is being sent, and checks the store.
func (w *World) NoMailsLeft(e kv.Engine) {
	w.Helper()
	Eventually(w.T, "mails end", func() bool { later, _ := LeftMails(w.T, e); return len(later) == 0 && w.Idle() })
	w.Check()
}
