package linnet

import (
	"slices"
	"time"
)

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
	// Collections has collections of that account; others are ignored.
	Collections []ID
	Comment     string
	Category    ReportCategory // "" for other
	Rules       []int          // numbers of rules, from 1
}

// Report is a report of an account to the moderators.
type Report struct {
	ID          ID
	By, On      ID
	Statuses    []ID
	Collections []ID
	Comment     string
	Category    ReportCategory
	Rules       []int
	Assigned    ID // the assigned moderator; 0 for none
	ResolvedBy  ID
	Resolved    time.Time // zero if open
	Updated     time.Time
	Version     uint64
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
	CollectionViews                                     []CollectionView // without By and People
	RuleTexts                                           []string         // texts of Rules, in order
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

// Moderation is an action of staff. The values are stored in the audit log and must stay readable.
type Moderation string

const (
	Warn        Moderation = "none" // only a strike
	Note        Moderation = "note" // only an entry in the log
	Suspend     Moderation = "suspend"
	Unsuspend   Moderation = "unsuspend"
	Silence     Moderation = "silence"
	Unsilence   Moderation = "unsilence"
	Sensitize   Moderation = "sensitive"
	Unsensitize Moderation = "unsensitive"
	Disable     Moderation = "disable"
	Enable      Moderation = "enable"
	Approve     Moderation = "approve"
	Reject      Moderation = "reject"
	GiveRole    Moderation = "role"
	Remove      Moderation = "delete" // of a suspended account, permanently
	EditGroup   Moderation = "edit_group"
	HideTrend   Moderation = "hide_trend" // a tag, link or status is hidden from trends
	ShowTrend   Moderation = "show_trend"

	DeletePosts   Moderation = "delete_statuses"
	MarkSensitive Moderation = "mark_statuses_as_sensitive"
	RemovePicture Moderation = "remove_picture" // of one status
	ApproveAppeal Moderation = "approve_appeal"
	RejectAppeal  Moderation = "reject_appeal"
)

// Strikes reports whether an action creates a strike.
func (m Moderation) Strikes() bool {
	switch m {
	case Warn, Sensitize, Silence, Disable, Suspend, DeletePosts, MarkSensitive, RemovePicture:
		return true
	}
	return false
}

// Staff reports whether a role is a staff role.
func (r Role) Staff() bool { return r >= Moderator }

// Over reports whether a role outranks another: moderators outrank members, and administrators
// everyone.
func (r Role) Over(other Role) bool { return r == Admin || r > other }

// Flag returns the flag of an account that an action sets, and its new value. It returns nil for
// actions without a flag.
func (m Moderation) Flag(u *User) (flag *bool, to bool) {
	switch m {
	case Suspend, Unsuspend:
		return &u.Suspended, m == Suspend
	case Silence, Unsilence:
		return &u.Silenced, m == Silence
	case Sensitize, Unsensitize:
		return &u.Sensitized, m == Sensitize
	case Disable, Enable:
		return &u.Disabled, m == Disable
	case Approve:
		return &u.Unapproved, false
	}
	return nil, false
}

// OnPosts reports whether an action is on posts instead of the account.
func (m Moderation) OnPosts() bool {
	return m == DeletePosts || m == MarkSensitive || m == RemovePicture
}

// Measure is an action of staff on an account or its posts.
type Measure struct {
	On      ID
	Act     Moderation
	Reason  string
	Report  ID    // the report that caused it; 0 for none
	Role    Role  // for GiveRole
	Custom  ID    // for GiveRole: a custom role instead of Role; 0 for none
	Rules   []int // numbers of the broken rules; nil for those of the report
	Posts   []ID  // for actions on posts, all by On; nil for those of the report
	Picture ID    // for RemovePicture
	Email   bool  // e-mail the strike to the owner
}

// Act is an entry of the audit log.
type Act struct {
	ID     ID
	At     time.Time
	By     ID // 0 for a command on the server
	Act    Moderation
	On     ID     // the affected account; 0 for none
	Report ID     // the affected report; 0 for none
	Detail string // plain text, or a message made by wording.Keep
	Reason string
}

// ActView is an entry with its users. They are nil if there are none.
type ActView struct {
	Act
	ByUser, OnUser *UserView
}

// AccountState narrows a list of accounts, in Mastodon's words.
type AccountState string

const (
	AnyState        AccountState = ""
	StateActive     AccountState = "active" // neither pending, disabled, silenced nor suspended
	StatePending    AccountState = "pending"
	StateDisabled   AccountState = "disabled"
	StateSilenced   AccountState = "silenced"
	StateSensitized AccountState = "sensitized" // can be active too
	StateSuspended  AccountState = "suspended"
)

// InState reports whether a user belongs on the list of a state.
func (u *User) InState(s AccountState) bool {
	switch {
	case s == StatePending:
		return u.Unapproved
	case s == StateDisabled:
		return u.Disabled
	case s == StateSilenced:
		return u.Silenced
	case s == StateSensitized:
		return u.Sensitized
	case s == StateSuspended:
		return u.Suspended
	case s == StateActive:
		return !u.Unapproved && !u.Disabled && !u.Silenced && !u.Suspended
	}
	return true
}

// AccountView is an account as moderators see it.
type AccountView struct {
	UserView
	Email string
	// EmailConfirmed reports whether the user has confirmed the address.
	EmailConfirmed bool
	Reason         string // reason given in the request for the account
	InvitedBy      ID     // 0 for none
}

// Limits of strikes.
const (
	MaxStrikes  = 100  // per account; beyond it the oldest is deleted
	MaxExcerpt  = 300  // characters of a post in a strike
	MaxAppeal   = 2000 // characters of an appeal
	MaxModerate = MaxIDsInQuery
)

// Strike is an action of staff against an account, as its owner and the staff can read it.
// https://docs.joinmastodon.org/entities/AccountWarning/
type Strike struct {
	ID      ID // in the shard of On
	On, By  ID // By is 0 for a command on the server
	Act     Moderation
	Text    string       // reason for the owner, one line
	Rules   []BrokenRule // as they were at the time
	Posts   []StruckPost // the posts that the action is about
	Report  ID           // the report that caused it; 0 for none
	Key     string       // secret of the link that opens the strike without a login
	Appeal  *Appeal      // nil for none
	Version uint64
}

// BrokenRule is a rule of the instance in a strike. Numbers change when rules are removed, so the
// text is stored too.
type BrokenRule struct {
	Number int
	Text   string
}

// StruckPost is a post in a strike. It can be deleted.
type StruckPost struct {
	ID      ID
	Excerpt string // beginning of its text
}

// Appeal is the owner's only objection to a strike.
// https://docs.joinmastodon.org/entities/Appeal/
type Appeal struct {
	Text    string
	At      time.Time
	State   AppealState
	By      ID        // the moderator who decided; 0 for none, or for a command on the server
	Decided time.Time // zero while it is pending
}

// AppealState is the state of an appeal. The values are Mastodon's.
type AppealState string

const (
	AppealPending  AppealState = "pending"
	AppealApproved AppealState = "approved"
	AppealRejected AppealState = "rejected"
)

// Pending reports whether the strike has an appeal that no moderator has decided.
func (s *Strike) Pending() bool { return s.Appeal != nil && s.Appeal.State == AppealPending }

// About reports whether the strike is about a post.
func (s *Strike) About(post ID) bool {
	return slices.ContainsFunc(s.Posts, func(p StruckPost) bool { return p.ID == post })
}

// Token returns the part of the link that opens the strike without a login.
func (s *Strike) Token() string { return s.ID.String() + "-" + s.Key }

// Sentence describes the action for the owner.
func (s *Strike) Sentence() string {
	switch s.Act {
	case DeletePosts:
		return "The moderators deleted one or more of your posts."
	case MarkSensitive:
		return "The moderators marked one or more of your posts as sensitive."
	case RemovePicture:
		return "The moderators removed a picture from one of your posts."
	case Sensitize:
		return "The moderators marked all your posts as sensitive."
	case Silence:
		return "The moderators limited the reach of your account."
	case Disable:
		return "The moderators disabled your account."
	case Suspend:
		return "The moderators suspended your account."
	}
	return "The moderators sent you a warning."
}

// StrikeView is a strike as shown. Deleted users are nil.
type StrikeView struct {
	Strike
	OnAccount, ByAccount, DecidedBy *UserView
}
