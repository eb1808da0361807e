package web

import (
	"linnet/internal/linnet"
	"linnet/internal/locale"
)

// overviewPath is the overview where it is alone, without the list of sections.
const overviewPath = "/admin/overview"

// adminPlaces are the sections of the administration, with what their readers may do.
func adminPlaces() []placeGroup {
	return []placeGroup{
		{"", []place{
			{Path: overviewPath, Icon: "chart", Text: locale.Mark("Overview"), About: locale.Mark("What needs care, and the last 14 days"), Words: "dashboard statistics charts numbers", needs: linnet.ViewDashboard},
			{Path: startPath, Icon: "check", Text: locale.Mark("First steps"), About: locale.Mark("What makes a new server a place for people"), Words: "begin setup start", needs: linnet.Administrator},
		}},
		{locale.Mark("Moderation"), []place{
			{Path: reportsPath, Icon: "flag", Text: locale.Mark("Reports"), About: locale.Mark("What people have reported"), Words: "complaints abuse spam", needs: linnet.ManageReports},
			{Path: usersPath, Icon: "people", Text: locale.Mark("People"), About: locale.Mark("Accounts and groups, and what can be done to them"), Words: "users members accounts groups suspend silence approve", needs: linnet.ManageUsers},
			{Path: staffInvitesPath, Icon: "mail", Text: locale.Mark("Invitations"), About: locale.Mark("Links by which people sign up"), Words: "invite", needs: linnet.ManageInvites, Settings: []setting{{"f-uses", locale.Mark("Number of people"), ""}, {"f-expires", locale.Mark("Expires after"), ""}}},
			{Path: signUpBlocksPath, Icon: "stop", Text: locale.Mark("Sign-up blocks"), About: locale.Mark("Addresses and names that cannot sign up"), Words: "ip domain email ban rules", needs: linnet.ManageBlocks, Settings: []setting{
				{"f-kind", locale.Mark("What it is about"), ""}, {"f-value", locale.Mark("Address, domain or word"), ""}, {"f-ask", locale.Mark("What happens"), ""}, {"f-expires", locale.Mark("Expires after"), ""}, {"f-note", locale.Mark("Note"), ""}}},
			{Path: "/admin/audit", Icon: "list", Text: locale.Mark("Audit log"), About: locale.Mark("What staff did"), Words: "history acts", needs: linnet.ViewAuditLog},
		}},
		{locale.Mark("Place"), []place{
			{Path: settingsPath, Icon: "home", Text: locale.Mark("About this server"), About: locale.Mark("Name, description, contact, logo and banner"), Words: "settings", needs: linnet.ManageSettings, Below: []string{settingsPath + "/pictures"}, Settings: []setting{
				{"f-title", locale.Mark("Name"), "title"}, {"f-description", locale.Mark("Description"), ""}, {"f-contact", locale.Mark("E-mail address for people"), "contact"}, {"f-contact_user", locale.Mark("Login of the contact"), ""}, {"f-icon", locale.Mark("Logo"), "icon picture"}, {"f-thumbnail", locale.Mark("Banner"), "thumbnail picture"}}},
			{Path: settingsPath + "/rules", Icon: "shield", Text: locale.Mark("Rules and policies"), About: locale.Mark("What new people agree to"), Words: "privacy policy settings", needs: linnet.ManageSettings | linnet.ManageRules, Settings: []setting{
				{"f-rules", locale.Mark("Rules"), ""}, {"f-privacy", locale.Mark("Privacy policy"), "gdpr"}}},
			{Path: settingsPath + "/signup", Icon: "plus", Text: locale.Mark("Sign-up"), About: locale.Mark("Who may sign up, and how"), Words: "registration settings approval open closed", needs: linnet.ManageSettings, Settings: []setting{
				{"f-registrations", locale.Mark("Who may sign up"), "registrations"}, {"f-email_required", locale.Mark("New accounts need an e-mail address"), "confirm"}, {"f-questions", locale.Mark("Questions to whoever signs up"), "captcha spam bots"},
				{"f-invites", locale.Mark("Invitations of members"), "open at a time"}, {"f-invite_uses", locale.Mark("People by one invitation of a member"), ""}, {"f-invite_days", locale.Mark("Days of an invitation of a member"), ""}, {"f-new_days", locale.Mark("Days for which an account is new"), "limits"}}},
			{Path: settingsPath + "/posts", Icon: "pen", Text: locale.Mark("Posts and reading"), About: locale.Mark("Length of posts, trends, previews, privacy"), Words: "settings", needs: linnet.ManageSettings, Settings: []setting{
				{"f-status_chars", locale.Mark("Characters that a post may have"), "length limit"}, {"f-private", locale.Mark("Private"), "hide strangers logged"}, {"f-trends", locale.Mark("Trends"), ""}, {"f-cards", locale.Mark("Previews of links"), "cards verified"}}},
			{Path: settingsPath + "/look", Icon: "brush", Text: locale.Mark("Appearance"), About: locale.Mark("Accent colours and a style sheet of your own"), Words: "theme design css settings look", needs: linnet.ManageSettings, Settings: []setting{
				{"f-accent_light", locale.Mark("Accent colour on light pages"), ""}, {"f-accent_dark", locale.Mark("Accent colour on dark pages"), ""}, {"f-style", locale.Mark("Style sheet of your own"), "css"}}},
			{Path: adminTermsPath, Icon: "quote", Text: locale.Mark("Terms of service"), About: locale.Mark("What people agree to by using this server"), Words: "tos legal", needs: linnet.ManageSettings, Settings: []setting{{"f-effective_date", locale.Mark("In force from"), ""}, {"f-terms", locale.Mark("Text"), ""}}},
			{Path: adminAnnouncementsPath, Icon: "news", Text: locale.Mark("Announcements"), About: locale.Mark("What everybody is told above their home"), Words: "news banner maintenance", needs: linnet.ManageAnnouncements, Settings: []setting{
				{"f-text", locale.Mark("Text"), ""}, {"f-starts_at", locale.Mark("Begins"), ""}, {"f-ends_at", locale.Mark("Ends"), ""}, {"f-all_day", locale.Mark("Whole days"), ""}, {"f-publish", locale.Mark("Publish"), ""}, {"f-published_at", locale.Mark("Published from"), "schedule"}}},
			{Path: emojiPath, Icon: "smile", Text: locale.Mark("Emoji"), About: locale.Mark("Pictures that stand in posts and names"), Words: "custom smileys", needs: linnet.ManageCustomEmojis, Settings: []setting{
				{"f-shortcode", locale.Mark("Shortcode"), ""}, {"f-category", locale.Mark("Category"), ""}, {"f-image", locale.Mark("Picture"), "upload"}, {"f-visible", locale.Mark("Offer it where an emoji is chosen"), ""}}},
		}},
		{locale.Mark("Staff"), []place{
			{Path: rolesPath, Icon: "group", Text: locale.Mark("Roles"), About: locale.Mark("What those who help may do"), Words: "permissions moderators administrators", needs: linnet.ManageRoles, Settings: []setting{
				{"f-name", locale.Mark("Name"), ""}, {"f-colour", locale.Mark("Colour"), ""}, {"f-highlighted", locale.Mark("Show the role on profiles"), ""}}},
			{Path: staffLogInPath, Icon: "key", Text: locale.Mark("Log-in of staff"), About: locale.Mark("What staff need to log in"), Words: "two-factor 2fa passkey security", needs: linnet.ManageRoles, Settings: []setting{{"f-staff_secured", locale.Mark("Staff need two-factor log-in or a passkey"), ""}}},
		}},
		{locale.Mark("Machine"), []place{
			{Path: healthPath, Icon: "warn", Text: locale.Mark("Health"), About: locale.Mark("What the server finds about itself"), Words: "doctor check faults warnings status", needs: linnet.ViewDevops},
			{Path: "/admin/tasks", Icon: "sliders", Text: locale.Mark("Tasks"), About: locale.Mark("Deferred work, and what failed"), Words: "jobs queues failed retry", needs: linnet.ViewDevops},
			{Path: storePath, Icon: "box", Text: locale.Mark("Store"), About: locale.Mark("Where everything lies, backups and e-mail"), Words: "database backup size disk mail smtp", needs: linnet.ViewDevops},
		}},
	}
}
