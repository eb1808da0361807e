package mail_test

import (
	"context"
	"errors"
	netmail "net/mail"
	"strings"
	"testing"
	"time"

	"linnet/internal/mail"
	"linnet/internal/mail/mailtest"
)

func TestNormalize(t *testing.T) {
	for in, want := range map[string]string{
		"ann@example.com":             "ann@example.com",
		" Ann.Lee+news@EXAMPLE.com\t": "ann.lee+news@example.com",
		"ann@bücher.example":          "ann@xn--bcher-kva.example",
		"ann@BÜCHER.example":          "ann@xn--bcher-kva.example",
		"ann@例え.テスト":                  "ann@xn--r8jz45g.xn--zckzah",
		"ann@example.com.":            "ann@example.com",
	} {
		if got, err := mail.Normalize(in); err != nil || got != want {
			t.Errorf("Normalize(%q) = %q, %v, want %q", in, got, err, want)
		}
	}
	for in, want := range map[string]error{
		"": mail.ErrAddress, "ann": mail.ErrAddress, "@example.com": mail.ErrAddress, "ann@": mail.ErrAddress, "ann@localhost": mail.ErrAddress,
		"ann@[127.0.0.1]": mail.ErrAddress, "ann@127.0.0.1": mail.ErrAddress, "a b@example.com": mail.ErrAddress, "\"a b\"@example.com": mail.ErrAddress,
		"Ann <ann@example.com>": mail.ErrAddress, "ann@example.com\r\nBcc: eve@example.com": mail.ErrAddress, "ann@exa\x00mple.com": mail.ErrAddress,
		"ann@example.com,eve@example.com": mail.ErrAddress, "a..b@example.com": mail.ErrAddress, "ann@-x.example": mail.ErrAddress,
		"änn@example.com": mail.ErrLocal, strings.Repeat("a", 65) + "@example.com": mail.ErrLong,
		"ann@" + strings.Repeat("a.", 130) + "example.com": mail.ErrLong,
	} {
		if got, err := mail.Normalize(in); !errors.Is(err, want) {
			t.Errorf("Normalize(%q) = %q, %v, want %v", in, got, err, want)
		}
	}
	if got := mail.Shown("ann@xn--bcher-kva.example"); got != "ann@bücher.example" {
		t.Errorf("shown as %q", got)
	}
}

// FuzzNormalize checks that the result of Normalize is a single address and does not change when it
// is normalized again.
func FuzzNormalize(f *testing.F) {
	for _, s := range []string{"ann@example.com", "Ann@BÜCHER.example", "a@b.c\nBcc: x@y.z", "\"x\"@y.z", "a@b.c, d@e.f", "a@\u2024b.c"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		got, err := mail.Normalize(s)
		if err != nil {
			return
		}
		if again, err := mail.Normalize(got); err != nil || again != got {
			t.Errorf("%q becomes %q and then %q, %v", s, got, again, err)
		}
		if l, err := netmail.ParseAddressList(got); err != nil || len(l) != 1 || l[0].Address != got || strings.ContainsAny(got, "\r\n ") {
			t.Errorf("%q becomes %q, which is %v, %v", s, got, l, err)
		}
	})
}

func server(s *mailtest.Server) *mail.Server {
	return &mail.Server{Addr: s.Addr, TLS: mail.StartTLS, From: "linnet@birds.example", Roots: s.Roots}
}

func message() *mail.Message {
	return &mail.Message{To: "ann@example.com", Name: "Birds", Subject: "Hello", ID: "one", Host: "birds.example", Date: time.Date(2026, 5, 1, 12, 0, 0, 0, time.UTC),
		Blocks: []mail.Block{{Text: "Some words & <tags>."}, {Text: "Come here", Link: "https://birds.example/x?a=1&b=2"}, {Text: "Two things", Items: []string{"one", "two"}}},
		Why:    "You have an account."}
}

// TestSend checks that a mail with the required headers arrives over each kind of connection.
func TestSend(t *testing.T) {
	for name, c := range map[string]struct {
		opt  mailtest.Options
		tls  mail.TLS
		user bool
	}{
		"starttls": {mailtest.Options{}, mail.StartTLS, false}, "starttls with password": {mailtest.Options{Auth: true}, mail.StartTLS, true},
		"implicit": {mailtest.Options{Implicit: true}, mail.Implicit, false}, "implicit with password": {mailtest.Options{Implicit: true, Auth: true}, mail.Implicit, true},
		"none": {mailtest.Options{NoTLS: true}, mail.Local, false}, "none with password": {mailtest.Options{NoTLS: true, Auth: true}, mail.Local, true},
		"insecure": {mailtest.Options{NoTLS: true}, mail.Insecure, false},
	} {
		t.Run(name, func(t *testing.T) {
			at := mailtest.New(t, c.opt)
			s := server(at)
			s.TLS = c.tls
			if c.user {
				s.User, s.Password = mailtest.User, mailtest.Password
			}
			if err := s.Check(); err != nil {
				t.Fatal(err)
			}
			if err := s.Send(t.Context(), message()); err != nil {
				t.Fatal(err)
			}
			m := at.Mails()[0]
			if m.From != "linnet@birds.example" || m.To != "ann@example.com" || m.TLS != (c.tls == mail.StartTLS || c.tls == mail.Implicit) || (m.User != "") != c.user {
				t.Errorf("it came as %+v", m)
			}
			for h, want := range map[string]string{"Auto-Submitted": "auto-generated", "Message-Id": "<one@birds.example>", "Date": "Fri, 01 May 2026 12:00:00 +0000",
				"Subject": "Hello", "Content-Language": "en", "To": "<ann@example.com>", "From": "\"Birds\" <linnet@birds.example>", "List-Unsubscribe": "", "List-Unsubscribe-Post": "", "Bcc": ""} {
				if got := m.Header.Get(h); got != want {
					t.Errorf("%s: %q, want %q", h, got, want)
				}
			}
			p := m.Parts()
			if want := "Some words & <tags>.\n\nCome here:\nhttps://birds.example/x?a=1&b=2\n\nTwo things\n- one\n- two\n\n-- \nYou have an account.\n"; strings.TrimSpace(p["text/plain"]) != strings.TrimSpace(want) {
				t.Errorf("as text it is\n%s", p["text/plain"])
			}
			for _, want := range []string{"<p>Some words &amp; &lt;tags&gt;.</p>", `<a href="https://birds.example/x?a=1&amp;b=2">Come here</a>`, "<li>two</li>"} {
				if !strings.Contains(p["text/html"], want) {
					t.Errorf("as HTML it is without %q:\n%s", want, p["text/html"])
				}
			}
		})
	}
}

// TestLanguageOfAMail checks that a mail states its language, and that isolates around names stay.
func TestLanguageOfAMail(t *testing.T) {
	at := mailtest.New(t, mailtest.Options{})
	m := message()
	m.In, m.RTL, m.Subject, m.Blocks[0].Text = "ar", true, "مرحبا", "مرحبا \u2068@ann\u2069\u202e"
	for _, m := range []*mail.Message{m, message()} {
		if err := server(at).Send(t.Context(), m); err != nil {
			t.Fatal(err)
		}
	}
	for i, want := range []struct{ lang, html, text string }{{"ar", `<html lang="ar" dir="rtl">`, "مرحبا \u2068@ann\u2069\n"}, {"en", `<html lang="en">`, "Some words"}} {
		got := at.Mails()[i]
		p := got.Parts()
		if got.Header.Get("Content-Language") != want.lang || !strings.Contains(p["text/html"], want.html) || !strings.Contains(strings.ReplaceAll(p["text/plain"], "\r", ""), want.text) {
			t.Errorf("%s: %v\n%s\n%s", want.lang, got.Header, p["text/plain"], p["text/html"])
		}
	}
}

func TestUnsubscribe(t *testing.T) {
	at := mailtest.New(t, mailtest.Options{})
	m := message()
	m.Unsubscribe = "https://birds.example/unsubscribe/x"
	if err := server(at).Send(t.Context(), m); err != nil {
		t.Fatal(err)
	}
	h := at.Mails()[0].Header
	if h.Get("List-Unsubscribe") != "<https://birds.example/unsubscribe/x>" || h.Get("List-Unsubscribe-Post") != "List-Unsubscribe=One-Click" {
		t.Errorf("headers %q", h)
	}
}

// TestNothingInPlain checks that a man in the middle of an encrypted connection receives neither
// the mail nor the password.
func TestNothingInPlain(t *testing.T) {
	plain, secret := mailtest.New(t, mailtest.Options{NoTLS: true}), mailtest.New(t, mailtest.Options{})
	for name, s := range map[string]*mail.Server{
		"no STARTTLS is offered":       {Addr: plain.Addr, TLS: mail.StartTLS, User: mailtest.User, Password: mailtest.Password},
		"no TLS from the first byte":   {Addr: plain.Addr, TLS: mail.Implicit},
		"a certificate nobody trusts":  {Addr: secret.Addr, TLS: mail.StartTLS},
		"a certificate of other names": {Addr: "127.0.0.2" + secret.Addr[strings.LastIndexByte(secret.Addr, ':'):], TLS: mail.StartTLS, Roots: secret.Roots},
	} {
		s.From, s.Timeout = "linnet@birds.example", 5*time.Second
		var f *mail.Fault
		if err := s.Send(t.Context(), message()); !errors.As(err, &f) || f.Final {
			t.Errorf("%s: %v", name, err)
		}
	}
	if n := len(plain.Mails()) + len(secret.Mails()) + plain.Tries() + secret.Tries(); n != 0 {
		t.Errorf("%d mails were sent", n)
	}
}

func TestCheck(t *testing.T) {
	for name, c := range map[string]struct {
		s    mail.Server
		fine bool
	}{
		"usual":               {mail.Server{Addr: "mail.example:587", TLS: mail.StartTLS, From: "a@b.example"}, true},
		"none here":           {mail.Server{Addr: "127.0.0.1:25", TLS: mail.Local, From: "a@b.example"}, true},
		"none by name":        {mail.Server{Addr: "localhost:25", TLS: mail.Local, From: "linnet@localhost"}, true},
		"none elsewhere":      {mail.Server{Addr: "mail.example:25", TLS: mail.Local, From: "a@b.example"}, false},
		"insecure":            {mail.Server{Addr: "mail.example:25", TLS: mail.Insecure, From: "a@b.example"}, true},
		"insecure with a key": {mail.Server{Addr: "mail.example:25", TLS: mail.Insecure, From: "a@b.example", User: "a"}, false},
		"no sender":           {mail.Server{Addr: "mail.example:587", TLS: mail.StartTLS}, false},
		"no port":             {mail.Server{Addr: "mail.example", TLS: mail.StartTLS, From: "a@b.example"}, false},
	} {
		if err := c.s.Check(); (err == nil) != c.fine {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestFaults checks that faults state whether a retry makes sense, and contain no addresses.
func TestFaults(t *testing.T) {
	for name, c := range map[string]struct {
		stage string
		code  int
		final bool
	}{
		"greylisted": {"to", 450, false}, "no such mailbox": {"to", 550, true}, "sender refused": {"from", 550, false},
		"busy": {"data", 451, false}, "taken for spam": {"data", 554, true},
	} {
		t.Run(name, func(t *testing.T) {
			at := mailtest.New(t, mailtest.Options{})
			at.Refuse(func(stage, who string) error {
				if stage == c.stage {
					return mailtest.Answer(c.code, "<ann@example.com>: no thank you")
				}
				return nil
			})
			var f *mail.Fault
			err := server(at).Send(t.Context(), message())
			if !errors.As(err, &f) || f.Code != c.code || f.Final != c.final || strings.Contains(err.Error(), "@") || !strings.Contains(err.Error(), "no thank you") {
				t.Errorf("%v, %+v", err, f)
			}
		})
	}
	at := mailtest.New(t, mailtest.Options{Auth: true})
	s := server(at)
	s.User, s.Password = mailtest.User, "wrong"
	var f *mail.Fault
	if err := s.Send(t.Context(), message()); !errors.As(err, &f) || f.Final || f.Code != 535 || !strings.Contains(err.Error(), "log in") || strings.Contains(err.Error(), "wrong") {
		t.Errorf("a wrong password: %v", err)
	}
}

// TestSlowServer checks that an unresponsive server causes a timeout.
func TestSlowServer(t *testing.T) {
	at := mailtest.New(t, mailtest.Options{})
	at.Hold()
	s := server(at)
	s.Timeout = 300 * time.Millisecond
	var f *mail.Fault
	if err := s.Send(context.Background(), message()); !errors.As(err, &f) || f.Final {
		t.Errorf("%v", err)
	}
}

// FuzzHeaders checks that a mail has the right headers, each once, for any names.
func FuzzHeaders(f *testing.F) {
	for _, s := range []string{"Ann", "Ann\r\nBcc: eve@example.com", "\r\n\r\nA body", "=?utf-8?q?=0d=0aBcc:_x@y.z?=", "\u202eevil", "\x00\x7f", "\"quoted\" <x@y.z>", "\"000000000", strings.Repeat("ü", 300), "a\u2028b"} {
		f.Add(s)
	}
	at := mailtest.New(f, mailtest.Options{NoTLS: true})
	f.Fuzz(func(t *testing.T, s string) {
		m := message()
		m.Name, m.Subject, m.Why, m.Stop = s, s, s, s
		m.Blocks = []mail.Block{{Text: s, Items: []string{s}}, {Text: s, Link: s}}
		m.Unsubscribe, m.ID, m.Host = "https://birds.example/u/x", "id", "birds.example"
		before := len(at.Mails())
		if err := (&mail.Server{Addr: at.Addr, TLS: mail.Local, From: "linnet@birds.example"}).Send(t.Context(), m); err != nil {
			t.Fatalf("%q: %v", s, err)
		}
		got := at.Mails()[before]
		for h, values := range got.Header {
			switch h {
			case "From", "To", "Subject", "Date", "Message-Id", "Mime-Version", "Content-Type", "Auto-Submitted", "Content-Language", "List-Unsubscribe", "List-Unsubscribe-Post", "Content-Transfer-Encoding":
			default:
				t.Errorf("%q makes a header %s: %q", s, h, values)
			}
			if len(values) != 1 {
				t.Errorf("%q makes %d headers %s", s, len(values), h)
			}
		}
		if from, err := got.Header.AddressList("From"); err != nil || len(from) != 1 || from[0].Address != "linnet@birds.example" {
			t.Errorf("%q: the sender is %v, %v", s, from, err)
		}
		if p := got.Parts(); len(p) != 2 || strings.Contains(p["text/html"], "<script") {
			t.Errorf("%q: parts %q", s, p)
		}
	})
}
