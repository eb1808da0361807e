package post

import (
	"linnet/internal/linnet"
	"linnet/internal/web/page"
)

// CategoryWord returns the category of a report in words.
func CategoryWord(c *page.Context, of linnet.ReportCategory) string {
	switch of {
	case linnet.ReportSpam:
		return c.Tr("spam")
	case linnet.ReportLegal:
		return c.Tr("legal")
	case linnet.ReportViolation:
		return c.Tr("violation")
	}
	return c.Tr("other")
}
