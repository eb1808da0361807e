package config

import (
	"errors"
	"net/mail"
	"strings"

	"linnet/internal/exit"
	linnetmail "linnet/internal/mail"
)

// mailOptions returns the options for e-mail.
func mailOptions() []Option {
	return []Option{
		{Name: "smtp.addr", Arg: "HOST:PORT", Help: "SMTP server", Details: "If no server is set, Linnet sends no e-mail.",
			set: func(c *Config, s string) (err error) { c.SMTP.Addr, err = parseSMTPAddr(s); return }},
		{Name: "smtp.tls", Default: string(linnetmail.StartTLS), Arg: strings.Join(linnetmail.Ways(), "|"),
			Help: "Encryption of the SMTP connection", Details: "starttls and implicit (TLS from the start) require encryption. none and insecure send e-mail unencrypted: none only to a server on the same machine, insecure to a server on a trusted network.",
			set: func(c *Config, s string) error {
				c.SMTP.TLS = linnetmail.TLS(s)
				return oneOf(s, linnetmail.Ways()...)
			}},
		{Name: "smtp.user", Arg: "NAME", Help: "SMTP username",
			set: func(c *Config, s string) error { c.SMTP.User = s; return nil }},
		{Name: "smtp.password", Arg: "PASSWORD", Secret: true, Help: "SMTP password",
			set: func(c *Config, s string) error { c.SMTP.Password = s; return nil }},
		{Name: "smtp.from", Arg: "ADDRESS", Help: "Sender address",
			set: func(c *Config, s string) (err error) { c.SMTP.From, err = parseMailbox(s); return }},
	}
}

func parseSMTPAddr(s string) (string, error) {
	if s == "" {
		return "", nil
	}
	a, err := parseAddr(s)
	if err == nil && (strings.HasPrefix(a, ":") || strings.HasSuffix(a, ":0")) {
		err = errors.New("must be a host and a port, such as mail.example.com:587")
	}
	return a, err
}

func parseMailbox(s string) (string, error) {
	if s == "" {
		return "", nil
	}
	a, err := mail.ParseAddress(s)
	if err != nil || a.Name != "" || strings.ContainsAny(a.Address, "\r\n") {
		return "", errors.New("must be an address such as linnet@example.com")
	}
	return a.Address, nil
}

// MailServer returns the SMTP server, or nil if none is configured.
func (c *Config) MailServer() (*linnetmail.Server, error) {
	if c.SMTP.Addr == "" {
		return nil, nil
	}
	if c.SMTP.From == "" {
		return nil, exit.UsageError("smtp.addr needs smtp.from", "Set LINNET_SMTP_FROM to the sender address of e-mails.")
	}
	if (c.SMTP.User == "") != (c.SMTP.Password == "") {
		return nil, exit.UsageError("smtp.user and smtp.password must be set together", "Set both LINNET_SMTP_USER and LINNET_SMTP_PASSWORD_FILE, or neither.")
	}
	s := c.SMTP
	if err := s.Check(); err != nil {
		return nil, &exit.Error{Code: exit.Usage, What: "cannot send e-mail with these settings", Cause: err, Source: c.Source("smtp.addr"), Advice: "See smtp.tls in linnet help serve."}
	}
	return &s, nil
}
