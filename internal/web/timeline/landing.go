package timeline

import (
	"context"
	"fmt"
	"net/http"
	"net/netip"

	"linnet/internal/linnet"
	"linnet/internal/web/page"
	"linnet/internal/web/ui"
)

// latest is the number of public statuses on the landing page, and faces the number of users.
const latest, faces = 10, 6

type landingPage struct {
	About   linnet.InstanceView
	Connect connect
	Posts   []linnet.StatusView
	People  []linnet.UserView // discoverable users, recently active ones first
}

// connect has the data to log in with an app. Most apps require https.
type connect struct {
	Server   string // name of the server for an app
	URL      string
	HTTPS    bool
	OnlyHere bool // only this computer can reach the server
	Commands bool // shows commands for a terminal, to administrators
}

// connection returns the data to log in to this server with an app.
func connection(c *page.Context) connect {
	return connect{Server: c.URL.Host, URL: c.URL.Scheme + "://" + c.URL.Host,
		HTTPS: c.Secure(), OnlyHere: isLoopback(c.URL.Hostname()), Commands: c.May(linnet.ManageSettings)}
}

// isLoopback reports whether a host name is this computer.
func isLoopback(host string) bool {
	if host == "localhost" {
		return true
	}
	addr, err := netip.ParseAddr(host)
	return err == nil && addr.IsLoopback()
}

func (h *Pages) landing(c *page.Context) error {
	ctx := c.Request.Context()
	about, err := h.Settings.Instance(ctx)
	if err != nil {
		return fmt.Errorf("read the instance settings: %w", err)
	}
	c.About = &about.Instance
	posts, err := h.Reading.Public(ctx, c.Viewer(), linnet.PublicQuery{}, linnet.Page{Limit: latest})
	if err != nil {
		return fmt.Errorf("read the latest statuses: %w", err)
	}
	m := landingPage{About: about, Connect: connection(c), Posts: posts.Items}
	m.People, err = h.Discovery.Directory(ctx, c.Viewer(), linnet.DirectoryQuery{Limit: faces})
	page.LogMissing(c, err)
	c.Shared = true
	return c.Render(http.StatusOK, page.Page{Listed: true,
		Body: landingView(c, m),
		Card: &page.Card{Type: "website", Title: about.Title, Text: about.Description, URL: c.URL.String() + "/", Image: about.Thumbnail.Name}})
}

// instanceCounts returns the numbers of users and posts.
func instanceCounts(ctx context.Context, about linnet.InstanceView) []string {
	all := []string{ui.Trn(ctx, about.People, "%s person", "%s people"), ui.Trn(ctx, about.Statuses, "%s post", "%s posts")}
	if about.ActiveMonth > 0 {
		all = append(all, ui.Trn(ctx, about.ActiveMonth, "%s active this month", "%s active this month"))
	}
	return all
}
