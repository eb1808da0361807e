package mailing_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"linnet/internal/app/apptest"
	"linnet/internal/kv"
	"linnet/internal/kv/memkv"
	"linnet/internal/linnet"
	"linnet/internal/mail/mailtest"
	"linnet/internal/store"
	"linnet/internal/task"
)

// TestMailsThatAreNotTaken checks that mails are retried with increasing delays if the mail server
// is busy, and set aside in the end. Mails to a rejected receiver are not retried.
func TestMailsThatAreNotTaken(t *testing.T) {
	clock := &apptest.Clock{}
	e, at := memkv.New(memkv.Options{Now: clock.Now}), mailtest.New(t, mailtest.Options{})
	w := apptest.WithMail(t, e, store.Options{Now: clock.Now}, at)
	restart := func(w *apptest.World) *apptest.World {
		w.Stop()
		return apptest.WithMail(t, e, store.Options{Now: clock.Now}, at)
	}
	at.Refuse(func(stage, who string) error {
		if stage == "to" && strings.HasPrefix(who, "gone") {
			return mailtest.Answer(550, "no such mailbox")
		}
		if stage == "to" {
			return mailtest.Answer(451, who+" is greylisted")
		}
		return nil
	})
	_, err := w.Identity.SignUp(w.Ctx, linnet.SignUp{Login: "bob", Password: apptest.Password, Email: "gone@example.com", Agreed: true})
	w.OK(err)
	apptest.Eventually(t, "the refused mail ends", func() bool {
		later, dead := apptest.LeftMails(t, e)
		return at.Tries() == 1 && len(later)+len(dead) == 0
	})
	_, err = w.Identity.SignUp(w.Ctx, linnet.SignUp{Login: "ann", Password: apptest.Password, Email: "ann@example.com", Agreed: true})
	w.OK(err)
	for try, wait := range []time.Duration{time.Minute, 5 * time.Minute, 20 * time.Minute, time.Hour, 4 * time.Hour, 12 * time.Hour} {
		apptest.Eventually(t, "the mail is left for later", func() bool {
			later, _ := apptest.LeftMails(t, e)
			return len(later) == 1 && at.Tries() == try+2 && strings.Contains(later[0], fmt.Sprintf(`"try":%d`, try+1)) // written after the attempt
		})
		clock.Advance(wait + time.Minute)
		w = restart(w) // which looks for due tasks at once
	}
	apptest.Eventually(t, "the mail is set aside", func() bool { later, dead := apptest.LeftMails(t, e); return len(later) == 0 && len(dead) == 1 })
	_, dead := apptest.LeftMails(t, e)
	if !strings.Contains(dead[0], "451") || strings.Contains(dead[0], "@") {
		t.Errorf("set aside as %s", dead[0])
	}
	if s := apptest.Must(w.Mailing.State(w.Ctx))(t); s.Failed == 0 || !strings.Contains(s.Why, "451") || strings.Contains(s.Why, "@") {
		t.Errorf("the state is %+v", s)
	}
	// An operator sends it again.
	at.Refuse(nil)
	tasks := apptest.Must(deadTasks(w, e))(t)
	if ok, err := task.Retry(w.Ctx, e, tasks[0].Shard, tasks[0].ID, w.Store.Now()); err != nil || !ok {
		t.Fatalf("tried again: %v, %v", ok, err)
	}
	clock.Advance(time.Minute)
	w = restart(w)
	at.Wait(t, 1)
	apptest.Eventually(t, "nothing is left", func() bool { later, dead := apptest.LeftMails(t, e); return len(later)+len(dead) == 0 })
	if s := apptest.Must(w.Mailing.State(w.Ctx))(t); s.Sent < s.Failed {
		t.Errorf("the state is %+v", s)
	}
}

func deadTasks(w *apptest.World, e kv.Engine) ([]task.Listed, error) {
	return task.List(w.Ctx, e, true, 10)
}

// TestMailAfterACrash checks that another server sends a mail again after a crash, with the same
// Message-ID. A slow mail server delays nothing else.
func TestMailAfterACrash(t *testing.T) {
	clock := &apptest.Clock{}
	e, at := memkv.New(memkv.Options{Now: clock.Now}), mailtest.New(t, mailtest.Options{})
	w := apptest.WithMail(t, e, store.Options{Now: clock.Now}, at)
	at.Hold()
	u, err := w.Identity.SignUp(w.Ctx, linnet.SignUp{Login: "ann", Password: apptest.Password, Email: "ann@example.com", Agreed: true})
	w.OK(err)
	apptest.Eventually(t, "the mail is under way", func() bool { return at.Tries() == 1 })
	w.Post(u.ID, "meanwhile") // does not wait for the mail
	w.Drain()
	w.Stop() // the task stays, as after a kill
	at.Release()
	first := at.Wait(t, 1)[0]
	if later, _ := apptest.LeftMails(t, e); len(later) != 1 {
		t.Fatalf("%q are left", later)
	}
	clock.Advance(3 * time.Minute)
	w = apptest.WithMail(t, e, store.Options{Now: clock.Now}, at)
	again := at.Wait(t, 2)[1]
	if first.Header.Get("Message-Id") != again.Header.Get("Message-Id") {
		t.Errorf("sent as %s and %s", first.Header.Get("Message-Id"), again.Header.Get("Message-Id"))
	}
	w.OK(w.Emails.Confirm(w.Ctx, apptest.TokenIn(t, again, "/confirm/")))
	apptest.Eventually(t, "nothing is left", func() bool { later, _ := apptest.LeftMails(t, e); return len(later) == 0 })
}

// TestMailTasksHoldNothing checks that mail tasks contain no addresses and no link tokens, and that
// deleted accounts receive no mail.
func TestMailTasksHoldNothing(t *testing.T) {
	clock := &apptest.Clock{}
	e, at := memkv.New(memkv.Options{Now: clock.Now}), mailtest.New(t, mailtest.Options{})
	w := apptest.WithMail(t, e, store.Options{Now: clock.Now}, at)
	at.Refuse(func(string, string) error { return mailtest.Answer(421, "not now") })
	u, err := w.Identity.SignUp(w.Ctx, linnet.SignUp{Login: "ann", Password: apptest.Password, Email: "ann@example.com", Agreed: true})
	w.OK(err)
	w.OK(w.Emails.Forgot(w.Ctx, "ann@example.com", apptest.LoginAddr))
	apptest.Eventually(t, "one is left", func() bool {
		later, _ := apptest.LeftMails(t, e)
		return len(later) == 1 && strings.Contains(later[0], `"try":1`)
	})
	later, _ := apptest.LeftMails(t, e)
	if strings.Contains(later[0], "example") || strings.Contains(later[0], "@") {
		t.Errorf("the task holds %s", later[0])
	}
	w.OK(w.Social.Deletion.DeleteUser(w.Ctx, u.ID))
	at.Refuse(nil)
	clock.Advance(2 * time.Minute)
	w.Stop()
	w = apptest.WithMail(t, e, store.Options{Now: clock.Now}, at)
	apptest.Eventually(t, "nothing is left", func() bool { later, _ := apptest.LeftMails(t, e); return len(later) == 0 && w.Idle() })
	if n := len(at.Mails()); n != 0 {
		t.Errorf("%d mails went to who is gone", n)
	}
}
