package mail

import (
	"cmp"
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"net"
	"net/mail"
	"net/textproto"
	"strconv"
	"strings"
	"time"

	gomail "github.com/wneessen/go-mail"

	"linnet/internal/wording"
)

// TLS is the encryption of the connection to a server, as a value of the option.
type TLS string

// The kinds of encryption.
const (
	StartTLS TLS = "starttls" // starts in plain text and must then be encrypted (RFC 3207); port 587
	Implicit TLS = "implicit" // from the first byte (RFC 8314); port 465
	Local    TLS = "none"     // none, for this machine only
	Insecure TLS = "insecure" // none, so that others on the network can read the mails. No password is sent
)

// Ways returns the values of the option.
func Ways() []string {
	return []string{string(StartTLS), string(Implicit), string(Local), string(Insecure)}
}

// DefaultTimeout is the time limit for a response of the server.
const DefaultTimeout = 20 * time.Second

// Server is an SMTP server that relays mails.
type Server struct {
	Addr     string // host:port
	User     string // "" for no login
	Password string
	TLS      TLS
	From     string         // address of the sender
	Roots    *x509.CertPool // trusted certificates, nil for the system's
	Timeout  time.Duration  // 0 for DefaultTimeout
}

// Check returns an error for invalid settings.
func (s *Server) Check() error {
	host, _, err := net.SplitHostPort(s.Addr)
	if err != nil {
		return errors.New("the address of the mail server is not HOST:PORT")
	}
	if s.TLS == Local && !loopback(host) {
		return fmt.Errorf("e-mail to %s would be sent unencrypted: smtp.tls=none is only for servers on this machine; use starttls or implicit, or insecure on a trusted network", host)
	}
	if s.TLS == Insecure && s.User != "" {
		return errors.New("the password would be sent unencrypted: use starttls or implicit, or leave out the user")
	}
	if _, err := Normalize(s.From); err != nil && !local(s.From) {
		return errors.New("the address of the sender " + err.Error())
	}
	return nil
}

// local reports whether an address is on this machine, as in a trial.
func local(address string) bool {
	a, err := mail.ParseAddress(address)
	return err == nil && strings.HasSuffix(a.Address, "@localhost")
}

func loopback(host string) bool {
	ip := net.ParseIP(host)
	return host == "localhost" || ip != nil && ip.IsLoopback()
}

// Fault is the reason for which a mail was not sent. It contains no addresses.
type Fault struct {
	Stage  wording.Message // the failed step
	Code   int             // code of the response, or 0
	Detail string          // text of the server or the network
	Final  bool            // a retry makes no sense, because the receiver or the mail was rejected
}

func (f *Fault) Error() string { return f.Message().String() }

// Message returns the fault as a message. The text of the server or the network is not translated.
func (f *Fault) Message() wording.Message {
	if f.Code != 0 {
		return wording.Messagef("%s: the server answered %d: %s", f.Stage, f.Code, f.Detail)
	}
	return wording.Messagef("%s: %s", f.Stage, f.Detail)
}

// Send sends a mail. The server has accepted it if there is no error. Errors are of type *Fault.
func (s *Server) Send(ctx context.Context, m *Message) error {
	client, err := s.client()
	if err != nil {
		return &Fault{Stage: wording.Messagef("prepare the connection"), Detail: err.Error()}
	}
	msg := s.message(m)
	err = client.DialAndSendWithContext(ctx, msg)
	if err == nil || msg.IsDelivered() { // later errors do not matter once the server has accepted the mail
		return nil
	}
	return faultOf(err)
}

// Reach connects to the server and logs in, without sending anything. Errors are of type *Fault.
func (s *Server) Reach(ctx context.Context) error {
	client, err := s.client()
	if err != nil {
		return &Fault{Stage: wording.Messagef("prepare the connection"), Detail: err.Error()}
	}
	if err := client.DialWithContext(ctx); err != nil {
		return faultOf(err)
	}
	client.Close() // errors on closing do not matter
	return nil
}

func (s *Server) client() (*gomail.Client, error) {
	host, port, err := net.SplitHostPort(s.Addr)
	if err != nil {
		return nil, err
	}
	n, err := strconv.Atoi(port)
	if err != nil {
		return nil, err
	}
	timeout := s.Timeout
	if timeout == 0 {
		timeout = DefaultTimeout
	}
	opts := []gomail.Option{gomail.WithPort(n), gomail.WithTimeout(timeout), gomail.WithoutNoop(),
		gomail.WithTLSConfig(&tls.Config{ServerName: host, RootCAs: s.Roots, MinVersion: tls.VersionTLS12})}
	switch s.TLS {
	case Implicit:
		opts = append(opts, gomail.WithSSL())
	case Local, Insecure:
		opts = append(opts, gomail.WithTLSPolicy(gomail.NoTLS))
	default:
		opts = append(opts, gomail.WithTLSPolicy(gomail.TLSMandatory))
	}
	if s.User != "" {
		auth := gomail.SMTPAuthAutoDiscover
		if s.TLS == Local {
			auth = gomail.SMTPAuthPlainNoEnc
		}
		opts = append(opts, gomail.WithSMTPAuth(auth), gomail.WithUsername(s.User), gomail.WithPassword(s.Password))
	}
	return gomail.NewClient(host, opts...)
}

// message returns the mail to send.
func (s *Server) message(m *Message) *gomail.Msg {
	msg := gomail.NewMsg(gomail.WithNoDefaultUserAgent())
	msg.FromMailAddress(&mail.Address{Name: line(m.Name), Address: s.From})
	msg.ToMailAddress(&mail.Address{Address: m.To})
	msg.Subject(line(m.Subject))
	msg.SetDateWithValue(m.Date)
	msg.SetMessageIDWithValue(line(m.ID) + "@" + line(m.Host))
	// RFC 3834: automatic responders do not answer this mail.
	msg.SetGenHeader("Auto-Submitted", "auto-generated")
	msg.SetGenHeader(gomail.HeaderContentLang, cmp.Or(m.In, "en"))
	if m.Unsubscribe != "" {
		msg.SetGenHeader(gomail.HeaderListUnsubscribe, "<"+line(m.Unsubscribe)+">")
		msg.SetListUnsubscribePost()
	}
	msg.SetBodyString(gomail.TypeTextPlain, m.text())
	msg.AddAlternativeString(gomail.TypeTextHTML, m.html())
	return msg
}

// faultOf returns the fault for an error of the library.
func faultOf(err error) *Fault {
	f := &Fault{Stage: wording.Messagef("connect to the mail server"), Detail: detail(err)}
	var send *gomail.SendError
	if !errors.As(err, &send) {
		var answer *textproto.Error
		if errors.As(err, &answer) {
			f.Code = answer.Code
			if f.Code == 454 || f.Code >= 530 && f.Code <= 538 {
				f.Stage = wording.Messagef("log in to the mail server")
			}
		}
		return f
	}
	f.Code = send.ErrorCode()
	refused := f.Code >= 500 && f.Code < 600
	switch send.Reason {
	case gomail.ErrSMTPMailFrom:
		f.Stage = wording.Messagef("sender (MAIL FROM)")
	case gomail.ErrSMTPRcptTo:
		f.Stage, f.Final = wording.Messagef("recipient (RCPT TO)"), refused
	case gomail.ErrSMTPData, gomail.ErrSMTPDataClose, gomail.ErrWriteContent:
		f.Stage, f.Final = wording.Messagef("send the message"), refused
	default:
		f.Stage = wording.Messagef("send")
	}
	return f
}

// detail returns the text of an error without addresses, in one line.
func detail(err error) string {
	words := strings.Fields(line(err.Error()))
	for i, w := range words {
		if strings.Contains(w, "@") {
			words[i] = "[address]"
		}
	}
	return strings.Join(words, " ")
}
