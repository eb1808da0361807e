package mastodon

import (
	"strings"

	"linnet/internal/mastodon/wire"
)

// site is how the server describes itself in documents for clients.
type site struct {
	base      string // public URL, no trailing slash
	host      string
	release   string // version of Linnet
	sourceURL string
	plain     bool // name Mastodon's version alone
}

// software names the program. Some clients switch features off for names they do not know.
func (s site) software() wire.Software {
	if s.plain {
		return wire.Software{Name: "mastodon", Version: mastodonVersion}
	}
	return wire.Software{Name: "linnet", Version: s.release}
}

// nearestProtocol is what the documents name because their schema wants one of its
// list. Of OStatus two parts are here, feeds of people and WebFinger; nothing
// federates.
const nearestProtocol = "ostatus"

// mastodonVersion is the Mastodon whose calls are served: clients refuse calls
// that are newer than this number. apiVersion likewise: 2 announces grouped
// notifications, the policy and requests, 3 and 4 domains of an author and media that are
// deleted, 5 and 6 the filters that blur and the rest of Mastodon 4.4, 7 quotes.
const (
	mastodonVersion = "4.5.0"
	apiVersion      = 7
)

// version returns the version that clients read. It begins with Mastodon's.
func (s site) version() string {
	if s.plain {
		return mastodonVersion
	}
	return mastodonVersion + " (compatible; Linnet " + s.release + ")"
}

// streamingURL is the public URL with the scheme of WebSockets.
func (s site) streamingURL() string {
	return "ws" + strings.TrimPrefix(s.base, "http")
}
