package timeline

import (
	"linnet/internal/linnet"
	"linnet/internal/record"
)

// TopFeed returns the timeline of promotions of a user.
func (s *Service) TopFeed(me linnet.ID) Feed {
	return Feed{s: s, Key: record.TopKey(me), Reader: me, top: true}
}
