package social

import "linnet/internal/linnet"

// KeptHome is how many statuses the page of somebody's home has that is kept now.
func (s *Service) KeptHome(of linnet.ID) int {
	if k, ok := s.homes.GetIfPresent(of); ok && k.watch.Holds() {
		return len(k.page.Items)
	}
	return 0
}
