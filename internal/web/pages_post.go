package web

import (
	"linnet/internal/posting"
	"linnet/internal/social"
	"linnet/internal/view"
)

// postPages are the pages of this area.
type postPages struct {
	posting *posting.Service
	social  *social.Service
	view    *view.Service
}
