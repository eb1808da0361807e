// Package mailtest is an SMTP server for tests, with its own certificates. It can refuse and delay
// messages, and records those it accepted.
package mailtest

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"io"
	"math/big"
	"mime"
	"mime/multipart"
	"mime/quotedprintable"
	"net"
	"net/mail"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/emersion/go-sasl"
	"github.com/emersion/go-smtp"
)

// User and Password are the credentials of the server.
const (
	User     = "linnet"
	Password = "hunter2 of the mail"
)

// Server is a running server.
type Server struct {
	Addr  string         // host:port
	Roots *x509.CertPool // trusts its certificate

	mu      sync.Mutex
	taken   []Mail
	arrived chan struct{} // closed when another mail arrives
	refuse  func(stage, who string) error
	hold    chan struct{} // mails wait until it is closed, nil if they do not wait
	tries   int
	smtp    *smtp.Server
}

// Mail is a mail that the server has accepted.
type Mail struct {
	From, To string
	User     string // logged-in user
	TLS      bool
	Raw      string
	Header   mail.Header
}

// Options configures a server.
type Options struct {
	Implicit bool // TLS from the first byte
	NoTLS    bool // no TLS
	Auth     bool // login required
}

// New starts a server that ends with the test.
func New(t testing.TB, opt Options) *Server {
	t.Helper()
	s := &Server{arrived: make(chan struct{})}
	s.smtp = smtp.NewServer(backend{s, opt})
	s.smtp.Domain, s.smtp.ReadTimeout, s.smtp.WriteTimeout = "mail.test", time.Minute, time.Minute
	s.smtp.AllowInsecureAuth = opt.NoTLS
	s.smtp.ErrorLog = quiet{}
	cert, pool, err := certificate()
	if err != nil {
		t.Fatal(err)
	}
	s.Roots = pool
	if !opt.NoTLS {
		s.smtp.TLSConfig = &tls.Config{Certificates: []tls.Certificate{cert}, MinVersion: tls.VersionTLS12}
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	s.Addr = l.Addr().String()
	if opt.Implicit {
		l = tls.NewListener(l, s.smtp.TLSConfig)
	}
	done := make(chan struct{})
	go func() { defer close(done); _ = s.smtp.Serve(l) }() // ends with Close
	t.Cleanup(func() { s.Release(); s.smtp.Close(); <-done })
	return s
}

type quiet struct{}

func (quiet) Printf(string, ...any) {}
func (quiet) Println(...any)        {}

// Refuse sets a function that returns an error for an address at a stage ("from", "to", "data"), or
// nil to accept it.
func (s *Server) Refuse(f func(stage, who string) error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.refuse = f
}

// Answer returns a refusal with a code.
func Answer(code int, text string) error {
	return &smtp.SMTPError{Code: code, EnhancedCode: smtp.EnhancedCode{code / 100, 1, 1}, Message: text}
}

// Hold delays all mails until Release.
func (s *Server) Hold() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.hold == nil {
		s.hold = make(chan struct{})
	}
}

// Release ends Hold.
func (s *Server) Release() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.hold != nil {
		close(s.hold)
		s.hold = nil
	}
}

// Tries returns the number of attempts to send a mail.
func (s *Server) Tries() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.tries
}

// Mails returns the accepted mails in order.
func (s *Server) Mails() []Mail {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]Mail(nil), s.taken...)
}

// Wait waits until the server has accepted n mails, and returns them.
func (s *Server) Wait(t testing.TB, n int) []Mail {
	t.Helper()
	for limit := time.After(time.Minute); ; {
		s.mu.Lock()
		taken, arrived := append([]Mail(nil), s.taken...), s.arrived
		s.mu.Unlock()
		if len(taken) >= n {
			return taken
		}
		select {
		case <-arrived:
		case <-limit:
			t.Fatalf("%d mails came, want %d", len(taken), n)
		}
	}
}

type backend struct {
	s   *Server
	opt Options
}

func (b backend) NewSession(c *smtp.Conn) (smtp.Session, error) {
	return &session{backend: b, conn: c}, nil
}

type session struct {
	backend
	conn *smtp.Conn
	mail Mail
	user string
}

func (s *session) AuthMechanisms() []string { return []string{sasl.Plain} }

func (s *session) Auth(string) (sasl.Server, error) {
	return sasl.NewPlainServer(func(_, user, password string) error {
		if user != User || password != Password {
			return smtp.ErrAuthFailed
		}
		s.user = user
		return nil
	}), nil
}

func (s *session) asked(stage, who string) error {
	s.s.mu.Lock()
	defer s.s.mu.Unlock()
	if stage == "from" {
		s.s.tries++
	}
	if s.s.refuse == nil {
		return nil
	}
	return s.s.refuse(stage, who)
}

func (s *session) Mail(from string, _ *smtp.MailOptions) error {
	if s.opt.Auth && s.user == "" {
		return smtp.ErrAuthRequired
	}
	_, encrypted := s.conn.TLSConnectionState()
	s.mail = Mail{From: from, User: s.user, TLS: encrypted}
	return s.asked("from", from)
}

func (s *session) Rcpt(to string, _ *smtp.RcptOptions) error {
	s.mail.To = to
	return s.asked("to", to)
}

func (s *session) Data(r io.Reader) error {
	raw, err := io.ReadAll(r)
	if err != nil {
		return err
	}
	s.s.mu.Lock()
	hold := s.s.hold
	s.s.mu.Unlock()
	if hold != nil {
		<-hold
	}
	if err := s.asked("data", s.mail.To); err != nil {
		return err
	}
	m, err := mail.ReadMessage(strings.NewReader(string(raw)))
	if err != nil {
		return errors.Join(Answer(554, "not a message"), err)
	}
	s.mail.Raw, s.mail.Header = string(raw), m.Header
	s.s.mu.Lock()
	defer s.s.mu.Unlock()
	s.s.taken = append(s.s.taken, s.mail)
	close(s.s.arrived)
	s.s.arrived = make(chan struct{})
	return nil
}

func (s *session) Reset()        {}
func (s *session) Logout() error { return nil }

// certificate returns a certificate for this machine, and a pool that trusts it.
func certificate() (tls.Certificate, *x509.CertPool, error) {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return tls.Certificate{}, nil, err
	}
	tmpl := &x509.Certificate{SerialNumber: big.NewInt(1), NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(24 * time.Hour),
		IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)}, DNSNames: []string{"localhost"}, IsCA: true, BasicConstraintsValid: true,
		KeyUsage: x509.KeyUsageDigitalSignature | x509.KeyUsageCertSign}
	der, err := x509.CreateCertificate(rand.Reader, tmpl, tmpl, key.Public(), key)
	if err != nil {
		return tls.Certificate{}, nil, err
	}
	leaf, err := x509.ParseCertificate(der)
	if err != nil {
		return tls.Certificate{}, nil, err
	}
	pool := x509.NewCertPool()
	pool.AddCert(leaf)
	return tls.Certificate{Certificate: [][]byte{der}, PrivateKey: key}, pool, nil
}

// Parts returns the decoded parts of a mail by type. It panics if there are none.
func (m Mail) Parts() map[string]string {
	_, params, err := mime.ParseMediaType(m.Header.Get("Content-Type"))
	if err != nil {
		panic(err)
	}
	_, raw, _ := strings.Cut(m.Raw, "\r\n\r\n")
	out := map[string]string{}
	for r := multipart.NewReader(strings.NewReader(raw), params["boundary"]); ; {
		p, err := r.NextRawPart()
		if err == io.EOF {
			return out
		}
		if err != nil {
			panic(err)
		}
		kind, _, _ := mime.ParseMediaType(p.Header.Get("Content-Type"))
		b, err := io.ReadAll(quotedprintable.NewReader(p))
		if err != nil {
			panic(err)
		}
		out[kind] = strings.ReplaceAll(string(b), "\r\n", "\n")
	}
}

// Text returns the plain text of a mail.
func (m Mail) Text() string { return m.Parts()["text/plain"] }

// Link returns the first link in a mail whose address contains part, or "".
func (m Mail) Link(part string) string {
	for _, l := range strings.Fields(m.Text()) {
		if strings.HasPrefix(l, "http") && strings.Contains(l, part) {
			return l
		}
	}
	return ""
}
