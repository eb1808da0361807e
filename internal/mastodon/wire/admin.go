package wire

import (
	"strconv"

	"linnet/internal/linnet"
)

// AdminAccount is the entity Admin::Account. IP addresses are not stored, so the lists are empty.
// https://docs.joinmastodon.org/entities/Admin_Account/
type AdminAccount struct {
	ID            string    `json:"id"`
	Username      string    `json:"username"`
	Domain        *string   `json:"domain"`
	CreatedAt     string    `json:"created_at"`
	Email         string    `json:"email"`
	IP            *string   `json:"ip"`
	IPs           []None    `json:"ips"`
	Role          AdminRole `json:"role"`
	Confirmed     bool      `json:"confirmed"`
	Suspended     bool      `json:"suspended"`
	Silenced      bool      `json:"silenced"`
	Sensitized    bool      `json:"sensitized"`
	Disabled      bool      `json:"disabled"`
	Approved      bool      `json:"approved"`
	Locale        string    `json:"locale"`
	InviteRequest *string   `json:"invite_request"`
	InvitedBy     string    `json:"invited_by_account_id,omitempty"`
	Account       Account   `json:"account"`
}

// AdminRole is the entity Role as staff read it.
// https://docs.joinmastodon.org/entities/Role/
type AdminRole struct {
	Role
	Position int `json:"position"`
}

// AdminAccount encodes an account for staff.
func (e *Encoder) AdminAccount(v *linnet.AccountView) AdminAccount {
	out := AdminAccount{ID: v.ID.String(), Username: v.Login, CreatedAt: Timestamp(v.ID.Time()), Email: v.Email, IPs: []None{},
		Role:      AdminRole{e.Role(&v.User), int(v.Role) * 100},
		Confirmed: v.Email == "" || v.EmailConfirmed, Suspended: v.Suspended, Silenced: v.Silenced, Sensitized: v.Sensitized, Disabled: v.Disabled, Approved: !v.Unapproved,
		Locale: v.Posting.Language, InviteRequest: Nullable(v.Reason), Account: e.Account(&v.UserView)}
	if out.Locale == "" {
		out.Locale = "en"
	}
	if v.InvitedBy != 0 {
		out.InvitedBy = v.InvitedBy.String()
	}
	return out
}

// AdminReport is the entity Admin::Report.
// https://docs.joinmastodon.org/entities/Admin_Report/
type AdminReport struct {
	ID            string        `json:"id"`
	ActionTaken   bool          `json:"action_taken"`
	ActionTakenAt *string       `json:"action_taken_at"`
	Category      string        `json:"category"`
	Comment       string        `json:"comment"`
	Forwarded     bool          `json:"forwarded"`
	CreatedAt     string        `json:"created_at"`
	UpdatedAt     string        `json:"updated_at"`
	Account       *AdminAccount `json:"account"`
	TargetAccount *AdminAccount `json:"target_account"`
	Assigned      *AdminAccount `json:"assigned_account"`
	ActionTakenBy *AdminAccount `json:"action_taken_by_account"`
	Statuses      []Status      `json:"statuses"`
	Collections   []Collection  `json:"collections"` // an addition of Linnet
	Rules         []Rule        `json:"rules"`
}

// AdminReport encodes a report for staff.
func (e *Encoder) AdminReport(v *linnet.StaffReport) AdminReport {
	who := func(v *linnet.AccountView) *AdminAccount {
		if v == nil {
			return nil
		}
		out := e.AdminAccount(v)
		return &out
	}
	out := AdminReport{ID: v.ID.String(), ActionTaken: !v.Open(), ActionTakenAt: OptionalTime(v.Resolved), Category: string(v.Category),
		Comment: v.Comment, CreatedAt: Timestamp(v.ID.Time()), UpdatedAt: Timestamp(v.Updated), Account: who(v.ByAccount),
		TargetAccount: who(v.OnAccount), Assigned: who(v.AssignedTo), ActionTakenBy: who(v.ResolvedByAccount),
		Statuses: make([]Status, len(v.StatusViews)), Collections: Each(v.CollectionViews, e.Collection), Rules: make([]Rule, len(v.Rules))}
	for i := range v.StatusViews {
		out.Statuses[i] = e.Status(&v.StatusViews[i], 0)
	}
	for i, n := range v.Rules {
		out.Rules[i] = Rule{ID: strconv.Itoa(n), Text: v.RuleTexts[i]}
	}
	return out
}

// AdminStrike is a strike for staff, an entity of Linnet.
type AdminStrike struct {
	AccountWarning
	Action    string   `json:"action"`     // including those that Mastodon doesn't have
	Moderator *Account `json:"account"`    // null for a command on the server
	DecidedBy *Account `json:"decided_by"` // of the appeal
	ReportID  *string  `json:"report_id"`
}

// AdminStrike encodes a strike for staff.
func (e *Encoder) AdminStrike(v *linnet.StrikeView) AdminStrike {
	out := AdminStrike{AccountWarning: e.StrikeView(v), Action: string(v.Act), ReportID: OptionalID(v.Report)}
	out.Text = v.Text
	if v.ByAccount != nil {
		by := e.Account(v.ByAccount)
		out.Moderator = &by
	}
	if v.DecidedBy != nil {
		by := e.Account(v.DecidedBy)
		out.DecidedBy = &by
	}
	return out
}

// AdminMeasure is the entity Admin::Measure.
// https://docs.joinmastodon.org/entities/Admin_Measure/
type AdminMeasure struct {
	Key      string      `json:"key"`
	Unit     *string     `json:"unit"`
	Total    string      `json:"total"`
	Previous string      `json:"previous_total"`
	Data     []AdminDate `json:"data"`
}

// AdminDate is the value of a measure on one day.
// https://docs.joinmastodon.org/entities/Admin_Measure/#data
type AdminDate struct {
	Date  string `json:"date"`
	Value string `json:"value"`
}

// AuditEntry is an entry of the audit log, an entity of Linnet.
type AuditEntry struct {
	ID        string   `json:"id"`
	CreatedAt string   `json:"created_at"`
	Action    string   `json:"action"`
	Detail    string   `json:"detail"`
	Reason    string   `json:"reason"`
	ReportID  *string  `json:"report_id"`
	Account   *Account `json:"account"` // the actor; null for a command on the server
	Target    *Account `json:"target_account"`
}

// EmailDomainBlock is the entity Admin::EmailDomainBlock. Attempts are not counted.
// https://docs.joinmastodon.org/entities/Admin_EmailDomainBlock/
type EmailDomainBlock struct {
	ID            string       `json:"id"`
	Domain        string       `json:"domain"`
	AllowApproval bool         `json:"allow_with_approval"`
	CreatedAt     string       `json:"created_at"`
	History       []HistoryDay `json:"history"`
}

// IPBlock is the entity Admin::IpBlock.
// https://docs.joinmastodon.org/entities/Admin_IpBlock/
type IPBlock struct {
	ID        string  `json:"id"`
	IP        string  `json:"ip"`
	Severity  string  `json:"severity"`
	Comment   string  `json:"comment"`
	CreatedAt string  `json:"created_at"`
	ExpiresAt *string `json:"expires_at"`
}

// Severities of an IPBlock. Linnet blocks sign-ups only.
// https://docs.joinmastodon.org/entities/Admin_IpBlock/#severity
const (
	SeverityApproval = "sign_up_requires_approval"
	SeverityBlock    = "sign_up_block"
)

// CanonicalEmailBlock is the entity Admin::CanonicalEmailBlock.
// https://docs.joinmastodon.org/entities/Admin_CanonicalEmailBlock/
type CanonicalEmailBlock struct {
	ID   string `json:"id"`
	Hash string `json:"canonical_email_hash"`
}

// AdminDimension is the entity Admin::Dimension.
// https://docs.joinmastodon.org/entities/Admin_Dimension/
type AdminDimension struct {
	Key  string          `json:"key"`
	Data []DimensionData `json:"data"`
}

// DimensionData is one value of a dimension.
// https://docs.joinmastodon.org/entities/Admin_Dimension/#data
type DimensionData struct {
	Key        string `json:"key"`
	HumanKey   string `json:"human_key"`
	Value      string `json:"value"`
	Unit       string `json:"unit,omitempty"`
	HumanValue string `json:"human_value,omitempty"`
}

// AdminCohort is the entity Admin::Cohort.
// https://docs.joinmastodon.org/entities/Admin_Cohort/
type AdminCohort struct {
	Period    string       `json:"period"`
	Frequency string       `json:"frequency"`
	Data      []CohortData `json:"data"`
}

// CohortData is the entity CohortData.
// https://docs.joinmastodon.org/entities/Admin_Cohort/#CohortData
type CohortData struct {
	Date  string  `json:"date"`
	Rate  float64 `json:"rate"`
	Value string  `json:"value"`
}

// AdminTag is the entity Admin::Tag, with listable, which Mastodon's documentation omits.
// https://docs.joinmastodon.org/entities/Tag/#admin
type AdminTag struct {
	Tag
	Trendable      bool `json:"trendable"`
	Usable         bool `json:"usable"`
	Listable       bool `json:"listable"`
	RequiresReview bool `json:"requires_review"`
}

// AdminPublisher is a site with trending links. Mastodon's documentation omits it. Nothing is
// reviewed, so the times are null.
type AdminPublisher struct {
	ID                string  `json:"id"`
	Domain            string  `json:"domain"`
	Trendable         bool    `json:"trendable"`
	ReviewedAt        *string `json:"reviewed_at"`
	RequestedReviewAt *string `json:"requested_review_at"`
	RequiresReview    bool    `json:"requires_review"`
}

// AdminLink is the entity Trends::Link as staff read it.
// https://docs.joinmastodon.org/methods/admin/trends/#links
type AdminLink struct {
	ID string `json:"id"`
	TrendLink
	Trendable      bool `json:"trendable"`
	RequiresReview bool `json:"requires_review"`
}
