package admin

import (
	"net/http"
	"time"

	"linnet/internal/linnet"
	"linnet/internal/moderation"
	"linnet/internal/web/form"
	"linnet/internal/web/page"
	"linnet/internal/web/paths"
	"linnet/internal/web/ui"
)

// overviewDays is the number of days in the charts of the overview.
const overviewDays = 14

// adminList shows the sections of the administration, or those matching a search, next to the
// overview.
func (h *Pages) adminList(c *page.Context) error {
	m := form.AdminMenu(c)
	if len(m.Groups) == 0 {
		return page.NotFound()
	}
	if c.Request.URL.Query().Get("q") != "" || !c.May(linnet.ViewDashboard) {
		return m.Show(c)
	}
	m.Beside = true
	return h.showOverview(c, m)
}

func (h *Pages) overview(c *page.Context) error {
	return h.showOverview(c, form.AdminMenu(c))
}

func (h *Pages) showOverview(c *page.Context, m form.Menu) error {
	days, err := h.Moderation.Statistics.LastDays(c.Request.Context(), c.Actor(), overviewDays)
	if err != nil {
		return err
	}
	about, err := h.Settings.Instance(c.Request.Context())
	if err != nil {
		return err
	}
	d := form.Page{}
	steps := func(c *page.Context) ([]form.Alert, error) { return h.StepsLeft(c, about) }
	for _, look := range []func(*page.Context) ([]form.Alert, error){h.reportAlerts, h.appealAlerts, h.accountAlerts, h.storeAlerts, steps} {
		alerts, err := look(c)
		if err != nil {
			return err
		}
		d.Care = append(d.Care, alerts...)
	}
	numbers := form.Section{Tiles: tilesOf(c, days)}
	if len(numbers.Tiles) < len(dayCharts(c)) {
		numbers.Text = c.Tr("More numbers appear here as the server is used.")
	}
	d.Parts = append(d.Parts, numbers,
		form.Section{Title: c.Tr("Totals"), Facts: []form.Fact{{Name: c.Tr("People"), Is: form.CountCell(about.People)}, {Name: c.Tr("Groups"), Is: form.CountCell(about.Groups)}, {Name: c.Tr("Posts"), Is: form.CountCell(about.Statuses)}, {Name: c.Tr("Active this month"), Is: form.CountCell(about.ActiveMonth)}}})
	return m.ShowBody(c, http.StatusOK, c.Tr("Overview"), paths.AdminOverview, form.PageView(d))
}

func (h *Pages) reportAlerts(c *page.Context) ([]form.Alert, error) {
	if !c.May(linnet.ManageReports) {
		return nil, nil
	}
	open, err := h.Moderation.Reports(c.Request.Context(), c.Actor(), linnet.ReportFilter{}, linnet.Page{Limit: linnet.DefaultPage})
	if err != nil || len(open.Items) == 0 {
		return nil, err
	}
	n := int64(len(open.Items))
	text := c.Trn(n, "%s open report.", "%s open reports.")
	if n >= linnet.DefaultPage { // only one page is counted
		text = c.Trn(n, "At least %s open report.", "At least %s open reports.")
	}
	return []form.Alert{{Text: text, Path: paths.AdminReports, Button: c.Tr("Reports")}}, nil
}

func (h *Pages) appealAlerts(c *page.Context) ([]form.Alert, error) {
	if !c.May(linnet.ManageUsers) {
		return nil, nil
	}
	pending, err := h.Moderation.Strikes.Appealed(c.Request.Context(), c.Actor(), linnet.Page{Limit: linnet.DefaultPage})
	if err != nil || len(pending.Items) == 0 {
		return nil, err
	}
	n := int64(len(pending.Items))
	text := c.Trn(n, "%s appeal to decide.", "%s appeals to decide.")
	if n >= linnet.DefaultPage {
		text = c.Trn(n, "At least %s appeal to decide.", "At least %s appeals to decide.")
	}
	return []form.Alert{{Text: text, Path: paths.AdminStrikes, Button: c.Tr("Appeals")}}, nil
}

func (h *Pages) accountAlerts(c *page.Context) ([]form.Alert, error) {
	if !c.May(linnet.ManageUsers) {
		return nil, nil
	}
	waiting, err := h.Moderation.Accounts(c.Request.Context(), c.Actor(), moderation.AccountsQuery{State: linnet.StatePending}, linnet.Page{Limit: linnet.DefaultPage})
	if err != nil || len(waiting.Items) == 0 {
		return nil, err
	}
	n := int64(len(waiting.Items))
	text := c.Trn(n, "%s sign-up to review.", "%s sign-ups to review.")
	if n >= linnet.DefaultPage {
		text = c.Trn(n, "At least %s sign-up to review.", "At least %s sign-ups to review.")
	}
	return []form.Alert{{Text: text, Path: paths.AdminUsers + "?state=" + string(linnet.StatePending), Button: c.Tr("Review")}}, nil
}

// oldBackup is the age at which a backup needs care.
const oldBackup = 48 * time.Hour

// storeAlerts returns failed backups and e-mails, and outdated backups.
func (h *Pages) storeAlerts(c *page.Context) (all []form.Alert, err error) {
	if !c.May(linnet.ViewDevops) {
		return nil, nil
	}
	i, err := h.Moderation.Server.StoreInfo(c.Request.Context(), c.Actor())
	if err != nil {
		return nil, err
	}
	switch {
	case i.Backups.Failed.After(i.Backup):
		all = append(all, form.Alert{Text: c.Tr("The last backup failed: %s", ui.Truncate(i.Backups.Why.In(c.Lang()), 200)), Path: paths.AdminStore + "#backups", Button: c.Tr("Backups")})
	case !i.Backup.IsZero() && c.Opts.Now().Sub(i.Backup) > oldBackup:
		all = append(all, form.Alert{Text: c.Tr("The last backup is %s old.", age(c, c.Opts.Now().Sub(i.Backup))), Path: paths.AdminStore + "#backups", Button: c.Tr("Backups")})
	}
	if i.Mail.Failed.After(i.Mail.Sent) {
		all = append(all, form.Alert{Text: c.Tr("The last e-mail couldn't be sent: %s", ui.Truncate(i.Mail.Why.In(c.Lang()), 200)), Path: paths.AdminStore + "#mail", Button: c.Tr("E-mail")})
	}
	return all, nil
}

// tilesOf returns the numbers that have data.
func tilesOf(c *page.Context, days []moderation.DayCount) (out []form.Tile) {
	for _, of := range dayCharts(c) {
		series := make([]form.Day, len(days))
		for i, d := range days {
			series[i] = form.Day{At: d.At, Value: of.value(&d), Known: d.Known || of.always}
		}
		t := form.Tile{Title: of.title, Comparison: sinceYesterday(c, series, of.show), Chart: *form.NewChart(c, of.id, of.what, series, of.show)}
		t.Chart.About = of.about
		if n := len(series); n > 0 && series[n-1].Known {
			now := series[n-1].Value
			t.Figure, t.Care = of.words(now), of.care != nil && of.care(now)
		}
		if of.id == "signups" {
			t.Figure, t.Comparison = signUpsOfWeek(c, series)
		}
		if t.Figure == "" && !t.Chart.Varied {
			continue // a new server has counted nothing yet
		}
		out = append(out, t)
	}
	return out
}

// signUpsOfWeek returns the number of sign-ups in the last seven days, and a comparison with the
// seven days before. A single day says little about sign-ups.
func signUpsOfWeek(c *page.Context, days []form.Day) (figure, comparison string) {
	const week = 7
	sum := func(days []form.Day) (n int64) {
		for _, d := range days {
			n += int64(d.Value)
		}
		return n
	}
	from := max(0, len(days)-week)
	now := sum(days[from:])
	figure = c.Trn(now, "%s new member this week", "%s new members this week")
	return figure, c.Tr("The week before: %s.", c.Num(sum(days[max(0, from-week):from])))
}

// sinceYesterday compares a number with yesterday and with the average of the days before. It
// returns "" if there are no earlier numbers.
func sinceYesterday(c *page.Context, days []form.Day, show func(float64) string) string {
	if len(days) < 2 || !days[len(days)-2].Known {
		return ""
	}
	yesterday := show(days[len(days)-2].Value)
	sum, n := 0.0, 0.0
	for _, d := range days[:len(days)-2] {
		if d.Known {
			sum, n = sum+d.Value, n+1
		}
	}
	if n == 0 {
		return c.Tr("Yesterday: %s.", yesterday)
	}
	return c.Tr("Yesterday: %s. Average of the previous days: %s.", yesterday, show(sum/n))
}

// dayChart describes the chart of a number per day.
type dayChart struct {
	id, title, what, about string
	always                 bool // known for each day
	value                  func(*moderation.DayCount) float64
	show                   func(float64) string
	words                  func(float64) string // the number of today in words
	care                   func(float64) bool   // whether a number is a problem; nil for never
}

func dayCharts(c *page.Context) []dayChart {
	whole := func(v float64) string { return c.Num(int64(v)) }
	seconds := func(v float64) string { return seconds(c, v) }
	size := func(v float64) string { return c.ByteCount(int64(v)) }
	today := func(show func(float64) string) func(float64) string {
		return func(v float64) string { return c.Tr("%s today", show(v)) }
	}
	return []dayChart{
		{"posts", c.Tr("Posts"), c.Tr("Posts per day"), "", false, func(d *moderation.DayCount) float64 { return float64(d.Posts) }, whole,
			func(v float64) string { return c.Trn(int64(v), "%s post today", "%s posts today") }, nil},
		{"active", c.Tr("Active people"), c.Tr("People active per day"), c.Tr("Estimated to within a few per cent, without recording who was active."), false,
			func(d *moderation.DayCount) float64 { return float64(d.Active) }, whole, func(v float64) string { return c.Trn(int64(v), "%s person today", "%s people today") }, nil},
		{"signups", c.Tr("Sign-ups"), c.Tr("Sign-ups per day"), "", true, func(d *moderation.DayCount) float64 { return float64(d.SignUps) }, whole, whole, nil},
		{"fanout", c.Tr("Delivery time to the last follower"), c.Tr("Time to deliver 95% of posts to all followers"), c.Tr("Time from posting until the last follower's timeline has the post, across all servers."), false,
			func(d *moderation.DayCount) float64 { return d.Delay(0.95).Seconds() }, seconds, today(seconds), nil},
		{"queue", c.Tr("Longest queue"), c.Tr("Maximum number of tasks waiting on one server"), c.Tr("The highest value on any server, sampled once a minute."), false,
			func(d *moderation.DayCount) float64 { return float64(d.Queue) }, whole, func(v float64) string { return c.Trn(int64(v), "%s task today", "%s tasks today") }, nil},
		{"oldest", c.Tr("Oldest task"), c.Tr("Longest time a task waited"), c.Tr("The highest value on any server, sampled once a minute."), false, func(d *moderation.DayCount) float64 { return d.Oldest.Seconds() }, seconds, today(seconds), func(v float64) bool { return v > 600 }},
		{"memory", c.Tr("Memory"), c.Tr("Maximum memory used by one server"), c.Tr("The highest value of any server process (excluding Redis), sampled once a minute."), false,
			func(d *moderation.DayCount) float64 { return float64(d.Memory) }, size, today(size), nil},
		{"errors", c.Tr("Errors"), c.Tr("Server errors"), c.Tr("The total of all servers. For details, see their logs."), false,
			func(d *moderation.DayCount) float64 { return float64(d.Faults) }, whole, func(v float64) string { return c.Trn(int64(v), "%s error today", "%s errors today") }, func(v float64) bool { return v > 0 }},
	}
}

// seconds formats a duration.
func seconds(c *page.Context, v float64) string {
	d := time.Duration(v * float64(time.Second))
	s := c.Tr("%d min", int(d.Minutes()))
	switch {
	case d < time.Second:
		s = c.Tr("%d ms", d.Milliseconds())
	case d < 100*time.Second:
		s = c.Tr("%.1f s", d.Seconds())
	}
	return page.Together(s)
}
