package outsidefeed

import (
	"bytes"
	"context"
	"errors"
	"net/http"
	"net/url"
	"regexp"
	"strconv"
	"strings"
	"time"

	"golang.org/x/net/html"
	"golang.org/x/net/idna"
	"linnet/internal/core"
	"linnet/internal/linnet"
	"linnet/internal/record"
	"linnet/internal/store"
	"linnet/internal/store/accounts"
	"linnet/internal/task"
	"linnet/internal/text"
	"linnet/internal/wording"
)

// Limits of resolving addresses that must be fetched, per user.
const (
	lookups      = 60
	lookupWindow = time.Hour
	loginsTried  = 20
	resolveTime  = 25 * time.Second
)

var (
	errOff       = linnet.Errorf(linnet.Forbidden, "External feeds are turned off on this server.")
	errStaffOnly = linnet.Errorf(linnet.Forbidden, "Only moderators can add external feeds on this server.")
	errBlocked   = linnet.Errorf(linnet.Forbidden, "Feeds of this site are blocked on this server.")
	errFull      = linnet.Errorf(linnet.Invalid, "This server has reached its maximum number of external feeds. Contact the administrators.")
	errNotFound  = linnet.Errorf(linnet.NotFound, "There's no feed at this address. Enter the address of a feed, or of a page that links to one.")
)

// Address returns a typed address in the form in which it is looked up. ok is false if it isn't the
// http or https address of another site, or is longer than text.MaxURL.
func (s *Service) Address(typed string) (address string, ok bool) {
	typed = strings.TrimSpace(typed)
	if rest, found := strings.CutPrefix(typed, "feed:"); found {
		typed = rest
		if strings.HasPrefix(rest, "//") {
			typed = "https:" + rest
		}
	}
	u, err := url.Parse(typed)
	if err != nil || u.Scheme != "https" && u.Scheme != "http" || u.Host == "" || u.User != nil || len(typed) > text.MaxURL {
		return "", false
	}
	own, err := url.Parse(s.opt.PublicURL)
	if err != nil || strings.EqualFold(u.Host, own.Host) {
		return "", false
	}
	host, err := idna.Lookup.ToASCII(u.Hostname())
	if err != nil {
		host = strings.ToLower(u.Hostname()) // an IP address
	}
	port := u.Port()
	if u.Host = host; strings.Contains(host, ":") {
		u.Host = "[" + host + "]"
	}
	if port != "" {
		u.Host += ":" + port
	}
	if u.Fragment, u.RawFragment = "", ""; u.Path == "" {
		u.Path = "/"
	}
	address = u.String() // longer than typed if it contains characters that addresses escape
	return address, len(address) <= text.MaxURL
}

// Resolve returns the account of the feed at an address. The address can be a feed, a page that
// links one, or a profile on Mastodon, Bluesky or YouTube. If no account has the feed, Resolve adds
// it for me.
func (s *Service) Resolve(ctx context.Context, me linnet.Actor, typed string) (linnet.UserView, error) {
	address, ok := s.Address(typed)
	if !ok {
		return linnet.UserView{}, errNotFound
	}
	id, err := s.st.Accounts.OutsideFeedAt(ctx, address)
	if err != nil {
		return linnet.UserView{}, core.StoreError(err)
	}
	if id == 0 {
		got, err, _ := s.flights.Do(address, func() (any, error) {
			ctx, stop := context.WithTimeout(context.WithoutCancel(ctx), resolveTime) // other callers wait for it too
			defer stop()
			return s.discover(ctx, me, address)
		})
		if err != nil {
			return linnet.UserView{}, err
		}
		id = got.(linnet.ID)
	}
	return s.view.User(ctx, me.ID(), id)
}

// discover finds the feed of an address that no account has, and adds it if necessary.
func (s *Service) discover(ctx context.Context, me linnet.Actor, address string) (linnet.ID, error) {
	set, err := s.mayAdd(ctx, me)
	if err != nil {
		return 0, err
	}
	if me.ID() != 0 {
		if _, _, err := s.core.Allow(ctx, "outside_feed", me.ID().String(), lookups, lookupWindow); err != nil {
			return 0, err
		}
	}
	if set.Blocks(hostOf(address)) {
		return 0, errBlocked
	}
	at, d, err := s.find(ctx, address)
	if err != nil {
		s.opt.Log.Debug("cannot find an external feed", "host", hostOf(address), "err", err)
		return 0, notFound(err)
	}
	if len(at) > text.MaxURL { // the address after redirects
		return 0, errNotFound
	}
	if set.Blocks(hostOf(at)) {
		return 0, errBlocked
	}
	id, err := s.st.Accounts.OutsideFeedAt(ctx, at)
	if err != nil || id != 0 {
		return id, core.StoreError(err)
	}
	return s.create(ctx, me, set, at, d)
}

// notFound returns the error for users after find has failed with err.
func notFound(err error) error {
	var status statusError
	if errors.Is(err, errNoFeed) || errors.As(err, &status) && (status == http.StatusNotFound || status == http.StatusGone) {
		return errNotFound
	}
	m := wording.Message(problem(err))
	format, values, ok := m.Parts()
	if !ok { // it has no values
		format = string(m)
	}
	return linnet.Errorf(linnet.NotFound, format, values...)
}

// mayAdd returns the settings, or an error if me can't add feeds.
func (s *Service) mayAdd(ctx context.Context, me linnet.Actor) (set linnet.OutsideFeedSettings, err error) {
	if set, err = s.st.Accounts.OutsideFeedSettings(ctx); err != nil {
		return set, core.StoreError(err)
	}
	switch {
	case set.Who == linnet.FeedsOff:
		return set, errOff
	case set.Who == linnet.FeedsByModerators && s.core.Authorize(ctx, me, linnet.ManageUsers) != nil:
		return set, errStaffOnly
	}
	return set, nil
}

// find fetches an address and returns the address of its feed, and the feed.
func (s *Service) find(ctx context.Context, address string) (string, *document, error) {
	var tried []string
	guesses := []string{address}
	if g := feedOfProfile(address); g != "" {
		guesses = []string{g, address}
	}
	var failed error
	for len(guesses) > 0 && len(tried) < 4 {
		link := guesses[0]
		guesses, tried = guesses[1:], append(tried, link)
		r, err := s.get(ctx, link, "", "")
		if err == nil && r.status != http.StatusOK {
			err = statusError(r.status)
		}
		if err != nil {
			failed = errors.Join(failed, err)
			continue
		}
		at := link
		if r.moved != nil {
			at = r.moved.String()
		}
		d, err := parseFeed(r.data, r.at, s.st.Now())
		if err == nil {
			return at, d, nil
		}
		failed = errors.Join(failed, err)
		if link == address {
			guesses = append(guesses, linked(r.data, r.at)...)
			if mastodonProfile.MatchString(r.at.Path) {
				guesses = append(guesses, strings.TrimSuffix(r.at.String(), "/")+".rss")
			}
		}
	}
	return "", nil, failed
}

var (
	mastodonProfile = regexp.MustCompile(`^/@[A-Za-z0-9_.-]+/?$`)
	blueskyProfile  = regexp.MustCompile(`^/profile/[A-Za-z0-9.:-]+/?$`)
	youTubeChannel  = regexp.MustCompile(`^/channel/([A-Za-z0-9_-]+)/?$`)
)

// feedOfProfile returns the address of the feed of a profile whose page links none, or "".
func feedOfProfile(address string) string {
	u, err := url.Parse(address)
	if err != nil {
		return ""
	}
	switch host := hostOf(address); {
	case host == "bsky.app" && blueskyProfile.MatchString(u.Path):
		return "https://bsky.app" + strings.TrimSuffix(u.Path, "/") + "/rss"
	case host == "youtube.com" || host == "m.youtube.com":
		if m := youTubeChannel.FindStringSubmatch(u.Path); m != nil {
			return "https://www.youtube.com/feeds/videos.xml?channel_id=" + m[1]
		}
	}
	return ""
}

// linked returns the addresses of the feeds that an HTML page links.
func linked(data []byte, at *url.URL) (out []string) {
	z := html.NewTokenizer(bytes.NewReader(data))
	for len(out) < 3 {
		switch z.Next() {
		case html.ErrorToken:
			return out
		case html.StartTagToken, html.SelfClosingTagToken:
			name, more := z.TagName()
			if string(name) != "link" {
				continue
			}
			attr := map[string]string{}
			for more {
				var k, v []byte
				k, v, more = z.TagAttr()
				attr[string(k)] = string(v)
			}
			kind, _, _ := strings.Cut(strings.ToLower(attr["type"]), ";")
			switch strings.TrimSpace(kind) {
			case "application/rss+xml", "application/atom+xml", "application/feed+json":
				link := absolute(at, attr["href"])
				if link != "" && strings.Contains(" "+strings.ToLower(attr["rel"])+" ", " alternate ") && !strings.Contains(strings.ToLower(attr["title"]+attr["href"]), "comments") {
					out = append(out, link)
				}
			}
		}
	}
	return out
}

// create creates the account of a feed.
func (s *Service) create(ctx context.Context, me linnet.Actor, set linnet.OutsideFeedSettings, at string, d *document) (linnet.ID, error) {
	by := me.ID()
	all, err := s.st.Accounts.CountOutsideFeeds(ctx, nil, set.Total)
	if err != nil {
		return 0, core.StoreError(err)
	}
	if all >= set.Total {
		return 0, errFull
	}
	if by != 0 {
		own, err := s.st.Accounts.CountOutsideFeeds(ctx, &by, set.PerMember)
		if err != nil {
			return 0, core.StoreError(err)
		}
		if own >= set.PerMember {
			return 0, linnet.Errorf(linnet.Invalid, "You can add at most %d feeds. You can still follow feeds that other members have added.", set.PerMember)
		}
	}
	c := profile(&linnet.OutsideFeed{URL: at, Site: d.site}, d)
	u := linnet.User{Name: *c.Name, Note: *c.Note, Bot: true, Feed: at, Indexable: true, NoFeeds: true}
	var t task.Task
	for n := range loginsTried {
		u.Login = loginOf(at, n)
		u, t, err = s.st.Accounts.CreateUser(ctx, store.RandomShard(), u, record.Secret{}, func(id linnet.ID) (task.Task, error) {
			return s.tasks.New(id.Shard(), TaskAdd, addArgs{User: id, URL: at, Site: d.site, By: by})
		})
		if t.ID != "" {
			s.tasks.Run(ctx, t)
		}
		if !errors.Is(err, accounts.ErrTaken) {
			break
		}
	}
	if err != nil {
		return 0, core.StoreError(err)
	}
	id, err := s.st.Accounts.OutsideFeedAt(ctx, at)
	if err == nil && id == 0 {
		err = linnet.Errorf(linnet.Unavailable, "The feed is being added. Search for it again in a moment.")
	}
	return id, core.StoreError(err)
}

// addArgs are the arguments of TaskAdd: a new feed whose account may not exist yet.
type addArgs struct {
	User linnet.ID `json:"user"`
	URL  string    `json:"url"`
	Site string    `json:"site,omitempty"`
	By   linnet.ID `json:"by,omitempty"`
}

// add completes the account of a feed and starts fetching. It deletes the account if another one
// has the address. It can run more than once.
func (s *Service) add(ctx context.Context, a addArgs) (*addArgs, error) {
	if err := s.st.Accounts.FinishSignUp(ctx, a.User); err != nil {
		return nil, err
	}
	u, err := s.st.UserNow(ctx, a.User)
	if err != nil || u == nil {
		return nil, err // another account has the login
	}
	owner, err := s.st.Accounts.ClaimOutsideURL(ctx, a.URL, a.User)
	if err != nil {
		return nil, err
	}
	if owner != a.User {
		err := s.social.Deletion.DeleteUser(ctx, a.User)
		if linnet.KindOf(err) == linnet.NotFound {
			err = nil
		}
		return nil, err
	}
	f := &linnet.OutsideFeed{User: a.User, By: a.By, URL: a.URL, Site: a.Site}
	j, err := s.schedule(f, s.st.Now())
	if err != nil {
		return nil, err
	}
	made, err := s.st.Accounts.AddOutsideFeed(ctx, f, j.Ops()...)
	if err == nil && made {
		s.outbox.Begin(ctx, j)
	}
	return nil, err
}

var notInLogin = regexp.MustCompile(`[^a-z0-9]+`)

// loginOf returns a login for the feed at an address: its host, then with a part of its path, then
// with a number. Users can't have these logins, which contain a dot.
func loginOf(address string, try int) string {
	u, err := url.Parse(address)
	if err != nil {
		return ""
	}
	host := hostOf(address)
	if !text.ValidFeedLogin(host) || strings.Contains(host, "_") { // an IPv6 address, or no dot
		host = strings.Trim(notInLogin.ReplaceAllString(host, "-"), "-") + ".feed"
	}
	const most = text.MaxFeedLogin - 24 // leaves room for the suffix
	if len(host) > most {
		host = strings.TrimLeft(host[len(host)-most:], ".-")
	}
	if try == 0 {
		return host
	}
	path := u.EscapedPath()
	if q := u.Query(); len(q) == 1 {
		for _, v := range q {
			path = v[0]
		}
	}
	words := strings.Split(strings.Trim(notInLogin.ReplaceAllString(strings.ToLower(path), "_"), "_"), "_")
	name := ""
	for _, w := range words {
		switch w {
		case "", "rss", "atom", "feed", "feeds", "xml", "json", "index", "users", "profile", "channel":
		default:
			if len(name)+len(w) < 18 {
				name += "_" + w
			}
		}
	}
	if try == 1 && name != "" {
		return host + name
	}
	return host + "_" + strconv.Itoa(max(try, 2))
}
