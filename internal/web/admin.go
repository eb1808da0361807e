package web

import (
	"net/http"
	"strconv"
	"time"

	"linnet/internal/linnet"
	"linnet/internal/moderation"
)

// The pages of moderators and administrators. To everybody else they are not
// there.

const adminPath = "/admin"

func adminRoutes() []route {
	return []route{
		{pattern: adminPath, get: staff((*call).overview)},
		{pattern: "/admin/users", get: staff((*call).users)},
		{pattern: "/admin/users/{login}", get: staff((*call).user)},
		{pattern: "/admin/users/{login}/{act}", get: staff((*call).userActForm), post: staff((*call).userAct)},
		{pattern: "/admin/reports", get: staff((*call).reports)},
		{pattern: "/admin/reports/{id}", get: staff((*call).staffReport), post: staff((*call).changeReport)},
		{pattern: "/admin/audit", get: staff((*call).auditLog)},
		{pattern: "/admin/tasks", get: admin((*call).tasks), post: admin((*call).resolveTask)},
		{pattern: healthPath, get: admin((*call).health)},
		{pattern: "/admin/store", get: admin((*call).store), post: admin((*call).backUp)},
		{pattern: adminAnnouncementsPath, get: admin((*call).adminAnnouncements), post: admin((*call).writeAnnouncement)},
		{pattern: adminAnnouncementsPath + "/{id}", get: admin((*call).adminAnnouncement), post: admin((*call).changeAnnouncement)},
		{pattern: emojiPath, get: admin((*call).adminEmojis), post: admin((*call).addEmoji)},
		{pattern: emojiPath + "/{code}", get: admin((*call).adminEmoji), post: admin((*call).changeEmoji)},
		{pattern: staffLogInPath, get: admin((*call).staffLogIn), post: admin((*call).changeStaffLogIn)},
		{pattern: settingsPath + "/pictures", post: admin((*call).changeSitePictures)},
		{pattern: settingsPath + "/{section}", get: admin((*call).instanceSettings), post: admin((*call).changeInstance)},
		{pattern: settingsPath, get: admin((*call).instanceSettings), post: admin((*call).changeInstance)},
	}
}

// staff keeps a page to moderators and administrators. Who is not logged in is
// asked to be; for the others there is nothing.
func staff(do func(*call) error) func(*call) error {
	return guarded(do, func(c *call) error { return c.svc.Core.Authorize(c.r.Context(), c.by(), linnet.Moderator) })
}

// admin keeps a page to administrators.
func admin(do func(*call) error) func(*call) error {
	return guarded(do, func(c *call) error { return c.svc.Core.Authorize(c.r.Context(), c.by(), linnet.Admin) })
}

// by is who acts, in the session of this browser, where staff alone may.
func (c *call) by() linnet.Actor { return linnet.By(c.me.ID).In(c.session) }

// guarded keeps a page to those for whom check is not Forbidden.
func guarded(do, check func(*call) error) func(*call) error {
	return own(func(c *call) error {
		err := check(c)
		if c.svc.Core.Unsecured(err) {
			return &httpError{code: http.StatusForbidden, head: "Two-factor log-in is needed", back: securityPath, text: "Password and log-in",
				msg: "Who moderates or administers this server needs two-factor log-in or a passkey. Set one up, then come back here."}
		}
		if isKind(err, linnet.Forbidden) {
			return errNowhere()
		}
		if err != nil {
			return err
		}
		return do(c)
	})
}

// adminNav are the neighbours of a page for those who may see it.
func (c *call) adminNav() []navLink {
	nav := []navLink{{Path: adminPath, Text: "Overview"}, {Path: "/admin/users", Text: "People"}, {Path: "/admin/reports", Text: "Reports"},
		{Path: "/admin/invites", Text: "Invitations"}, {Path: "/admin/audit", Text: "Audit log"}}
	if c.me.Role == linnet.Admin {
		nav = append(nav, navLink{Path: adminAnnouncementsPath, Text: "Announcements"}, navLink{Path: emojiPath, Text: "Emoji"}, navLink{Path: "/admin/tasks", Text: "Tasks"}, navLink{Path: "/admin/store", Text: "Store"}, navLink{Path: healthPath, Text: "Health"}, navLink{Path: adminTermsPath, Text: "Terms"}, navLink{Path: settingsPath, Text: "Settings"}, navLink{Path: staffLogInPath, Text: "Log-in of staff"})
	}
	return nav
}

func (c *call) showAdmin(code int, title, here string, d formPage) error {
	d.Here, d.Name, d.Nav = adminPath, "Administration", c.adminNav()
	if d.Done == "" && c.r.URL.Query().Get("done") != "" {
		d.Done = "Done. It is in the audit log."
	}
	return c.showForms(code, title, here, d)
}

// overviewDays is how many days the charts show.
const overviewDays = 30

func (c *call) overview() error {
	days, err := c.svc.Moderation.LastDays(c.r.Context(), c.by(), overviewDays)
	if err != nil {
		return err
	}
	about, err := c.svc.Identity.Instance(c.r.Context())
	if err != nil {
		return err
	}
	parts := []formSection{{Facts: []fact{{"People", countCell(about.People)}, {"Groups", countCell(about.Groups)}, {"Posts", countCell(about.Statuses)}, {"Active this month", countCell(about.ActiveMonth)}}}}
	first, err := c.startPart(about)
	if err != nil {
		return err
	}
	if first != nil {
		parts = append([]formSection{*first}, parts...)
	}
	for _, of := range dayCharts() {
		series := make([]day, len(days))
		for i, d := range days {
			series[i] = day{At: d.At, Value: of.value(&d), Known: d.Known || of.always}
		}
		parts = append(parts, formSection{Title: of.title, Text: of.about, Chart: newChart(of.id, of.what, series, of.show)})
	}
	return c.showAdmin(http.StatusOK, "Overview", adminPath, formPage{Lead: "The last 30 days (UTC).", Parts: parts})
}

// dayChart says how a number of each day is drawn.
type dayChart struct {
	id, title, what, about string
	always                 bool // known for each day
	value                  func(*moderation.DayCount) float64
	show                   func(float64) string
}

func dayCharts() []dayChart {
	whole := func(v float64) string { return number(int64(v)) }
	return []dayChart{
		{"posts", "Posts", "Posts a day", "", false, func(d *moderation.DayCount) float64 { return float64(d.Posts) }, whole},
		{"active", "Active people", "People active on a day", "Counted within some per cent, without keeping who they were.", false,
			func(d *moderation.DayCount) float64 { return float64(d.Active) }, whole},
		{"signups", "Sign-ups", "Sign-ups a day", "", true, func(d *moderation.DayCount) float64 { return float64(d.SignUps) }, whole},
		{"fanout", "Time to the last follower", "Time until 95 of 100 posts had reached the last follower", "From posting to the last follower's timeline, all servers together.", false,
			func(d *moderation.DayCount) float64 { return d.Delay(0.95).Seconds() }, seconds},
		{"queue", "Queue", "Most tasks that a server held", "The highest of any server, looked at once a minute.", false,
			func(d *moderation.DayCount) float64 { return float64(d.Queue) }, whole},
		{"oldest", "Oldest task", "Greatest age of a task", "Likewise.", false, func(d *moderation.DayCount) float64 { return d.Oldest.Seconds() }, seconds},
		{"memory", "Memory", "Most memory of a server", "Likewise: of the server's own process, not of Redis.", false,
			func(d *moderation.DayCount) float64 { return float64(d.Memory) }, func(v float64) string { return byteCount(int64(v)) }},
		{"errors", "Errors", "Answers that broke on our side", "All servers together. What broke stands in their logs.", false,
			func(d *moderation.DayCount) float64 { return float64(d.Faults) }, whole},
	}
}

// seconds writes a time as people read it.
func seconds(v float64) string {
	d := time.Duration(v * float64(time.Second))
	switch {
	case d < time.Second:
		return strconv.FormatInt(d.Milliseconds(), 10) + " ms"
	case d < 100*time.Second:
		return strconv.FormatFloat(d.Seconds(), 'f', 1, 64) + " s"
	}
	return strconv.Itoa(int(d.Minutes())) + " min"
}

// byteCount writes a number of bytes as people read it.
func byteCount(n int64) string {
	if n < 1<<10 {
		return strconv.FormatInt(n, 10) + " bytes"
	}
	v, unit := float64(n)/(1<<10), "KiB"
	for _, next := range []string{"MiB", "GiB", "TiB"} {
		if v < 1<<10 {
			break
		}
		v, unit = v/(1<<10), next
	}
	return strconv.FormatFloat(v, 'f', 1, 64) + " " + unit
}
