package form

import (
	"linnet/internal/linnet"
	"linnet/internal/locale"
	"linnet/internal/web/paths"
)

// Policies returns the links to the terms and the privacy policy, if they exist.
func Policies(about linnet.Instance) (links []Link) {
	if len(about.Terms) > 0 {
		links = append(links, Link{Path: paths.Terms, Text: locale.Mark("Terms of service")})
	}
	if about.Privacy != "" {
		links = append(links, Link{Path: paths.Privacy, Text: locale.Mark("Privacy policy")})
	}
	return links
}
