package server

import (
	"context"
	"crypto/tls"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"path/filepath"
	"regexp"
	"strings"

	"golang.org/x/crypto/acme"
	"golang.org/x/crypto/acme/autocert"
	_ "golang.org/x/crypto/x509roots/fallback" // for systems without root certificates

	"linnet/internal/config"
	"linnet/internal/exit"
	"linnet/internal/version"
)

// certificates obtains and renews the certificate of the domain. It stores certificates in the data
// directory.
type certificates struct {
	domain  string
	manager *autocert.Manager
}

// domainPattern matches names that a public authority issues certificates for.
var domainPattern = regexp.MustCompile(`^([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z0-9-]*[a-z][a-z0-9-]*$`)

func newCertificates(c *config.Config, domain string) (*certificates, error) {
	domain = strings.ToLower(strings.TrimSuffix(domain, "."))
	if len(domain) > 253 || !domainPattern.MatchString(domain) {
		return nil, exit.UsageError(fmt.Sprintf("%q is not a domain", domain),
			"For example: linnet serve example.com. To listen on an address: linnet --addr HOST:PORT.")
	}
	return &certificates{domain: domain, manager: &autocert.Manager{
		Prompt:     autocert.AcceptTOS,
		Cache:      autocert.DirCache(filepath.Join(c.Data, "certificates")),
		HostPolicy: autocert.HostWhitelist(domain),
		Email:      c.ACMEEmail,
		Client:     &acme.Client{DirectoryURL: c.ACMEDirectory, UserAgent: "linnet/" + version.Version},
	}}, nil
}

func (t *certificates) config() *tls.Config {
	c := t.manager.TLSConfig()
	c.MinVersion = tls.VersionTLS12
	return c
}

// publicURL returns the URL of the domain, with the port if it is not 443.
func (t *certificates) publicURL(l net.Listener) string {
	_, port, err := net.SplitHostPort(l.Addr().String())
	if err != nil || port == "443" {
		return "https://" + t.domain
	}
	return "https://" + net.JoinHostPort(t.domain, port)
}

// redirect answers challenges of the authority and redirects other requests to HTTPS. It always
// redirects to the configured host, because clients choose the Host header.
func (t *certificates) redirect(public string) http.Handler {
	return t.manager.HTTPHandler(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Connection", "close")
		http.Redirect(w, r, public+r.URL.RequestURI(), http.StatusPermanentRedirect)
	}))
}

// fetch obtains the certificate at the start, so that problems are logged before the first visitor
// arrives.
func (t *certificates) fetch(ctx context.Context, log *slog.Logger) {
	_, err := t.manager.GetCertificate(&tls.ClientHelloInfo{
		ServerName:        t.domain,
		SupportedProtos:   []string{"h2", "http/1.1"},
		SupportedVersions: []uint16{tls.VersionTLS13},
		SignatureSchemes:  []tls.SignatureScheme{tls.ECDSAWithP256AndSHA256},
		CipherSuites:      []uint16{tls.TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256},
		SupportedCurves:   []tls.CurveID{tls.CurveP256},
	})
	switch {
	case ctx.Err() != nil:
	case err != nil:
		log.Error("cannot get a certificate; will retry at the next request: check that the domain points to this machine, "+
			"and that ports 80 and 443 are open", "domain", t.domain, "err", err)
	default:
		log.Info("certificate ready", "domain", t.domain)
	}
}
