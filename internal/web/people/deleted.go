package people

import (
	"fmt"
	"net/http"
	"net/url"

	"linnet/internal/linnet"
	"linnet/internal/web/page"
)

// accountDeleted returns the error for a deleted or suspended account that was public, if err is
// NotFound. Otherwise it returns err. See RFC 9110 section 15.5.11.
func (h *Pages) accountDeleted(c *page.Context, err error, login string) error {
	if !page.IsKind(err, linnet.NotFound) {
		return err
	}
	gone, lookup := h.Reading.AccountDeleted(c.Request.Context(), c.Viewer(), login)
	switch {
	case lookup != nil:
		return fmt.Errorf("look up a deleted account: %w", lookup)
	case gone:
		return &page.Error{Code: http.StatusGone, Heading: "Account deleted",
			Msg: "This account was deleted or suspended. Its posts are no longer available."}
	}
	return err
}

// StatusDeleted returns the error for a deleted status that was public, if err is NotFound.
// Otherwise it returns err. All ids of a deleted account have the same response.
func (h *Pages) StatusDeleted(c *page.Context, err error, viewer linnet.ID, login string, id linnet.ID) error {
	err = h.accountDeleted(c, err, login)
	if !page.IsKind(err, linnet.NotFound) {
		return err
	}
	gone, lookup := h.Reading.StatusDeleted(c.Request.Context(), viewer, login, id)
	switch {
	case lookup != nil:
		return fmt.Errorf("look up a deleted status: %w", lookup)
	case gone:
		return &page.Error{Code: http.StatusGone, Heading: "Post deleted", Msg: "This post was deleted.",
			Back: "/@" + url.PathEscape(login), BackText: "Other posts by this account"}
	}
	return err
}
