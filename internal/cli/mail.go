package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/url"
	"strings"
	"time"

	"linnet/internal/exit"
	linnetmail "linnet/internal/mail"
)

// mailCommands returns the commands for e-mail.
func mailCommands() []command {
	return []command{{name: "mail test", args: "ADDRESS", min: 1, max: 1, run: mailTest,
		help: "Send a test e-mail", details: "The smtp.* options configure the mail server. This command does not use the configuration of a running server. If the configuration file is not in the data directory, pass --config. If sending fails, the error names the failed step."}}
}

// mailTest sends a test e-mail.
func mailTest(ctx context.Context, c *call) error {
	s, err := c.cfg.MailServer()
	if err != nil {
		return err
	}
	if s == nil {
		return exit.UsageError("cannot send e-mail: smtp.addr is not set", "This command does not use a running server: pass the server's configuration file with --config, or set LINNET_SMTP_ADDR and LINNET_SMTP_FROM.")
	}
	to, err := linnetmail.Normalize(c.args()[0])
	if err != nil {
		return exit.UsageError(fmt.Sprintf("%q %s", c.args()[0], err), "")
	}
	public := c.cfg.BaseURL()
	host := "localhost"
	if u, err := url.Parse(public); err == nil {
		host = cmp.Or(u.Hostname(), host)
	}
	now := time.Now()
	err = s.Send(ctx, &linnetmail.Message{To: to, Name: "Linnet", Subject: "Test e-mail", Date: now, Host: host,
		ID:     fmt.Sprintf("test.%d", now.UnixNano()),
		Blocks: []linnetmail.Block{{Text: "E-mail delivery from this server works."}, {Text: "The server", Link: public}},
		Why:    "You're getting this e-mail because a test e-mail was sent to this address from " + public + "."})
	if err != nil {
		return &exit.Error{Code: exit.Failed, What: "cannot send the e-mail through " + s.Addr, Cause: err, Source: c.cfg.Source("smtp.addr"), Advice: mailAdvice(s, err)}
	}
	_, err = fmt.Fprintf(c.stdout, "%s accepted the e-mail to %s. Check that it arrives, and look in the spam folder too.\n", s.Addr, to)
	return err
}

// mailAdvice returns the remedy for a failed delivery.
func mailAdvice(s *linnetmail.Server, err error) string {
	var f *linnetmail.Fault
	switch text := err.Error(); {
	case errors.As(err, &f) && f.Code >= 530 && f.Code <= 538:
		return "Check smtp.user and smtp.password."
	case strings.Contains(text, "certificate") || strings.Contains(text, "STARTTLS") || strings.Contains(text, "tls:"):
		return fmt.Sprintf("smtp.tls is %s; port 587 is usual for starttls, 465 for implicit, and the certificate must be valid for the host.", s.TLS)
	case f != nil && f.Code == 0:
		return "Check the host name, and whether a firewall blocks the port. Many networks block port 25."
	}
	return "Check the log of the mail server."
}
