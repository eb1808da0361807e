package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/mail"
	"net/url"
	"strings"
	"time"

	linnetmail "linnet/internal/mail"
)

// mailOptions is the part of the table about e-mail.
func mailOptions() []option {
	return []option{
		{name: "smtp.addr", arg: "HOST:PORT", help: "SMTP server", details: "Without it no e-mail is sent.",
			set: func(c *config, s string) (err error) { c.SMTP.Addr, err = parseSMTPAddr(s); return }},
		{name: "smtp.tls", def: string(linnetmail.StartTLS), arg: strings.Join(linnetmail.Ways(), "|"),
			help: "Encryption of the SMTP connection", details: "starttls and implicit (TLS from the start) require encryption. none is only for a server on the same machine. insecure is for a trusted network.",
			set: func(c *config, s string) error {
				c.SMTP.TLS = linnetmail.TLS(s)
				return oneOf(s, linnetmail.Ways()...)
			}},
		{name: "smtp.user", arg: "NAME", help: "SMTP username",
			set: func(c *config, s string) error { c.SMTP.User = s; return nil }},
		{name: "smtp.password", arg: "PASSWORD", secret: true, help: "SMTP password",
			set: func(c *config, s string) error { c.SMTP.Password = s; return nil }},
		{name: "smtp.from", arg: "ADDRESS", help: "Sender address",
			set: func(c *config, s string) (err error) { c.SMTP.From, err = parseMailbox(s); return }},
	}
}

func parseSMTPAddr(s string) (string, error) {
	if s == "" {
		return "", nil
	}
	a, err := parseAddr(s)
	if err == nil && (strings.HasPrefix(a, ":") || strings.HasSuffix(a, ":0")) {
		err = errors.New("a host and a port are needed, such as mail.example.com:587")
	}
	return a, err
}

func parseMailbox(s string) (string, error) {
	if s == "" {
		return "", nil
	}
	a, err := mail.ParseAddress(s)
	if err != nil || a.Name != "" || strings.ContainsAny(a.Address, "\r\n") {
		return "", errors.New("not an address like linnet@example.com")
	}
	return a.Address, nil
}

// mailServer is the server that takes e-mails, nil if there is none.
func (c *config) mailServer() (*linnetmail.Server, error) {
	if c.SMTP.Addr == "" {
		return nil, nil
	}
	if c.SMTP.From == "" {
		return nil, usage("smtp.addr needs smtp.from", "Set LINNET_SMTP_FROM to the address that e-mails come from.")
	}
	if (c.SMTP.User == "") != (c.SMTP.Password == "") {
		return nil, usage("smtp.user and smtp.password must be set together", "Set both LINNET_SMTP_USER and LINNET_SMTP_PASSWORD_FILE, or neither.")
	}
	s := c.SMTP
	if err := s.Check(); err != nil {
		return nil, &fault{code: exitUsage, what: "cannot send e-mail with these settings", cause: err, from: c.from("smtp.addr"), advice: "See smtp.tls in linnet help serve."}
	}
	return &s, nil
}

// mailCommands is the part of the table of commands about e-mail.
func mailCommands() []command {
	return []command{{name: "mail test", args: "ADDRESS", min: 1, max: 1, run: mailTest,
		help: "Send a test e-mail", details: "It uses the smtp.* options. If sending fails, it says at which step."}}
}

// mailTest sends a mail and says what became of it.
func mailTest(ctx context.Context, c *call) error {
	s, err := c.cfg.mailServer()
	if err != nil {
		return err
	}
	if s == nil {
		return usage("cannot send e-mail: smtp.addr is not set", "Set LINNET_SMTP_ADDR and LINNET_SMTP_FROM for this command, as for the server.")
	}
	to, err := linnetmail.Normalize(c.args()[0])
	if err != nil {
		return usage(fmt.Sprintf("%q %s", c.args()[0], err), "")
	}
	public := c.cfg.publicURL()
	host := "localhost"
	if u, err := url.Parse(public); err == nil {
		host = cmp.Or(u.Hostname(), host)
	}
	now := time.Now()
	err = s.Send(ctx, &linnetmail.Message{To: to, Name: "Linnet", Subject: "Test e-mail", Date: now, Host: host,
		ID:     fmt.Sprintf("test.%d", now.UnixNano()),
		Blocks: []linnetmail.Block{{Text: "E-mail delivery from this server works."}, {Text: "The server", Link: public}},
		Why:    "You get this mail because whoever runs " + public + " has tried whether mails arrive at this address."})
	if err != nil {
		return &fault{code: exitFailed, what: "cannot send the e-mail through " + s.Addr, cause: err, from: c.cfg.from("smtp.addr"), advice: mailAdvice(s, err)}
	}
	_, err = fmt.Fprintf(c.stdout, "%s has taken the mail to %s. Look whether it arrives, and not among spam.\n", s.Addr, to)
	return err
}

// mailAdvice says what can be done about a mail that was not taken.
func mailAdvice(s *linnetmail.Server, err error) string {
	var f *linnetmail.Fault
	switch text := err.Error(); {
	case errors.As(err, &f) && f.Code >= 530 && f.Code <= 538:
		return "Look at smtp.user and smtp.password."
	case strings.Contains(text, "certificate") || strings.Contains(text, "STARTTLS") || strings.Contains(text, "tls:"):
		return fmt.Sprintf("smtp.tls is %s; port 587 is usual for starttls, 465 for implicit, and the certificate must be of the host.", s.TLS)
	case f != nil && f.Code == 0:
		return "Is the host right, and does a firewall let this machine reach the port? Many networks block 25."
	}
	return "Look into the log of the mail server."
}
