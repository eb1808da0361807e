package linnet

// Limits of texts and requests. The instance document contains the ones that clients need.
const (
	StatusChars        = 500 // of a status by default; see Instance.StatusChars
	MinStatusChars     = 100 // that an instance can set
	MaxStatusChars     = 4000
	MaxStatusBytes     = 16 << 10
	URLChars           = 23
	MaxMentions        = 50
	MaxTags            = 50
	MaxLogin           = 30
	MaxDisplayName     = 40
	MaxNote            = 500
	MaxProfileFields   = 4
	MaxFieldChars      = 255
	MinPassword        = 8
	MaxPassword        = 128 // bytes
	MaxListTitle       = 255
	MaxLists           = 100    // per user
	MaxListMembers     = 5000   // per list
	MaxFollowing       = 7500   // per user
	MaxFollowLanguages = 25     // per follow
	MaxNarrowed        = 500    // follows with languages, per user
	MaxBlocks          = 10_000 // per user
	MaxMutes           = 10_000 // per user
	MaxFollowRequests  = 1000   // pending, per requesting user
	MaxIDsInQuery      = 40
	MaxNotifications   = 2000 // stored per user
	DefaultUnread      = 100  // unread notifications counted by default
	MaxUnread          = 1000
	MaxConversations   = 10_000 // stored per user; older ones are deleted
	MaxConversation    = 500    // approximate number of statuses stored per conversation; older ones are deleted
	MaxThreadAncestors = 40     // without a login
	MaxThreadStatuses  = 200    // descendants without a login
	MaxThreadReader    = 4096   // descendants with a login
	MaxThreadDepth     = 400    // levels up and down, with a login
	MaxAppName         = 100
	MaxAppRedirects    = 20
	MaxURL             = 2000
	MaxIdempotencyKey  = 200
	MaxInvites         = 1000   // stored
	MaxInviteUses      = 10_000 // per invitation
	MaxMemberInvites   = 20     // that an instance can let a member have open simultaneously
	MemberInviteUses   = 5      // per invitation of a member, by default
	MaxMemberUses      = 100    // that an instance can set
	MemberInviteDays   = 30     // of an invitation of a member, by default
	MaxMemberDays      = 365    // that an instance can set
	MemberInvitesADay  = 20     // created by a member
	MaxSignUpReason    = 420    // characters, as in Mastodon
	MaxRules           = 50
	MaxSessionsShown   = 100  // newest logins and apps of a user
	MaxPasskeys        = 20   // per user
	MaxPasskeyName     = 50   // characters
	MaxPins            = 5    // pinned statuses on a profile
	MaxFeaturedTags    = 10   // on a profile
	MaxPersonNote      = 2000 // private note about a user
	MaxAttribution     = 20   // domains that can name a user as an author
	MaxRuleChars       = 300
	MaxPrivacy         = 20_000 // characters of the privacy policy
	MaxTerms           = 20_000 // characters of terms of service
	MaxTermsVersions   = 50     // terms of service of different days
	MaxDescription     = 2000
	MaxStyle           = 20_000 // bytes of a custom style sheet
	MaxReason          = 1000   // of a report or moderation
	MaxDirectory       = 1000   // users that the directory shows in an order
	MaxTagRules        = 500    // restricted tags of the server
	MaxTagQuery        = 4      // tags in each of any, all, none
	MaxFilters         = 100    // per user
	MaxFilterTitle     = 256
	MaxFilterKeywords  = 200 // per filter
	MaxFilterKeyword   = 512
	MaxFilterStatuses  = 200      // per filter
	MaxFiltersBytes    = 64 << 10 // all filters of a user, as stored

	MaxCollections           = 10  // per user
	MaxCollectionItems       = 25  // accounts shown by a collection
	MaxCollectionRevoked     = 200 // accounts that have left a collection
	MaxCollectionName        = 40
	MaxCollectionDescription = 100
	MaxCollectionsFound      = 1000 // newest discoverable ones, for Explore

	MaxGroupsOwned  = 20   // per user
	MaxGroupsJoined = 500  // per user
	MaxGroupStaff   = 40   // owners and moderators per group
	MaxChatMembers  = 200  // per chat
	MaxGroupInvites = 100  // simultaneously
	MaxGroupOffers  = 1000 // pending invitations, per group
	MaxOffersShown  = 100  // pending invitations of a user to groups

	// Limits of new accounts, which are younger than DefaultNewDays by default.
	DefaultNewDays    = 3
	MaxNewDays        = 30
	NewPostsAnHour    = 40
	NewMentionsAnHour = 20 // to people who don't follow the author
	NewFollowsAnHour  = 60

	DefaultPage  = 20
	MaxPage      = 40
	MaxUsersPage = 80
)
