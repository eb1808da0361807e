package web

// settingsRoot is the list of the sections of settings.
const settingsRoot = "/settings"

// settingsPlaces are the sections of settings.
func settingsPlaces() []placeGroup {
	return []placeGroup{
		{"You", []place{
			{Path: "/settings/profile", Icon: "person", Text: "Profile", About: "Name, picture, fields, who finds you, how posts begin", Words: "bio account public", Settings: profileSettingsList()},
			{Path: tagsPath, Icon: "hash", Text: "Featured tags", About: "Tags that stand on your profile", Words: "hashtags", Settings: []setting{{"f-name", "Feature another tag", "add"}}},
			{Path: securityPath, Icon: "key", Text: "Password and log-in", About: "Password, passkeys and where you are logged in", Words: "security login account sign",
				Below: []string{"/settings/password", "/settings/sessions", passkeysPath}, Settings: []setting{
					{"password", "Password", "change"}, {"passkeys", "Passkeys", "fingerprint face webauthn key"}, {"sessions", "Where you are logged in", "sessions devices browsers log out"}}},
			{Path: twoFactorPath, Icon: "lock", Text: "Two-factor log-in", About: "A code from an app at each log-in", Words: "2fa totp authenticator security recovery codes mfa", Settings: []setting{{"code", "Code", ""}}},
			{Path: securityLogPath, Icon: "list", Text: "Security log", About: "What happened to the access to your account", Words: "history log-ins activity"},
			{Path: emailPath, Icon: "mail", Text: "E-mail", About: "Your address, and which mails you get", Words: "email address mails", Settings: []setting{
				{"f-email", "E-mail address", "change"}, {"f-password", "Password", ""}, {"f-login", "Mail at a log-in", "new browser"}, {"f-digest", "Weekly mail", "digest summary notifications"}, {"f-reports", "Mail about reports", "staff moderators"}}},
			{Path: "/settings/apps", Icon: "link", Text: "Apps", About: "What acts for you until you log it out", Words: "devices connected applications authorised tokens oauth"},
			{Path: ownInvitesPath, Icon: "plus", Text: "Invitations", About: "Links by which others can sign up", Words: "invite friends", Settings: []setting{{"f-uses", "Number of people", ""}, {"f-expires", "Expires after", ""}}},
		}},
		{"Reading", []place{
			{Path: "/settings/appearance", Icon: "brush", Text: "Appearance", About: "Colours, density, motion and time zone", Words: "look design display", Settings: []setting{
				{"f-theme", "Colours", "theme dark light night mode"}, {"f-dense", "Compact layout", "dense small more"}, {"f-still", "Reduce motion", "animations still"}, {"f-zone", "Time zone", "clock hours local utc"}}},
			{Path: "/settings/notifications", Icon: "bell", Text: "Notifications", About: "Whose notifications you want", Words: "filter strangers", Settings: []setting{
				{"f-for_not_following", "From people I do not follow", "strangers"}, {"f-for_not_followers", "From people who do not follow me", "strangers"},
				{"f-for_new_accounts", "From new accounts", "young"}, {"f-for_private_mentions", "Private mentions", "messages direct"}, {"f-for_limited_accounts", "From limited accounts", "silenced"}}},
			{Path: pushPath, Icon: "speech", Text: "Push notifications", About: "What this browser shows while no page is open", Words: "web push device phone alerts", Settings: []setting{
				{"f-alerts", "Notify me of", "kinds"}, {"f-policy", "From", "who"}}},
			{Path: filtersPath, Icon: "sliders", Text: "Filters", About: "Words that are marked or hidden", Words: "muted words keywords block hide"},
			{Path: "/settings/mutes", Icon: "mute", Text: "Muted people", About: "Whose posts you do not meet", Words: "unmute silence"},
			{Path: "/settings/blocks", Icon: "stop", Text: "Blocked people", About: "Who cannot see or reach you", Words: "unblock"},
			{Path: followedTagsPath, Icon: "hash", Text: "Followed tags", About: "Tags whose posts come to your home", Words: "hashtags", Settings: []setting{{"f-name", "Follow another tag", "add"}}},
			{Path: "/settings/lists", Icon: "list", Text: "Lists in apps", About: "Lists that the server makes and apps show", Words: "feeds", Settings: []setting{{"f-top", "Top", ""}, {"f-catch_up", "Catch-up", ""}}},
		}},
		{"Data", []place{
			{Path: importsPath, Icon: "down", Text: "Import", About: "Bring posts, follows and lists along", Words: "csv move archive mastodon twitter upload", Settings: []setting{
				{"f-archive", "Posts", "archive zip"}, {"f-type", "Import type", "csv following blocks mutes bookmarks"}, {"f-file", "CSV file", ""}, {"f-mode", "Mode", "merge overwrite"}}},
			{Path: exportPath, Icon: "box", Text: "Data export", About: "Take your archive and lists along", Words: "backup download csv move"},
			{Path: oldPostsPath, Icon: "clock", Text: "Old posts", About: "Posts can be deleted by themselves when they are old", Words: "automatic deletion expire cleanup", Settings: oldPostsSettingsList()},
			{Path: deletePath, Icon: "bin", Text: "Delete account", About: "Everything of yours goes, for good", Words: "close remove leave", Settings: []setting{{"password", "Password", ""}}},
		}},
	}
}

func profileSettingsList() []setting {
	return []setting{
		{"f-avatar", "Picture", "avatar photo face"}, {"f-header", "Banner", "header cover"}, {"f-display_name", "Display name", "nickname"}, {"f-note", "Bio", "about you description"},
		{"f-name1", "Profile fields", "links website table label content pronouns"}, {"f-locked", "Approve followers", "locked private requests decide"}, {"f-bot", "Automated account", "bot"},
		{"f-discoverable", "Suggest me to others", "directory discover"}, {"f-indexable", "Include my public posts in search results", "indexing search engines"},
		{"f-feeds", "Feeds of my public posts", "rss atom json"}, {"f-hide_network", "Hide whom I follow and who follows me", "network followers following"},
		{"f-visibility", "New posts are for", "default visibility audience public unlisted followers"}, {"f-quoters", "Who may quote new posts", "quotes default"}, {"f-ask_alt", "Ask before posting pictures without a description", "alt text media accessibility remind"},
		{"f-sensitive", "Hide the media of my posts at first", "sensitive nsfw default"}, {"f-language", "Language of new posts", "default"}, {"f-attribution", "Websites that may name you as an author", "domains author attribution"},
	}
}

func oldPostsSettingsList() []setting {
	return []setting{
		{"f-days", "Delete my posts and boosts", "age"}, {"f-pinned", "Keep pinned posts", ""}, {"f-direct", "Keep messages", ""}, {"f-favourited", "Keep favourites", ""},
		{"f-bookmarked", "Keep bookmarked posts", ""}, {"f-polls", "Keep polls", ""}, {"f-media", "Keep posts with media", "pictures"}, {"f-favourites", "Keep posts with many favourites", ""},
		{"f-reposts", "Keep posts boosted often", ""},
	}
}
