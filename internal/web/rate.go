package web

import (
	"strings"

	"linnet/internal/core"
)

// caller is who asks, as limits count it.
func (c *call) caller() core.Caller {
	by := core.Caller{Session: c.session, From: c.opts.ClientAddr(c.r)}
	if c.me != nil {
		by.User = c.me.ID
	}
	return by
}

// throttle counts the request like one of the client API. Every page counts; files
// do not, nor do drawn pictures as SVG, which cost no more than files.
func (c *call) throttle() error {
	class := core.RateGeneral
	if q := c.r.URL.RawQuery; strings.Contains(q, "max_id=") || strings.Contains(q, "min_id=") {
		class = core.RatePaging
	}
	_, err := c.svc.Core.AllowRequest(c.r.Context(), c.caller(), class)
	return err
}

// countAs counts the request on the limits of a class besides.
func (c *call) countAs(class core.RateClass) error {
	return c.svc.Core.AllowClass(c.r.Context(), c.caller(), class)
}
