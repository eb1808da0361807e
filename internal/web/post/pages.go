package post

import (
	"linnet/internal/posting"
	"linnet/internal/social"
	"linnet/internal/view"
)

// Pages serves the actions on posts. All fields are required.
type Pages struct {
	Posting *posting.Service
	Social  *social.Service
	View    *view.Service
}
