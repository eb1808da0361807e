package timeline

import (
	"linnet/internal/linnet"
	"linnet/internal/record"
)

// ListFeed returns the timeline of a list.
func (s *Service) ListFeed(list linnet.ID) Feed {
	return Feed{s: s, Key: record.ListFeedKey(list), list: list}
}
