package identity

import (
	"cmp"
	"context"
	"net/netip"
	"strings"

	"github.com/mileusna/useragent"

	"linnet/internal/locale"
	"linnet/internal/text"
)

// Visitor is the origin of a request, for the security log and the list of sessions. No permission
// depends on it.
type Visitor struct {
	From  netip.Addr
	Agent string // User-Agent as sent
}

type visitorKey struct{}

// WithVisitor returns a context with the origin of a request.
func WithVisitor(ctx context.Context, v Visitor) context.Context {
	return context.WithValue(ctx, visitorKey{}, v)
}

// visit is the stored form of a Visitor.
type visit struct {
	device  string // such as "Firefox on Linux"; "" if unknown
	network string // such as "192.0.2.…"; "" if unknown
}

func visitOf(ctx context.Context) visit {
	v, _ := ctx.Value(visitorKey{}).(Visitor)
	return visit{device: deviceWords(v.Agent), network: networkText(v.From)}
}

// maxDevice is the maximum length of a device name in characters.
const maxDevice = 60

// deviceWords returns the browser and system that a User-Agent names. Programs other than browsers
// are named as in the User-Agent.
func deviceWords(agent string) string {
	if len(agent) > 1000 {
		agent = agent[:1000]
	}
	ua := useragent.Parse(strings.ToValidUTF8(agent, ""))
	system := ua.OS
	if system == useragent.IOS {
		system = cmp.Or(ua.Device, system) // iPhone, iPad
	}
	words := text.Line(ua.Name)
	switch {
	case text.Overmarked(words):
		return ""
	case words == "":
		words = system
	case system != "":
		words += on + system
	}
	if r := []rune(words); len(r) > maxDevice {
		words = string(r[:maxDevice-1]) + "…"
	}
	return words
}

// networkText returns the network of an address, which lets owners recognize their own: 24 bits of
// an IPv4 address, 48 of an IPv6 address.
func networkText(a netip.Addr) string {
	a = a.Unmap().WithZone("")
	switch {
	case !a.IsValid():
		return ""
	case a.IsLoopback():
		return itself
	case a.Is4():
		b := a.As4()
		return strings.TrimSuffix(netip.AddrFrom4([4]byte{b[0], b[1], b[2], 0}).String(), "0") + "…" + local(a)
	}
	p, err := a.Prefix(48)
	if err != nil {
		return ""
	}
	return strings.TrimSuffix(p.Addr().String(), ":") + "…" + local(a)
}

// Words for devices and networks without a name. They are stored in English.
const (
	on     = " on "
	itself = "the server itself"
	nearby = " (local network)"
)

// DeviceIn returns a stored device in a language.
func DeviceIn(in *locale.Language, device string) string {
	if at := strings.LastIndex(device, on); at > 0 {
		return in.Text("%s on %s", device[:at], device[at+len(on):])
	}
	return device
}

// NetworkIn returns a stored network in a language.
func NetworkIn(in *locale.Language, network string) string {
	if network == itself {
		return in.Text(itself)
	}
	if network, ok := strings.CutSuffix(network, nearby); ok {
		return in.Text("%s (local network)", network)
	}
	return network
}

// local returns a word for a private or local address, or "".
func local(a netip.Addr) string {
	if a.IsPrivate() || a.IsLinkLocalUnicast() {
		return nearby
	}
	return ""
}
