package form

import (
	"linnet/internal/locale"
	"linnet/internal/web/paths"
)

// SettingsItems returns the menu items of the settings.
func SettingsItems() []MenuGroup {
	return []MenuGroup{
		{locale.Mark("You"), []MenuItem{
			{Path: "/settings/profile", Icon: "person", Text: locale.Mark("Profile"), About: locale.Mark("Name, picture, fields, discovery, posting defaults"), Words: "bio account public", Settings: []setting{
				{"f-avatar", locale.Mark("Picture"), "avatar photo face"}, {"f-header", locale.Mark("Banner"), "header cover"}, {"f-avatar_description", locale.Mark("Description of the picture"), "alt text avatar"}, {"f-header_description", locale.Mark("Description of the banner"), "alt text header"}, {"f-display_name", locale.Mark("Display name"), "nickname"}, {"f-note", locale.Mark("Bio"), "about you description"},
				{"f-name1", locale.Mark("Profile fields"), "links website table label content pronouns verified rel=me"}, {"f-locked", locale.Mark("Approve follow requests"), "locked private requests decide"}, {"f-bot", locale.Mark("Automated account (bot)"), "bot"},
				{"f-discoverable", locale.Mark("Suggest your account to others"), "directory discover"}, {"f-indexable", locale.Mark("Include your public posts in search results"), "indexing search engines"},
				{"f-feeds", locale.Mark("RSS, Atom and JSON feeds of your public posts"), "rss atom json"}, {"f-show_media", locale.Mark("Show the media tab"), "tab pictures hide"}, {"f-show_media_replies", locale.Mark("Include replies in the media tab"), "tab"}, {"f-show_featured", locale.Mark("Show featured hashtags, accounts and collections"), "tab hide"},
				{"f-hide_network", locale.Mark("Hide who you follow and who follows you"), "network followers following"},
				{"f-visibility", locale.Mark("Default visibility"), "default visibility audience public unlisted followers"}, {"f-quoters", locale.Mark("Who can quote new posts"), "quotes default"}, {"f-ask_alt", locale.Mark("Show a reminder before posting media without descriptions"), "alt text media accessibility remind"},
				{"f-undo_send", locale.Mark("Delay sending by 10 seconds so that you can undo"), "undo send delay wait post mistake"},
				{"f-sensitive", locale.Mark("Mark your media as sensitive"), "sensitive nsfw default"}, {"f-language", locale.Mark("Posting language"), "default"}, {"f-attribution", locale.Mark("Websites that can credit you as the author"), "domains author attribution"},
			}},
			{Path: paths.FeaturedTags, Icon: "hash", Text: locale.Mark("Featured hashtags"), About: locale.Mark("Hashtags shown on your profile"), Words: "hashtags", Settings: []setting{{"f-name", locale.Mark("Feature another hashtag"), "add"}}},
			{Path: paths.Security, Icon: "key", Text: locale.Mark("Password and security"), About: locale.Mark("Password, passkeys and sessions"), Words: "security login account sign",
				Below: []string{"/settings/password", "/settings/sessions", paths.Passkeys}, Settings: []setting{
					{"password", locale.Mark("Password"), "change"}, {"passkeys", locale.Mark("Passkeys"), "fingerprint face webauthn key"}, {"sessions", locale.Mark("Sessions"), "sessions devices browsers log out"}}},
			{Path: paths.TwoFactor, Icon: "lock", Text: locale.Mark("Two-factor authentication"), About: locale.Mark("Require a code from an app when you log in with your password"), Words: "2fa totp authenticator security recovery codes mfa", Settings: []setting{{"code", locale.Mark("Code"), ""}}},
			{Path: paths.SecurityLog, Icon: "list", Text: locale.Mark("Security log"), About: locale.Mark("Logins and changes to your account"), Words: "history log-ins activity"},
			{Path: paths.Email, Icon: "mail", Text: locale.Mark("E-mail"), About: locale.Mark("Your address, and which e-mails you get"), Words: "email address mails", Settings: []setting{
				{"f-email", locale.Mark("E-mail address"), "change"}, {"f-password", locale.Mark("Password"), ""}, {"f-login", locale.Mark("E-mails about logins"), "new browser"}, {"f-digest", locale.Mark("Weekly summary"), "digest summary notifications"}, {"f-reports", locale.Mark("E-mails about reports"), "staff moderators"}}},
			{Path: paths.Strikes, Icon: "shield", Text: locale.Mark("Account status"), About: locale.Mark("Moderation decisions and your appeals"), Words: "strikes warnings appeal moderation suspended"},
			{Path: "/settings/apps", Icon: "link", Text: locale.Mark("Apps"), About: locale.Mark("Apps with access to your account"), Words: "devices connected applications authorised tokens oauth"},
			{Path: paths.Invites, Icon: "plus", Text: locale.Mark("Invitations"), About: locale.Mark("Links that let other people sign up"), Words: "invite friends", Settings: []setting{{"f-uses", locale.Mark("Maximum uses"), ""}, {"f-expires", locale.Mark("Expires after"), ""}}},
		}},
		{locale.Mark("Reading"), []MenuItem{
			{Path: "/settings/appearance", Icon: "brush", Text: locale.Mark("Appearance"), About: locale.Mark("Theme, layout, motion and time zone"), Words: "look design display", Settings: []setting{
				{"f-theme", locale.Mark("Theme"), "theme dark light night mode"}, {"f-dense", locale.Mark("Compact layout"), "dense small more"}, {"f-still", locale.Mark("Reduce motion"), "animations still"}, {"f-endless", locale.Mark("Load older posts automatically"), "scroll endless infinite pages"}, {"f-language", locale.Mark("Language"), "interface translation locale"}, {"f-zone", locale.Mark("Time zone"), "clock hours local utc"}}},
			{Path: "/settings/notifications", Icon: "bell", Text: locale.Mark("Notifications"), About: locale.Mark("Choose whose notifications you get"), Words: "filter strangers", Settings: []setting{
				{"f-for_not_following", locale.Mark("From people you don't follow"), "strangers"}, {"f-for_not_followers", locale.Mark("From people who don't follow you"), "strangers"},
				{"f-for_new_accounts", locale.Mark("From new accounts"), "young"}, {"f-for_private_mentions", locale.Mark("Private mentions"), "messages direct"}, {"f-for_bots", locale.Mark("From automated accounts (bots)"), "bots"}, {"f-for_limited_accounts", locale.Mark("From silenced accounts"), "silenced"}}},
			{Path: paths.Push, Icon: "speech", Text: locale.Mark("Push notifications"), About: locale.Mark("Notifications on this device, even when this site isn't open"), Words: "web push device phone alerts", Settings: []setting{
				{"f-alerts", locale.Mark("Notify me about"), "kinds"}, {"f-policy", locale.Mark("First post"), "who"}}},
			{Path: paths.Filters, Icon: "sliders", Text: locale.Mark("Filters"), About: locale.Mark("Hide posts with certain words"), Words: "muted words keywords block hide hidden"},
			{Path: "/settings/mutes", Icon: "mute", Text: locale.Mark("Muted accounts"), About: locale.Mark("Accounts whose posts you don't see"), Words: "unmute silence"},
			{Path: "/settings/blocks", Icon: "stop", Text: locale.Mark("Blocked accounts"), About: locale.Mark("Accounts that can't see or contact you"), Words: "unblock"},
			{Path: paths.FollowedTags, Icon: "hash", Text: locale.Mark("Followed hashtags"), About: locale.Mark("Hashtags that appear in your home timeline"), Words: "hashtags", Settings: []setting{{"f-name", locale.Mark("Follow another hashtag"), "add"}}},
			{Path: "/settings/lists", Icon: "list", Text: locale.Mark("Lists in apps"), About: locale.Mark("Built-in lists that appear in apps"), Words: "feeds", Settings: []setting{{"f-top", locale.Mark("Top"), ""}, {"f-catch_up", locale.Mark("Catch-up"), ""}}},
		}},
		{locale.Mark("Data"), []MenuItem{
			{Path: paths.Imports, Icon: "down", Text: locale.Mark("Import"), About: locale.Mark("Import posts, follows and lists"), Words: "csv opml rss move archive mastodon twitter upload", Settings: []setting{
				{"f-archive", locale.Mark("Posts"), "archive zip"}, {"f-visibility", locale.Mark("Post visibility"), "public unlisted followers"}, {"f-type", locale.Mark("Import type"), "csv following blocks mutes bookmarks"}, {"f-file", locale.Mark("CSV file"), ""}, {"f-mode", locale.Mark("Mode"), "merge overwrite"},
				{"f-opml", locale.Mark("OPML file"), "feeds rss reader"}}},
			{Path: paths.Export, Icon: "box", Text: locale.Mark("Data export"), About: locale.Mark("Download your posts and lists"), Words: "backup download csv opml move"},
			{Path: paths.OldPosts, Icon: "clock", Text: locale.Mark("Old posts"), About: locale.Mark("Delete old posts automatically"), Words: "automatic deletion expire cleanup", Settings: []setting{
				{"f-days", locale.Mark("Delete your posts and boosts"), "age"}, {"f-pinned", locale.Mark("Keep pinned posts"), ""}, {"f-direct", locale.Mark("Keep direct messages"), ""}, {"f-favourited", locale.Mark("Keep posts you've favourited"), ""},
				{"f-bookmarked", locale.Mark("Keep posts you've bookmarked"), ""}, {"f-polls", locale.Mark("Keep polls"), ""}, {"f-media", locale.Mark("Keep posts with media"), "pictures"}, {"f-favourites", locale.Mark("Keep posts with many favourites"), ""},
				{"f-reposts", locale.Mark("Keep posts with many boosts"), ""},
			}},
			{Path: paths.DeleteAccount, Icon: "bin", Text: locale.Mark("Delete account"), About: locale.Mark("Permanently delete your account and posts"), Words: "close remove leave", Settings: []setting{{"password", locale.Mark("Password"), ""}}},
		}},
	}
}
