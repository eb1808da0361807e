package mastodon

import (
	"html"
	"net/http"
	"strconv"
	"strings"

	"linnet/internal/mastodon/request"
	"linnet/internal/mastodon/wire"
)

// Sizes of an embedded status in pixels. The frame has no script that could adapt it to its
// content, so longer statuses scroll.
const (
	embedWidth    = 400
	embedHeight   = 280
	embedCacheAge = 86400 // seconds
)

// oembed returns the frame that embeds a status in another site. Only public statuses can be
// embedded, for all callers.
func (h *wellKnownHandler) oembed(r *request.Request) (any, error) {
	address, format := r.In.String("url"), r.In.String("format")
	width, height := atMost(r.In, "maxwidth", embedWidth), atMost(r.In, "maxheight", embedHeight)
	if err := r.In.Err(); err != nil {
		return nil, err
	}
	if format != "" && format != "json" {
		return nil, &request.Problem{Code: http.StatusNotImplemented, Body: request.ErrorBody{Error: "Only format=json is supported"}}
	}
	login, id, ok := h.core.LocalAddress(address)
	if !ok || id == 0 {
		return nil, request.ErrNotFound()
	}
	st, err := h.view.Status(r.Context(), 0, id)
	if err != nil {
		return nil, err
	}
	if !st.Embeddable() || !strings.EqualFold(st.By.Login, login) {
		return nil, request.ErrNotFound()
	}
	about, err := h.settings.Instance(r.Context())
	if err != nil {
		return nil, err
	}
	name := st.By.Name
	if name == "" {
		name = st.By.Login
	}
	title := "Post by " + name + " (@" + st.By.Login + "@" + h.site.host + ")"
	return wire.OEmbed{Type: "rich", Version: "1.0", Title: title, AuthorName: name, AuthorURL: st.By.URL, ProviderName: about.Title,
		ProviderURL: h.site.base, CacheAge: embedCacheAge, Width: width, Height: height,
		HTML: `<iframe src="` + html.EscapeString(st.URL) + `/embed" title="` + html.EscapeString(title) + `" width="` + strconv.Itoa(width) +
			`" height="` + strconv.Itoa(height) + `" style="max-width: 100%; border: 0" loading="lazy" sandbox="allow-popups allow-popups-to-escape-sandbox"></iframe>`}, nil
}

// atMost reads the maximum of a size and limits the usual size to it.
// https://oembed.com/#section2.2
func atMost(in *request.Input, name string, usual int) int {
	n := in.Number(name)
	if n <= 0 || n > usual {
		return usual
	}
	return n
}
