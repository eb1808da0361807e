package linnet

import "time"

// ReportCategory is the subject of a report. The values are Mastodon's.
// https://docs.joinmastodon.org/entities/Report/#category
type ReportCategory string

const (
	ReportSpam      ReportCategory = "spam"
	ReportLegal     ReportCategory = "legal"
	ReportViolation ReportCategory = "violation" // a violation of rules
	ReportOther     ReportCategory = "other"
)

// ParseReportCategory reads Mastodon's word for a category.
func ParseReportCategory(s string) (ReportCategory, bool) {
	switch c := ReportCategory(s); c {
	case ReportSpam, ReportLegal, ReportViolation, ReportOther:
		return c, true
	}
	return "", false
}

// ReportDraft is a new report.
type ReportDraft struct {
	On       ID
	Statuses []ID // statuses of that account; others are ignored
	Comment  string
	Category ReportCategory // "" for other
	Rules    []int          // numbers of rules, from 1
}

// Report is a report of an account to the moderators.
type Report struct {
	ID         ID
	By, On     ID
	Statuses   []ID
	Comment    string
	Category   ReportCategory
	Rules      []int
	Assigned   ID // the assigned moderator; 0 for none
	ResolvedBy ID
	Resolved   time.Time // zero if open
	Updated    time.Time
	Version    uint64
}

// Open reports whether the report is unresolved.
func (r *Report) Open() bool { return r.Resolved.IsZero() }

// ReportView is a report as its reporter sees it.
type ReportView struct {
	Report
	Target UserView
}

// StaffReport is a report for staff. Deleted users are nil.
type StaffReport struct {
	Report
	ByAccount, OnAccount, AssignedTo, ResolvedByAccount *AccountView
	StatusViews                                         []StatusView
	RuleTexts                                           []string // texts of Rules, in order
}

// ReportFilter narrows a list of reports.
type ReportFilter struct {
	Resolved bool // resolved instead of open ones
	By, On   ID   // 0 for any user
}

// ReportChange is a moderator's change of a report. Nil fields stay.
type ReportChange struct {
	Act      string // for the audit log
	Category *ReportCategory
	Rules    *[]int
	Assigned *ID
	Resolved *bool
}
