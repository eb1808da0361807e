package linnet

// Limits of what people type and of how much a request may ask for. The
// instance document announces those that clients count with.
const (
	StatusChars        = 500 // of a status where nothing else is set; see Instance.StatusChars
	MinStatusChars     = 100 // that an installation sets
	MaxStatusChars     = 4000
	MaxStatusBytes     = 16 << 10
	URLChars           = 23
	MaxMentions        = 50
	MaxTags            = 50
	MaxLogin           = 30
	MaxDisplayName     = 30
	MaxNote            = 500
	MaxProfileFields   = 4
	MaxFieldChars      = 255
	MinPassword        = 8
	MaxPassword        = 128 // bytes
	MaxEmail           = 254
	MaxListTitle       = 255
	MaxLists           = 100    // per user
	MaxListMembers     = 5000   // per list
	MaxFollowing       = 7500   // per user
	MaxFollowLanguages = 25     // named for one follow
	MaxNarrowed        = 500    // follows for which languages are named, per user
	MaxBlocks          = 10_000 // per user
	MaxMutes           = 10_000 // per user
	MaxFollowRequests  = 1000   // not answered yet, per user who asks
	MaxIDsInQuery      = 40
	MaxNotifications   = 2000 // kept per user
	DefaultUnread      = 100  // unread notifications counted if nothing else is asked for
	MaxUnread          = 1000
	MaxConversations   = 10_000 // kept per user, the latest
	MaxConversation    = 500    // statuses kept per conversation, about; the newest
	MaxThreadAncestors = 40     // for nobody
	MaxThreadStatuses  = 200    // descendants for nobody
	MaxThreadReader    = 4096   // descendants for somebody who is logged in
	MaxThreadDepth     = 400    // levels up, and down, for somebody who is logged in
	MaxAppName         = 100
	MaxAppRedirects    = 20
	MaxURL             = 2000
	MaxIdempotencyKey  = 200
	MaxInvites         = 1000   // kept
	MaxInviteUses      = 10_000 // per invitation
	MaxMemberInvites   = 20     // that an installation lets a member have open at a time
	MemberInviteUses   = 5      // per invitation of a member, where nothing else is set
	MaxMemberUses      = 100    // that an installation sets
	MemberInviteDays   = 30     // that an invitation of a member is good, where nothing else is set
	MaxMemberDays      = 365    // that an installation sets
	MemberInvitesADay  = 20     // made by a member
	MaxSignUpReason    = 420    // characters; Mastodon's
	MaxRules           = 50
	MaxSessionsShown   = 100  // the latest of a user's log-ins and apps
	MaxPasskeys        = 20   // of a user
	MaxPasskeyName     = 50   // characters
	MaxPins            = 5    // statuses on top of a profile
	MaxFeaturedTags    = 10   // on a profile
	MaxPersonNote      = 2000 // a note about somebody, for oneself
	MaxAttribution     = 20   // domains that may name a user as an author
	MaxRuleChars       = 300
	MaxPrivacy         = 20_000 // characters of the privacy policy
	MaxTerms           = 20_000 // characters of terms of service
	MaxTermsKept       = 50     // terms of service of different days
	MaxDescription     = 2000
	MaxStyle           = 20_000 // bytes of an installation's own style sheet
	MaxReason          = 1000   // of a report, an act of moderation
	MaxDirectory       = 1000   // people that the directory shows in an order
	MaxTagQuery        = 4      // tags in each of any, all, none
	MaxFilters         = 100    // per user
	MaxFilterTitle     = 256
	MaxFilterKeywords  = 200 // per filter
	MaxFilterKeyword   = 512
	MaxFilterStatuses  = 200      // per filter
	MaxFiltersBytes    = 64 << 10 // all filters of a user together, as they are kept

	MaxGroupsOwned  = 20   // per user
	MaxGroupsJoined = 500  // per user
	MaxGroupStaff   = 40   // owners, and moderators, per group
	MaxChatMembers  = 200  // per chat
	MaxGroupInvites = 100  // at a time
	MaxGroupOffers  = 1000 // invitations not answered yet, per group
	MaxOffersShown  = 100  // of the invitations that somebody has

	// Of accounts younger than the installation's number of days, which is
	// DefaultNewDays if nothing else is set.
	DefaultNewDays    = 3
	MaxNewDays        = 30
	NewPostsAnHour    = 40
	NewMentionsAnHour = 20 // of people who do not follow the author
	NewFollowsAnHour  = 60

	DefaultPage  = 20
	MaxPage      = 40
	MaxUsersPage = 80
)
