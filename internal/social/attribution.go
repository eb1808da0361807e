package social

import (
	"slices"

	"linnet/internal/cards"
	"linnet/internal/linnet"
	"linnet/internal/text"
)

// cleanDomains normalizes domains and removes duplicates. It keeps invalid domains for checkDomains.
func cleanDomains(typed []string) []string {
	out := make([]string, 0, len(typed))
	for _, t := range typed {
		d, ok := cards.Domain(t)
		if !ok {
			d = text.Line(t)
		}
		if d != "" && !slices.Contains(out, d) {
			out = append(out, d)
		}
	}
	return out
}

// checkDomains returns a field error if there are too many domains or one is invalid.
func checkDomains(domains *[]string) error {
	const field = "attribution_domains"
	if domains == nil {
		return nil
	}
	if n := len(*domains); n > linnet.MaxAttribution {
		return linnet.FieldError(field, "ERR_TOO_LONG", "has %d domains (maximum is %d)", n, linnet.MaxAttribution)
	}
	for _, d := range *domains {
		if clean, ok := cards.Domain(d); !ok || clean != d {
			return linnet.FieldError(field, "ERR_INVALID", "includes %q, which is not a domain such as example.org", d)
		}
	}
	return nil
}
