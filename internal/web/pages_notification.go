package web

import (
	"linnet/internal/groups"
	"linnet/internal/notify"
	"linnet/internal/reading"
	"linnet/internal/social"
	"linnet/internal/view"
)

// notificationPages are the pages of this area.
type notificationPages struct {
	groups  *groups.Service
	notify  *notify.Service
	reading *reading.Service
	social  *social.Service
	view    *view.Service
}
