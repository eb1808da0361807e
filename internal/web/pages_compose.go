package web

import (
	"linnet/internal/core"
	"linnet/internal/discovery"
	"linnet/internal/groups"
	"linnet/internal/posting"
	"linnet/internal/uploads"
	"linnet/internal/view"
	"linnet/internal/web/post"
)

// composePages are the pages of this area.
type composePages struct {
	core      *core.Service
	discovery *discovery.Service
	groups    *groups.Service
	postPages *post.Pages
	posting   *posting.Service
	uploads   *uploads.Service
	view      *view.Service
}
