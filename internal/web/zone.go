package web

import (
	"net/url"
	"time"
)

// The time zone of a reader's pages: that of the account, or else that of the browser, which the
// script sets in a cookie, or else UTC.

const zoneCookie = "zone"

// zone is the reader's.
func (c *call) zone() *time.Location {
	if c.here != nil {
		return c.here
	}
	c.here = time.UTC
	if c.me == nil { // pages for strangers are the same for all
		return c.here
	}
	name := c.me.Appearance.Zone
	if name == "" {
		if cookie, err := c.r.Cookie(zoneCookie); err == nil {
			name, _ = url.QueryUnescape(cookie.Value)
		}
	}
	if at := c.zoneNamed(name); at != nil {
		c.here = at
	}
	return c.here
}

// zoneNamed returns the zone with an IANA name, or nil. It caches zones, of which there are a few
// hundred.
func (s *site) zoneNamed(name string) *time.Location {
	if known, ok := s.zones.Load(name); ok {
		return known.(*time.Location)
	}
	at, err := time.LoadLocation(name)
	if err != nil || name == "" || name == "Local" { // the last is the server's
		return nil
	}
	s.zones.Store(name, at)
	return at
}
