package web

import "linnet/internal/linnet"

// overviewPath is the overview where it is alone, without the list of sections.
const overviewPath = "/admin/overview"

// adminPlaces are the sections of the administration, with what their readers may do.
func adminPlaces() []placeGroup {
	return []placeGroup{
		{"", []place{
			{Path: overviewPath, Icon: "chart", Text: "Overview", About: "What needs care, and the last 14 days", Words: "dashboard statistics charts numbers", needs: linnet.ViewDashboard},
			{Path: startPath, Icon: "check", Text: "First steps", About: "What makes a new server a place for people", Words: "begin setup start", needs: linnet.Administrator},
		}},
		{"Moderation", []place{
			{Path: reportsPath, Icon: "flag", Text: "Reports", About: "What people have reported", Words: "complaints abuse spam", needs: linnet.ManageReports},
			{Path: usersPath, Icon: "people", Text: "People", About: "Accounts and groups, and what can be done to them", Words: "users members accounts groups suspend silence approve", needs: linnet.ManageUsers},
			{Path: staffInvitesPath, Icon: "mail", Text: "Invitations", About: "Links by which people sign up", Words: "invite", needs: linnet.ManageInvites, Settings: []setting{{"f-uses", "Number of people", ""}, {"f-expires", "Expires after", ""}}},
			{Path: signUpBlocksPath, Icon: "stop", Text: "Sign-up blocks", About: "Addresses and names that cannot sign up", Words: "ip domain email ban rules", needs: linnet.ManageBlocks, Settings: []setting{
				{"f-kind", "What it is about", ""}, {"f-value", "Address, domain or word", ""}, {"f-ask", "What happens", ""}, {"f-expires", "Expires after", ""}, {"f-note", "Note", ""}}},
			{Path: "/admin/audit", Icon: "list", Text: "Audit log", About: "What staff did", Words: "history acts", needs: linnet.ViewAuditLog},
		}},
		{"Place", []place{
			{Path: settingsPath, Icon: "home", Text: "About this server", About: "Name, description, contact, logo and banner", Words: "settings", needs: linnet.ManageSettings, Below: []string{settingsPath + "/pictures"}, Settings: []setting{
				{"f-title", "Name", "title"}, {"f-description", "Description", ""}, {"f-contact", "E-mail address for people", "contact"}, {"f-contact_user", "Login of the contact", ""}, {"f-icon", "Logo", "icon picture"}, {"f-thumbnail", "Banner", "thumbnail picture"}}},
			{Path: settingsPath + "/rules", Icon: "shield", Text: "Rules and policies", About: "What new people agree to", Words: "privacy policy settings", needs: linnet.ManageSettings | linnet.ManageRules, Settings: []setting{
				{"f-rules", "Rules", ""}, {"f-privacy", "Privacy policy", "gdpr"}}},
			{Path: settingsPath + "/signup", Icon: "plus", Text: "Sign-up", About: "Who may sign up, and how", Words: "registration settings approval open closed", needs: linnet.ManageSettings, Settings: []setting{
				{"f-registrations", "Who may sign up", "registrations"}, {"f-email_required", "New accounts need an e-mail address", "confirm"}, {"f-questions", "Questions to whoever signs up", "captcha spam bots"},
				{"f-invites", "Invitations of members", "open at a time"}, {"f-invite_uses", "People by one invitation of a member", ""}, {"f-invite_days", "Days of an invitation of a member", ""}, {"f-new_days", "Days for which an account is new", "limits"}}},
			{Path: settingsPath + "/posts", Icon: "pen", Text: "Posts and reading", About: "Length of posts, trends, previews, privacy", Words: "settings", needs: linnet.ManageSettings, Settings: []setting{
				{"f-status_chars", "Characters that a post may have", "length limit"}, {"f-private", "Private", "hide strangers logged"}, {"f-trends", "Trends", ""}, {"f-cards", "Previews of links", "cards"}}},
			{Path: settingsPath + "/look", Icon: "brush", Text: "Appearance", About: "Accent colours and a style sheet of your own", Words: "theme design css settings look", needs: linnet.ManageSettings, Settings: []setting{
				{"f-accent_light", "Accent colour on light pages", ""}, {"f-accent_dark", "Accent colour on dark pages", ""}, {"f-style", "Style sheet of your own", "css"}}},
			{Path: adminTermsPath, Icon: "quote", Text: "Terms of service", About: "What people agree to by using this server", Words: "tos legal", needs: linnet.ManageSettings, Settings: []setting{{"f-effective_date", "In force from", ""}, {"f-terms", "Text", ""}}},
			{Path: adminAnnouncementsPath, Icon: "news", Text: "Announcements", About: "What everybody is told above their home", Words: "news banner maintenance", needs: linnet.ManageAnnouncements, Settings: []setting{
				{"f-text", "Text", ""}, {"f-starts_at", "Begins", ""}, {"f-ends_at", "Ends", ""}, {"f-all_day", "Whole days", ""}, {"f-publish", "Publish", ""}, {"f-published_at", "Published from", "schedule"}}},
			{Path: emojiPath, Icon: "smile", Text: "Emoji", About: "Pictures that stand in posts and names", Words: "custom smileys", needs: linnet.ManageCustomEmojis, Settings: []setting{
				{"f-shortcode", "Shortcode", ""}, {"f-category", "Category", ""}, {"f-image", "Picture", "upload"}, {"f-visible", "Offer it where an emoji is chosen", ""}}},
		}},
		{"Staff", []place{
			{Path: rolesPath, Icon: "group", Text: "Roles", About: "What those who help may do", Words: "permissions moderators administrators", needs: linnet.ManageRoles, Settings: []setting{
				{"f-name", "Name", ""}, {"f-colour", "Colour", ""}, {"f-highlighted", "Show the role on profiles", ""}}},
			{Path: staffLogInPath, Icon: "key", Text: "Log-in of staff", About: "What staff need to log in", Words: "two-factor 2fa passkey security", needs: linnet.ManageRoles, Settings: []setting{{"f-staff_secured", "Staff need two-factor log-in or a passkey", ""}}},
		}},
		{"Machine", []place{
			{Path: healthPath, Icon: "warn", Text: "Health", About: "What the server finds about itself", Words: "doctor check faults warnings status", needs: linnet.ViewDevops},
			{Path: "/admin/tasks", Icon: "sliders", Text: "Tasks", About: "Deferred work, and what failed", Words: "jobs queues failed retry", needs: linnet.ViewDevops},
			{Path: storePath, Icon: "box", Text: "Store", About: "Where everything lies, backups and e-mail", Words: "database backup size disk mail smtp", needs: linnet.ViewDevops},
		}},
	}
}
