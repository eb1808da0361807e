package wire

// Link is an entry of a JSON resource descriptor (RFC 7033 section 4.4.4).
type Link struct {
	Rel  string `json:"rel"`
	Type string `json:"type,omitempty"`
	Href string `json:"href,omitempty"`
}

// NodeInfoLinks lists the NodeInfo documents.
// https://nodeinfo.diaspora.software/protocol.html
type NodeInfoLinks struct {
	Links []Link `json:"links"`
}

// NodeInfo is the NodeInfo document.
// https://nodeinfo.diaspora.software/schema.html
type NodeInfo struct {
	Version           string           `json:"version"`
	Software          Software         `json:"software"`
	Protocols         []string         `json:"protocols"`
	Services          NodeInfoServices `json:"services"`
	Usage             NodeInfoUsage    `json:"usage"`
	OpenRegistrations bool             `json:"openRegistrations"`
	Metadata          NodeInfoMetadata `json:"metadata"`
}

// Software is the name and version of a program in NodeInfo.
type Software struct {
	Name    string `json:"name"`
	Version string `json:"version"`
}

// NodeInfoServices lists connected services in NodeInfo.
type NodeInfoServices struct {
	Inbound  []string `json:"inbound"`
	Outbound []string `json:"outbound"`
}

// NodeInfoUsage contains statistics. A private server has none.
type NodeInfoUsage struct {
	Users struct {
		Total       *int64 `json:"total,omitempty"`
		ActiveMonth *int64 `json:"activeMonth,omitempty"`
	} `json:"users"`
	LocalPosts *int64 `json:"localPosts,omitempty"`
}

// NodeInfoMetadata names Mastodon as the upstream. Otherwise megalodon refuses unknown servers.
type NodeInfoMetadata struct {
	NodeName string `json:"nodeName"`
	Upstream struct {
		Name string `json:"name"`
	} `json:"upstream"`
	Private bool `json:"privateMode"`
}

// WebFinger is a JSON resource descriptor (RFC 7033 section 4.4).
type WebFinger struct {
	Subject string   `json:"subject"`
	Aliases []string `json:"aliases"`
	Links   []Link   `json:"links"`
}

// OEmbed is an oEmbed document of type rich.
// https://docs.joinmastodon.org/methods/oembed/
type OEmbed struct {
	Type         string `json:"type"`
	Version      string `json:"version"`
	Title        string `json:"title"`
	AuthorName   string `json:"author_name"`
	AuthorURL    string `json:"author_url"`
	ProviderName string `json:"provider_name"`
	ProviderURL  string `json:"provider_url"`
	CacheAge     int    `json:"cache_age"`
	HTML         string `json:"html"`
	Width        int    `json:"width"`
	Height       int    `json:"height"`
}
