package web

import (
	"fmt"
	"net/http"
	"net/url"

	"linnet/internal/linnet"
)

// accountGone returns the error for a deleted or suspended account that was public, instead of err,
// a NotFound. RFC 9110 section 15.5.11.
func (c *call) accountGone(err error, login string) error {
	if !isKind(err, linnet.NotFound) {
		return err
	}
	gone, lookup := c.svc.Reading.AccountGone(c.r.Context(), c.viewer(), login)
	switch {
	case lookup != nil:
		return fmt.Errorf("look for a deleted account: %w", lookup)
	case gone:
		return &httpError{code: http.StatusGone, head: "Account deleted",
			msg: "This account was deleted or suspended. Its posts are no longer available."}
	}
	return err
}

// statusGone returns the error for a deleted status that was public, instead of err, a NotFound.
// All ids of a deleted account have the same response.
func (c *call) statusGone(err error, viewer linnet.ID, login string, id linnet.ID) error {
	err = c.accountGone(err, login)
	if !isKind(err, linnet.NotFound) {
		return err
	}
	gone, lookup := c.svc.Reading.StatusGone(c.r.Context(), viewer, login, id)
	switch {
	case lookup != nil:
		return fmt.Errorf("look for a deleted status: %w", lookup)
	case gone:
		return &httpError{code: http.StatusGone, head: "Post deleted", msg: "This post was deleted.",
			back: "/@" + url.PathEscape(login), text: "Other posts by this account"}
	}
	return err
}
