package web

import "linnet/internal/locale"

// settingsRoot is the list of the sections of settings.
const settingsRoot = "/settings"

// settingsPlaces are the sections of settings.
func settingsPlaces() []placeGroup {
	return []placeGroup{
		{locale.Mark("You"), []place{
			{Path: "/settings/profile", Icon: "person", Text: locale.Mark("Profile"), About: locale.Mark("Name, picture, fields, who finds you, how posts begin"), Words: "bio account public", Settings: profileSettingsList()},
			{Path: tagsPath, Icon: "hash", Text: locale.Mark("Featured tags"), About: locale.Mark("Tags that stand on your profile"), Words: "hashtags", Settings: []setting{{"f-name", locale.Mark("Feature another tag"), "add"}}},
			{Path: securityPath, Icon: "key", Text: locale.Mark("Password and log-in"), About: locale.Mark("Password, passkeys and where you are logged in"), Words: "security login account sign",
				Below: []string{"/settings/password", "/settings/sessions", passkeysPath}, Settings: []setting{
					{"password", locale.Mark("Password"), "change"}, {"passkeys", locale.Mark("Passkeys"), "fingerprint face webauthn key"}, {"sessions", locale.Mark("Where you are logged in"), "sessions devices browsers log out"}}},
			{Path: twoFactorPath, Icon: "lock", Text: locale.Mark("Two-factor log-in"), About: locale.Mark("A code from an app at each log-in"), Words: "2fa totp authenticator security recovery codes mfa", Settings: []setting{{"code", locale.Mark("Code"), ""}}},
			{Path: securityLogPath, Icon: "list", Text: locale.Mark("Security log"), About: locale.Mark("What happened to the access to your account"), Words: "history log-ins activity"},
			{Path: emailPath, Icon: "mail", Text: locale.Mark("E-mail"), About: locale.Mark("Your address, and which mails you get"), Words: "email address mails", Settings: []setting{
				{"f-email", locale.Mark("E-mail address"), "change"}, {"f-password", locale.Mark("Password"), ""}, {"f-login", locale.Mark("Mail at a log-in"), "new browser"}, {"f-digest", locale.Mark("Weekly mail"), "digest summary notifications"}, {"f-reports", locale.Mark("Mail about reports"), "staff moderators"}}},
			{Path: "/settings/apps", Icon: "link", Text: locale.Mark("Apps"), About: locale.Mark("What acts for you until you log it out"), Words: "devices connected applications authorised tokens oauth"},
			{Path: ownInvitesPath, Icon: "plus", Text: locale.Mark("Invitations"), About: locale.Mark("Links by which others can sign up"), Words: "invite friends", Settings: []setting{{"f-uses", locale.Mark("Number of people"), ""}, {"f-expires", locale.Mark("Expires after"), ""}}},
		}},
		{locale.Mark("Reading"), []place{
			{Path: "/settings/appearance", Icon: "brush", Text: locale.Mark("Appearance"), About: locale.Mark("Colours, density, motion and time zone"), Words: "look design display", Settings: []setting{
				{"f-theme", locale.Mark("Colours"), "theme dark light night mode"}, {"f-dense", locale.Mark("Compact layout"), "dense small more"}, {"f-still", locale.Mark("Reduce motion"), "animations still"}, {"f-language", locale.Mark("Language"), "interface translation locale"}, {"f-zone", locale.Mark("Time zone"), "clock hours local utc"}}},
			{Path: "/settings/notifications", Icon: "bell", Text: locale.Mark("Notifications"), About: locale.Mark("Whose notifications you want"), Words: "filter strangers", Settings: []setting{
				{"f-for_not_following", locale.Mark("From people I do not follow"), "strangers"}, {"f-for_not_followers", locale.Mark("From people who do not follow me"), "strangers"},
				{"f-for_new_accounts", locale.Mark("From new accounts"), "young"}, {"f-for_private_mentions", locale.Mark("Private mentions"), "messages direct"}, {"f-for_limited_accounts", locale.Mark("From limited accounts"), "silenced"}}},
			{Path: pushPath, Icon: "speech", Text: locale.Mark("Push notifications"), About: locale.Mark("What this browser shows while no page is open"), Words: "web push device phone alerts", Settings: []setting{
				{"f-alerts", locale.Mark("Notify me of"), "kinds"}, {"f-policy", locale.Mark("From"), "who"}}},
			{Path: filtersPath, Icon: "sliders", Text: locale.Mark("Filters"), About: locale.Mark("Words that are marked or hidden"), Words: "muted words keywords block hide"},
			{Path: "/settings/mutes", Icon: "mute", Text: locale.Mark("Muted people"), About: locale.Mark("Whose posts you do not meet"), Words: "unmute silence"},
			{Path: "/settings/blocks", Icon: "stop", Text: locale.Mark("Blocked people"), About: locale.Mark("Who cannot see or reach you"), Words: "unblock"},
			{Path: followedTagsPath, Icon: "hash", Text: locale.Mark("Followed tags"), About: locale.Mark("Tags whose posts come to your home"), Words: "hashtags", Settings: []setting{{"f-name", locale.Mark("Follow another tag"), "add"}}},
			{Path: "/settings/lists", Icon: "list", Text: locale.Mark("Lists in apps"), About: locale.Mark("Lists that the server makes and apps show"), Words: "feeds", Settings: []setting{{"f-top", locale.Mark("Top"), ""}, {"f-catch_up", locale.Mark("Catch-up"), ""}}},
		}},
		{locale.Mark("Data"), []place{
			{Path: importsPath, Icon: "down", Text: locale.Mark("Import"), About: locale.Mark("Bring posts, follows and lists along"), Words: "csv move archive mastodon twitter upload", Settings: []setting{
				{"f-archive", locale.Mark("Posts"), "archive zip"}, {"f-visibility", locale.Mark("Visibility of the posts"), "public unlisted followers"}, {"f-type", locale.Mark("Import type"), "csv following blocks mutes bookmarks"}, {"f-file", locale.Mark("CSV file"), ""}, {"f-mode", locale.Mark("Mode"), "merge overwrite"}}},
			{Path: exportPath, Icon: "box", Text: locale.Mark("Data export"), About: locale.Mark("Take your archive and lists along"), Words: "backup download csv move"},
			{Path: oldPostsPath, Icon: "clock", Text: locale.Mark("Old posts"), About: locale.Mark("Posts can be deleted by themselves when they are old"), Words: "automatic deletion expire cleanup", Settings: oldPostsSettingsList()},
			{Path: deletePath, Icon: "bin", Text: locale.Mark("Delete account"), About: locale.Mark("Everything of yours goes, for good"), Words: "close remove leave", Settings: []setting{{"password", locale.Mark("Password"), ""}}},
		}},
	}
}

func profileSettingsList() []setting {
	return []setting{
		{"f-avatar", locale.Mark("Picture"), "avatar photo face"}, {"f-header", locale.Mark("Banner"), "header cover"}, {"f-display_name", locale.Mark("Display name"), "nickname"}, {"f-note", locale.Mark("Bio"), "about you description"},
		{"f-name1", locale.Mark("Profile fields"), "links website table label content pronouns verified rel=me"}, {"f-locked", locale.Mark("Approve followers"), "locked private requests decide"}, {"f-bot", locale.Mark("Automated account"), "bot"},
		{"f-discoverable", locale.Mark("Suggest me to others"), "directory discover"}, {"f-indexable", locale.Mark("Include my public posts in search results"), "indexing search engines"},
		{"f-feeds", locale.Mark("Feeds of my public posts"), "rss atom json"}, {"f-hide_network", locale.Mark("Hide whom I follow and who follows me"), "network followers following"},
		{"f-visibility", locale.Mark("New posts are for"), "default visibility audience public unlisted followers"}, {"f-quoters", locale.Mark("Who may quote new posts"), "quotes default"}, {"f-ask_alt", locale.Mark("Ask before posting pictures without a description"), "alt text media accessibility remind"},
		{"f-sensitive", locale.Mark("Hide the media of my posts at first"), "sensitive nsfw default"}, {"f-language", locale.Mark("Language of new posts"), "default"}, {"f-attribution", locale.Mark("Websites that may name you as an author"), "domains author attribution"},
	}
}

func oldPostsSettingsList() []setting {
	return []setting{
		{"f-days", locale.Mark("Delete my posts and boosts"), "age"}, {"f-pinned", locale.Mark("Keep pinned posts"), ""}, {"f-direct", locale.Mark("Keep messages"), ""}, {"f-favourited", locale.Mark("Keep favourites"), ""},
		{"f-bookmarked", locale.Mark("Keep bookmarked posts"), ""}, {"f-polls", locale.Mark("Keep polls"), ""}, {"f-media", locale.Mark("Keep posts with media"), "pictures"}, {"f-favourites", locale.Mark("Keep posts with many favourites"), ""},
		{"f-reposts", locale.Mark("Keep posts boosted often"), ""},
	}
}
