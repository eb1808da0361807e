package doctor

import (
	"context"
	"crypto/tls"
	"errors"
	"net"
	"net/url"
	"slices"
	"strings"
	"time"

	"linnet/internal/core"
	"linnet/internal/wording"
)

// public is where people come in: its host and port, and whether it is for this machine
// alone.
func (p *Patient) public() (u *url.URL, port string, local bool) {
	u, err := url.Parse(p.PublicURL)
	if err != nil || u.Hostname() == "" {
		return nil, "", false
	}
	if port = u.Port(); port == "" {
		port = map[string]string{"https": "443"}[u.Scheme]
		if port == "" {
			port = "80"
		}
	}
	ip := net.ParseIP(u.Hostname())
	return u, port, u.Hostname() == "localhost" || strings.HasSuffix(u.Hostname(), ".localhost") || ip != nil && ip.IsLoopback()
}

// address looks whether people find the server and are safe on their way to it.
func address(ctx context.Context, p *Patient) []core.Finding {
	var out []core.Finding
	if p.Forged {
		out = one(fault(said("Everybody may say which address they come from, and so pass every limit"), said("Name only your proxies in trusted-proxies.")))
	}
	u, _, local := p.public()
	if u == nil {
		return append(out, fault(said("The public address %q is none", p.PublicURL), said("Set public-url.")))
	}
	if local {
		if p.Everywhere {
			return append(out, fault(said("Other machines reach the server over plain http, where passwords can be read, and are given links to %s, which lead to themselves", p.PublicURL),
				said("Name the address that people use with public-url, behind a proxy with https; or run linnet serve DOMAIN.")))
		}
		return append(out, note(said("%s is for this machine alone", p.PublicURL), said("To let others in: linnet serve DOMAIN, or a proxy with https and public-url.")))
	}
	if net.ParseIP(u.Hostname()) == nil {
		addresses, err := p.Lookup(ctx, u.Hostname())
		if err != nil || len(addresses) == 0 {
			text := said("The name %s has no address", u.Hostname())
			if err != nil {
				text = said("The name %s has no address: %v", u.Hostname(), err)
			}
			return append(out, fault(text, said("Enter one at who runs your domain (a record A or AAAA), or set public-url to the right name.")))
		}
		out = append(out, good(said("%s is %s", u.Hostname(), strings.Join(addresses, ", "))))
	}
	if u.Scheme != "https" {
		out = append(out, fault(said("People come by plain http, where passwords can be read on the way, and apps refuse to log in"), said("linnet serve DOMAIN gets a certificate by itself; or put a proxy with https before it and set public-url.")))
	}
	return out
}

// soonOver is how long before its end a certificate ought to have been renewed: it is,
// 30 days before.
const soonOver = 14 * 24 * time.Hour

// certificate asks the public address for it, as an app does.
func certificate(ctx context.Context, p *Patient) []core.Finding {
	u, port, local := p.public()
	if u == nil || local || u.Scheme != "https" {
		return nil
	}
	raw, err := p.Dial(ctx, "tcp", net.JoinHostPort(u.Hostname(), port))
	if err != nil {
		return one(warning(said("%s is not reached from here: %v", u.Host, err),
			said("If others reach it, the router does not lead this machine's own requests back to it, and nothing is wrong. Else open the port, or start the proxy.")))
	}
	defer raw.Close()
	conn := tls.Client(raw, &tls.Config{ServerName: u.Hostname(), RootCAs: p.Roots})
	if err := conn.HandshakeContext(ctx); err != nil {
		var bad *tls.CertificateVerificationError
		if errors.As(err, &bad) {
			return one(fault(said("What %s shows is not accepted: %v", u.Host, bad.Err), said("Apps refuse it. Renew it, for this name, with the certificates between it and the authority.")))
		}
		return one(fault(said("No https with %s: %v", u.Host, err), said("Is something else listening there?")))
	}
	leaf := conn.ConnectionState().PeerCertificates[0]
	text := said("That of %s is good until %s", u.Hostname(), leaf.NotAfter.UTC().Format(time.DateOnly))
	if leaf.NotAfter.Sub(p.Now()) < soonOver {
		return one(warning(text, said("It ought to have been renewed by now: the log of the server, or of the proxy, says why it was not.")))
	}
	return one(good(text))
}

// pushServices are those of the makers of browsers, which tell devices of notifications.
func pushServices() []string {
	return []string{"updates.push.services.mozilla.com:443", "fcm.googleapis.com:443", "web.push.apple.com:443"}
}

// pushes tries whether push services are reached.
func pushes(ctx context.Context, p *Patient) []core.Finding {
	if _, err := p.App.Push.PublicKey(ctx); err != nil {
		return one(fault(said("There is no key by which push services know this installation: %v", err), ""))
	}
	type tried struct {
		service string
		err     error
	}
	all := make(chan tried, len(pushServices()))
	for _, service := range pushServices() {
		go func() {
			conn, err := p.Dial(ctx, "tcp", service)
			if err == nil {
				conn.Close()
			}
			all <- tried{service, err}
		}()
	}
	var missing []string
	for range pushServices() {
		if t := <-all; t.err != nil {
			missing = append(missing, strings.TrimSuffix(t.service, ":443"))
		}
	}
	if len(missing) > 0 {
		return one(warning(said("Not reached: %s. Devices of people who use them are told nothing", strings.Join(slices.Sorted(slices.Values(missing)), ", ")), said("Let this machine connect to port 443 of others, without a proxy.")))
	}
	return one(good(said("Push services are reached")))
}

// mails logs in to the mail server, and tells how sending went last.
func mails(ctx context.Context, p *Patient) []core.Finding {
	if p.Mail == nil {
		return one(note(said("None are sent: who forgets a password needs an administrator"), said("Set smtp.addr and smtp.from; linnet mail test tries them.")))
	}
	if err := p.Mail.Reach(ctx); err != nil {
		return one(fault(said("%s does not take mails: %v", p.Mail.Addr, err), said("Look at smtp.addr, smtp.tls, smtp.user and smtp.password; linnet mail test says more.")))
	}
	last, err := p.App.Mailing.State(ctx)
	switch {
	case err != nil:
		return one(fault(said("How sending went cannot be read: %v", err), ""))
	case last.Failed > last.Sent:
		at := time.UnixMilli(last.Failed).UTC()
		return one(warning(said("%s takes mails now; the last one failed at %s: %s", p.Mail.Addr, at, wording.Message(last.Why)), said("linnet tasks list names those that were given up, linnet tasks retry all sends them.")))
	}
	return one(good(said("%s takes mails", p.Mail.Addr)))
}
