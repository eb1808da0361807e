package web

import (
	"strings"

	"linnet/internal/social"
)

// caller is who asks, as limits count it.
func (c *call) caller() social.Caller {
	by := social.Caller{Session: c.session, From: c.opts.ClientAddr(c.r)}
	if c.me != nil {
		by.User = c.me.ID
	}
	return by
}

// throttle counts the request like one of the client API. Every page counts; files
// do not, nor do drawn pictures as SVG, which cost no more than files.
func (c *call) throttle() error {
	class := social.RateGeneral
	if q := c.r.URL.RawQuery; strings.Contains(q, "max_id=") || strings.Contains(q, "min_id=") {
		class = social.RatePaging
	}
	_, err := c.svc.AllowRequest(c.r.Context(), c.caller(), class)
	return err
}

// countAs counts the request on the limits of a class besides.
func (c *call) countAs(class social.RateClass) error {
	return c.svc.AllowClass(c.r.Context(), c.caller(), class)
}
