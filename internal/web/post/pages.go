package post

import (
	"linnet/internal/posting"
	"linnet/internal/social"
	"linnet/internal/view"
)

// Pages are the pages of this area.
type Pages struct {
	Posting *posting.Service
	Social  *social.Service
	View    *view.Service
}
