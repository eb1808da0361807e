package core

import (
	"context"
	"net/netip"
	"time"

	"linnet/internal/linnet"
)

// Rates are the numbers of requests allowed per window. 0 means the default given here, which is
// Mastodon's if it has one. Negative means no limit.
type Rates struct {
	Token    int64 // 300 in 5 minutes, requests with one token or in one browser session
	User     int64 // 1500 in 5 minutes, requests of a user with all tokens and sessions
	Address  int64 // 300 in 5 minutes, requests without a user
	Paging   int64 // 300 in 15 minutes, requests for a page other than the first
	Delete   int64 // 30 in 30 minutes, deleted statuses and reposts
	SignUp   int64 // 5 in 30 minutes and address, new accounts
	Apps     int64 // 60 in 30 minutes and address, registered apps
	Pictures int64 // 600 in 5 minutes and address, default avatars that are not cached
	Mail     int64 // 10 in 30 minutes per address, requests that send an e-mail to an address
	Follow   int64 // 400 a day, follows and requests to follow
	Report   int64 // 60 a day, reports to the moderators
	Media    int64 // 30 in 30 minutes, uploaded pictures
}

// Unlimited returns rates without limits, for benchmarks and tests.
func Unlimited() Rates {
	return Rates{Token: -1, User: -1, Address: -1, Paging: -1, Delete: -1, SignUp: -1, Apps: -1, Pictures: -1, Media: -1, Mail: -1, Follow: -1, Report: -1}
}

func (r Rates) withDefaults() Rates {
	for _, d := range [...]struct {
		n     *int64
		usual int64
	}{
		{&r.Token, 300}, {&r.User, 1500}, {&r.Address, 300}, {&r.Paging, 300},
		{&r.Delete, 30}, {&r.SignUp, 5}, {&r.Apps, 60}, {&r.Pictures, 600}, {&r.Media, 30}, {&r.Mail, 10}, {&r.Follow, 400}, {&r.Report, 60},
	} {
		if *d.n == 0 {
			*d.n = d.usual
		}
	}
	return r
}

// RateClass is a class of requests with its own limits.
type RateClass uint8

// Classes of requests.
const (
	RateGeneral RateClass = iota
	RatePaging            // it asks for a page other than the first
	RateDelete            // it deletes a status or a repost
	RateSignUp            // it makes an account
	RateApps              // it registers an app
	RatePicture           // a default avatar has to be generated
	RateMedia             // it uploads a picture
	RateMail              // it sends an e-mail to an address
)

// Caller is the sender of a request, for rate limits.
type Caller struct {
	Session string     // ID of the token or session
	User    linnet.ID  // 0 without a login, so that the address counts
	From    netip.Addr // the zero Addr if unknown; all such requests share one limit
}

// Quota is the state of the lowest limit that applied to a request. Limit 0 means that there was
// none.
type Quota struct {
	Limit, Left int64
	Reset       time.Time
}

// SiteShare is the limit of a 48-bit IPv6 network as a multiple of that of an address. Such a
// network has 65,536 networks of 64 bits, and one subscriber could use a different one for each
// request.
const SiteShare = 10

// Sources returns the names under which an address is counted. For IPv6 these are the 64-bit
// network, which one machine has, and the 48-bit network of the site. For IPv4 the site is "".
func Sources(addr netip.Addr) (source, site string) {
	addr = addr.Unmap().WithZone("")
	if !addr.Is6() {
		return addr.String(), ""
	}
	p64, _ := addr.Prefix(64)
	p48, _ := addr.Prefix(48)
	return p64.Addr().String(), p48.String()
}

// AddressKey returns the name under which failed attempts and similar limits count an address: an
// IPv4 address, or an IPv6 network of 64 bits.
func AddressKey(addr netip.Addr) string {
	source, _ := Sources(addr)
	return source
}

// Windows of the limits. They begin at multiples of five minutes.
const (
	shortWindow  = 5 * time.Minute
	middleWindow = 15 * time.Minute
	longWindow   = 30 * time.Minute
	dayWindow    = 24 * time.Hour
)

// AllowRequest counts a request against the general limits and those of its class. It returns
// TooMany if one is exceeded, with the quota of that limit.
func (s *Service) AllowRequest(ctx context.Context, by Caller, class RateClass) (Quota, error) {
	c := counting{s: s, ctx: ctx, rates: &s.opt.Rates}
	if by.User != 0 {
		c.on("api", by.Session, c.rates.Token, shortWindow)
		c.on("user", by.User.String(), c.rates.User, shortWindow)
	} else {
		c.onAddress("api", by.From, c.rates.Address, shortWindow)
	}
	c.onClass(by, class)
	return c.quota, c.err
}

// pairShare is the share of a daily limit that can concern one other user.
const pairShare = 10

// AllowFollow counts a follow, or an addition to a collection, against the limit of the follower
// and the limit of the pair. The second one bounds how often a user is notified by someone who
// follows and unfollows.
func (s *Service) AllowFollow(ctx context.Context, me, other linnet.ID) error {
	return s.allowAbout(ctx, "follow", me, other, s.opt.Rates.Follow)
}

// AllowReport counts a report against the limit of the reporter and the limit of the pair.
func (s *Service) AllowReport(ctx context.Context, me, other linnet.ID) error {
	return s.allowAbout(ctx, "report", me, other, s.opt.Rates.Report)
}

func (s *Service) allowAbout(ctx context.Context, what string, me, other linnet.ID, limit int64) error {
	c := counting{s: s, ctx: ctx, rates: &s.opt.Rates}
	c.on(what, me.String()+" "+other.String(), (limit+pairShare-1)/pairShare, dayWindow)
	c.on(what, me.String(), limit, dayWindow)
	return c.err
}

// AllowClass counts a request against the limits of a class only.
func (s *Service) AllowClass(ctx context.Context, by Caller, class RateClass) error {
	c := counting{s: s, ctx: ctx, rates: &s.opt.Rates}
	c.onClass(by, class)
	return c.err
}

// counting checks one request against its limits.
type counting struct {
	s     *Service
	ctx   context.Context
	rates *Rates
	quota Quota
	err   error // the result, after which no further limit is checked
}

func (c *counting) onClass(by Caller, class RateClass) {
	switch class {
	case RateDelete:
		c.onCaller("delete", by, c.rates.Delete, longWindow)
	case RateMedia:
		c.onCaller("media", by, c.rates.Media, longWindow)
	case RatePaging:
		c.onCaller("paging", by, c.rates.Paging, middleWindow)
	case RateSignUp:
		c.onAddress("signup", by.From, c.rates.SignUp, longWindow)
	case RateMail:
		c.onAddress("mail", by.From, c.rates.Mail, longWindow)
	case RateApps:
		c.onAddress("app", by.From, c.rates.Apps, longWindow)
	case RatePicture:
		c.onAddress("picture", by.From, c.rates.Pictures, shortWindow)
	}
}

func (c *counting) onCaller(what string, by Caller, limit int64, window time.Duration) {
	if by.User != 0 {
		c.on(what, by.User.String(), limit, window)
		return
	}
	c.onAddress(what, by.From, limit, window)
}

func (c *counting) onAddress(what string, from netip.Addr, limit int64, window time.Duration) {
	if limit <= 0 {
		return
	}
	source, site := Sources(from)
	c.on(what, source, limit, window)
	if site != "" {
		c.on(what, site, limit*SiteShare, window)
	}
}

func (c *counting) on(what, who string, limit int64, window time.Duration) {
	if limit <= 0 || c.err != nil {
		return
	}
	left, reset, err := c.s.Allow(c.ctx, what, who, limit, window)
	if err != nil && linnet.KindOf(err) != linnet.TooMany {
		c.err = err
		return
	}
	if c.quota.Limit == 0 || left < c.quota.Left || err != nil {
		c.quota = Quota{Limit: limit, Left: max(left, 0), Reset: reset}
	}
	c.err = err
}
