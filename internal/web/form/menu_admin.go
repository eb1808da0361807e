package form

import (
	"linnet/internal/linnet"
	"linnet/internal/locale"
	"linnet/internal/web/paths"
)

// StaffPermissions returns all permissions that open a page of the administration.
func StaffPermissions() (all linnet.Permission) {
	for _, p := range allItems(AdminItems()) {
		all |= p.Needs
	}
	return all
}

// AdminItems returns the menu items of the administration, with the permissions they need.
func AdminItems() []MenuGroup {
	return []MenuGroup{
		{"", []MenuItem{
			{Path: paths.AdminOverview, Icon: "chart", Text: locale.Mark("Overview"), About: locale.Mark("Open problems, and statistics for the last 14 days"), Words: "dashboard statistics charts numbers", Needs: linnet.ViewDashboard},
			{Path: paths.AdminStart, Icon: "check", Text: locale.Mark("First steps"), About: locale.Mark("Get a new server ready for members"), Words: "begin setup start", Needs: linnet.Administrator},
		}},
		{locale.Mark("Moderation"), []MenuItem{
			{Path: paths.AdminReports, Icon: "flag", Text: locale.Mark("Reports"), About: locale.Mark("Reported accounts and posts"), Words: "complaints abuse spam", Needs: linnet.ManageReports},
			{Path: paths.AdminStrikes, Icon: "speech", Text: locale.Mark("Appeals"), About: locale.Mark("Appeals against moderation decisions"), Words: "strikes warnings objections", Needs: linnet.ManageUsers},
			{Path: paths.AdminUsers, Icon: "people", Text: locale.Mark("People"), About: locale.Mark("Accounts, groups and moderation actions"), Words: "users members accounts groups suspend silence approve", Needs: linnet.ManageUsers},
			{Path: paths.AdminInvites, Icon: "mail", Text: locale.Mark("Invitations"), About: locale.Mark("Links that let people sign up"), Words: "invite", Needs: linnet.ManageInvites, Settings: []setting{{"f-uses", locale.Mark("Maximum uses"), ""}, {"f-expires", locale.Mark("Expires after"), ""}}},
			{Path: paths.AdminSignUpBlocks, Icon: "stop", Text: locale.Mark("Sign-up blocks"), About: locale.Mark("Rules that block sign-ups or require approval"), Words: "ip domain email ban rules", Needs: linnet.ManageBlocks, Settings: []setting{
				{"f-kind", locale.Mark("Rule type"), ""}, {"f-value", locale.Mark("Address, domain or word"), ""}, {"f-ask", locale.Mark("Action"), ""}, {"f-expires", locale.Mark("Expires after"), ""}, {"f-note", locale.Mark("Note"), ""}}},
			{Path: paths.AdminFeeds, Icon: "globe", Text: locale.Mark("External feeds"), About: locale.Mark("Feeds of other sites that members follow here"), Words: "rss atom opml news blogs", Needs: linnet.ManageUsers, Settings: []setting{
				{"f-who", locale.Mark("Who can add feeds"), ""}, {"f-per_member", locale.Mark("Maximum feeds per member"), "limit"}, {"f-total", locale.Mark("Maximum feeds on this server"), "limit"}, {"f-blocked", locale.Mark("Blocked hosts"), "sites domains"}}},
			{Path: "/admin/audit", Icon: "list", Text: locale.Mark("Audit log"), About: locale.Mark("Actions by moderators and administrators"), Words: "history acts", Needs: linnet.ViewAuditLog},
		}},
		{locale.Mark("Settings"), []MenuItem{
			{Path: paths.AdminSettings, Icon: "home", Text: locale.Mark("About this server"), About: locale.Mark("Name, description, contact, logo and banner"), Words: "settings", Needs: linnet.ManageSettings, Below: []string{paths.AdminSettings + "/pictures"}, Settings: []setting{
				{"f-title", locale.Mark("Name"), "title"}, {"f-description", locale.Mark("Description"), ""}, {"f-contact", locale.Mark("Contact e-mail address"), "contact"}, {"f-contact_user", locale.Mark("Contact account"), ""}, {"f-icon", locale.Mark("Logo"), "icon picture"}, {"f-thumbnail", locale.Mark("Banner"), "thumbnail picture"}, {"f-thumbnail_description", locale.Mark("Description of the banner"), "alt text thumbnail"}}},
			{Path: paths.AdminSettings + "/rules", Icon: "shield", Text: locale.Mark("Rules and policies"), About: locale.Mark("Rules and privacy policy of this server"), Words: "privacy policy settings", Needs: linnet.ManageSettings | linnet.ManageRules, Settings: []setting{
				{"f-rules", locale.Mark("Rules"), ""}, {"f-privacy", locale.Mark("Privacy policy"), "gdpr"}}},
			{Path: paths.AdminSettings + "/signup", Icon: "plus", Text: locale.Mark("Sign-up"), About: locale.Mark("Who can sign up, and how"), Words: "registration settings approval open closed", Needs: linnet.ManageSettings, Settings: []setting{
				{"f-registrations", locale.Mark("Who can sign up"), "registrations"}, {"f-email_required", locale.Mark("New accounts need an e-mail address"), "confirm"}, {"f-questions", locale.Mark("Sign-up questions"), "captcha spam bots"},
				{"f-invites", locale.Mark("Members' invitations"), "open at a time"}, {"f-invite_uses", locale.Mark("Maximum uses of a member's invitation"), ""}, {"f-invite_days", locale.Mark("Expiry of a member's invitation"), ""}, {"f-new_days", locale.Mark("How long new accounts have stricter limits"), "limits"}}},
			{Path: paths.AdminSettings + "/posts", Icon: "pen", Text: locale.Mark("Posts and reading"), About: locale.Mark("Post length, trends, link previews, privacy"), Words: "settings", Needs: linnet.ManageSettings, Settings: []setting{
				{"f-status_chars", locale.Mark("Maximum characters per post"), "length limit"}, {"f-private", locale.Mark("Private"), "hide strangers logged"}, {"f-trends", locale.Mark("Trends"), ""}, {"f-cards", locale.Mark("Link previews"), "cards verified"}}},
			{Path: paths.AdminSettings + "/look", Icon: "brush", Text: locale.Mark("Appearance"), About: locale.Mark("Accent colours and custom CSS"), Words: "theme design css settings look", Needs: linnet.ManageSettings, Settings: []setting{
				{"f-accent_light", locale.Mark("Accent colour (light theme)"), ""}, {"f-accent_dark", locale.Mark("Accent colour (dark theme)"), ""}, {"f-style", locale.Mark("Custom CSS"), "css"}}},
			{Path: paths.AdminTerms, Icon: "quote", Text: locale.Mark("Terms of service"), About: locale.Mark("Terms that people accept by using this server"), Words: "tos legal", Needs: linnet.ManageSettings, Settings: []setting{{"f-effective_date", locale.Mark("Effective date"), ""}, {"f-terms", locale.Mark("Text"), ""}}},
			{Path: paths.AdminAnnouncements, Icon: "news", Text: locale.Mark("Announcements"), About: locale.Mark("Messages above everyone's home timeline"), Words: "news banner maintenance", Needs: linnet.ManageAnnouncements, Settings: []setting{
				{"f-text", locale.Mark("Text"), ""}, {"f-starts_at", locale.Mark("Starts"), ""}, {"f-ends_at", locale.Mark("Ends"), ""}, {"f-all_day", locale.Mark("All day"), ""}, {"f-publish", locale.Mark("Publish"), ""}, {"f-published_at", locale.Mark("Publish at"), "schedule"}}},
			{Path: paths.AdminEmoji, Icon: "smile", Text: locale.Mark("Emoji"), About: locale.Mark("Custom emoji for posts and display names"), Words: "custom smileys", Needs: linnet.ManageCustomEmojis, Settings: []setting{
				{"f-shortcode", locale.Mark("Shortcode"), ""}, {"f-category", locale.Mark("Category"), ""}, {"f-image", locale.Mark("Picture"), "upload"}, {"f-visible", locale.Mark("Show in the emoji picker"), ""}}},
		}},
		{locale.Mark("Staff"), []MenuItem{
			{Path: paths.AdminRoles, Icon: "group", Text: locale.Mark("Roles"), About: locale.Mark("Permissions of moderators and other staff"), Words: "permissions moderators administrators", Needs: linnet.ManageRoles, Settings: []setting{
				{"f-name", locale.Mark("Name"), ""}, {"f-colour", locale.Mark("Colour"), ""}, {"f-highlighted", locale.Mark("Show the role on profiles"), ""}}},
			{Path: paths.AdminLogIn, Icon: "key", Text: locale.Mark("Staff login"), About: locale.Mark("Two-factor requirement for staff"), Words: "two-factor 2fa passkey security", Needs: linnet.ManageRoles, Settings: []setting{{"f-staff_secured", locale.Mark("Staff need two-factor authentication or a passkey"), ""}}},
		}},
		{locale.Mark("Server"), []MenuItem{
			{Path: paths.AdminHealth, Icon: "warn", Text: locale.Mark("Health"), About: locale.Mark("Problems with the server or its machine"), Words: "doctor check faults warnings status", Needs: linnet.ViewDevops},
			{Path: "/admin/tasks", Icon: "sliders", Text: locale.Mark("Tasks"), About: locale.Mark("Background tasks, including failed ones"), Words: "jobs queues failed retry", Needs: linnet.ViewDevops},
			{Path: paths.AdminStore, Icon: "box", Text: locale.Mark("Store"), About: locale.Mark("Store, backups and e-mail"), Words: "database backup size disk mail smtp", Needs: linnet.ViewDevops},
		}},
	}
}
