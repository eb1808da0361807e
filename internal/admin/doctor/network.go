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

// public returns the public URL with its port. local is true if the host is only reachable from
// this machine.
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

// address checks that users can reach the server, over HTTPS.
func address(ctx context.Context, p *Patient) []core.Finding {
	var out []core.Finding
	if p.Forged {
		out = one(fault(said("Any client can fake its IP address and bypass rate limits"), said("List only your own proxies in trusted-proxies.")))
	}
	u, _, local := p.public()
	if u == nil {
		return append(out, fault(said("The public address %q is not valid", p.PublicURL), said("Set public-url.")))
	}
	if local {
		if p.Everywhere {
			return append(out, fault(said("Other machines reach the server over plain HTTP, which exposes passwords. Links on its pages start with %s and don't work on those machines", p.PublicURL),
				said("Run linnet serve DOMAIN, or put an HTTPS proxy in front of the server and set public-url to the address that people use.")))
		}
		return append(out, note(said("Only this machine can reach %s", p.PublicURL), said("To make the server reachable from other machines, run linnet serve DOMAIN, or use an HTTPS proxy and set public-url.")))
	}
	if net.ParseIP(u.Hostname()) == nil {
		addresses, err := p.Lookup(ctx, u.Hostname())
		if err != nil || len(addresses) == 0 {
			text := said("The domain %s has no address in DNS", u.Hostname())
			if err != nil {
				text = said("The domain %s has no address in DNS: %v", u.Hostname(), err)
			}
			return append(out, fault(text, said("Add an A or AAAA record at your DNS provider, or correct public-url.")))
		}
		out = append(out, good(said("%s resolves to %s", u.Hostname(), strings.Join(addresses, ", "))))
	}
	if u.Scheme != "https" {
		out = append(out, fault(said("Connections use plain HTTP, which exposes passwords. Most apps refuse to log in"), said("Run linnet serve DOMAIN, which gets a certificate automatically, or put an HTTPS proxy in front of the server and set public-url.")))
	}
	return out
}

// soonOver is the remaining lifetime from which a certificate should have been renewed. Renewal
// happens 30 days before the expiry.
const soonOver = 14 * 24 * time.Hour

// certificate connects to the public address and verifies its certificate, as an app does.
func certificate(ctx context.Context, p *Patient) []core.Finding {
	u, port, local := p.public()
	if u == nil || local || u.Scheme != "https" {
		return nil
	}
	raw, err := p.Dial(ctx, "tcp", net.JoinHostPort(u.Hostname(), port))
	if err != nil {
		return one(warning(said("This machine can't reach %s: %v", u.Host, err),
			said("If other machines can reach the server, nothing is wrong: your router just doesn't route this machine's requests back to the server. Otherwise, open the port in the firewall, or start the proxy.")))
	}
	defer raw.Close()
	conn := tls.Client(raw, &tls.Config{ServerName: u.Hostname(), RootCAs: p.Roots})
	if err := conn.HandshakeContext(ctx); err != nil {
		var bad *tls.CertificateVerificationError
		if errors.As(err, &bad) {
			return one(fault(said("The certificate of %s is not trusted: %v", u.Host, bad.Err), said("Apps refuse this certificate. Replace it with one for this domain, including the intermediate certificates.")))
		}
		return one(fault(said("HTTPS doesn't work on %s: %v", u.Host, err), said("Check whether another program is listening on the port.")))
	}
	leaf := conn.ConnectionState().PeerCertificates[0]
	text := said("The certificate of %s is valid until %s", u.Hostname(), leaf.NotAfter.UTC().Format(time.DateOnly))
	if leaf.NotAfter.Sub(p.Now()) < soonOver {
		return one(warning(text, said("The certificate should have been renewed by now. Check the log of the server or the proxy.")))
	}
	return one(good(text))
}

// pushServices returns the push services of browser vendors.
func pushServices() []string {
	return []string{"updates.push.services.mozilla.com:443", "fcm.googleapis.com:443", "web.push.apple.com:443"}
}

// pushes checks that push services can be reached.
func pushes(ctx context.Context, p *Patient) []core.Finding {
	if _, err := p.App.Push.PublicKey(ctx); err != nil {
		return one(fault(said("Can't load the VAPID key for push notifications: %v", err), ""))
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
		return one(warning(said("Can't reach %s. Devices that use these push services don't get notifications", strings.Join(slices.Sorted(slices.Values(missing)), ", ")), said("Allow direct outgoing connections to port 443. Linnet doesn't use a proxy.")))
	}
	return one(good(said("Push services are reachable")))
}

// mails logs in to the mail server and reports the last deliveries.
func mails(ctx context.Context, p *Patient) []core.Finding {
	if p.Mail == nil {
		return one(note(said("No mail server is configured. Members who forget their password need a link from an administrator"), said("Set smtp.addr and smtp.from, then run linnet mail test ADDRESS.")))
	}
	if err := p.Mail.Reach(ctx); err != nil {
		return one(fault(said("%s doesn't accept e-mail: %v", p.Mail.Addr, err), said("Check smtp.addr, smtp.tls, smtp.user and smtp.password. For details, run linnet mail test ADDRESS.")))
	}
	last, err := p.App.Mailing.State(ctx)
	switch {
	case err != nil:
		return one(fault(said("Can't read the delivery status: %v", err), ""))
	case last.Failed > last.Sent:
		at := time.UnixMilli(last.Failed).UTC()
		return one(warning(said("%s accepts e-mail again. The last failure was at %s: %s", p.Mail.Addr, at, wording.Message(last.Why)), said("To see e-mails that couldn't be sent, run linnet tasks list. To send them again, run linnet tasks retry all.")))
	}
	return one(good(said("%s accepts e-mail", p.Mail.Addr)))
}
