package mastodon

import (
	"strings"

	"linnet/internal/mastodon/wire"
)

// site contains the description of the server in documents for clients.
type site struct {
	base      string // public URL, no trailing slash
	host      string
	release   string // version of Linnet
	sourceURL string
	plain     bool // name Mastodon's version alone
}

// software returns the name of the program. Some clients disable features for unknown names.
func (s site) software() wire.Software {
	if s.plain {
		return wire.Software{Name: "mastodon", Version: mastodonVersion}
	}
	return wire.Software{Name: "linnet", Version: s.release}
}

// nearestProtocol is the protocol in NodeInfo, whose schema requires one of its list. Linnet has
// two parts of OStatus, feeds and WebFinger, and does not federate.
const nearestProtocol = "ostatus"

// mastodonVersion is the version of Mastodon whose methods are served. Clients avoid newer
// methods. apiVersion 2 has grouped notifications, policies and requests, 3 and 4 attribution
// domains and deleted media, 5 and 6 filters that blur, 7 quotes, 8 and 9 profiles, 10 collections,
// 11 descriptions of avatars and headers in update_credentials.
const (
	mastodonVersion = "4.6.0"
	apiVersion      = 11
)

// version returns the version for clients. It starts with Mastodon's.
func (s site) version() string {
	if s.plain {
		return mastodonVersion
	}
	return mastodonVersion + " (compatible; Linnet " + s.release + ")"
}

// streamingURL returns the public URL with the scheme of WebSockets.
func (s site) streamingURL() string {
	return "ws" + strings.TrimPrefix(s.base, "http")
}
