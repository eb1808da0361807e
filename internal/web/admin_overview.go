package web

import (
	"net/http"
	"strings"
	"time"

	"linnet/internal/linnet"
	"linnet/internal/locale"
	"linnet/internal/moderation"
	"linnet/internal/web/paths"
	"linnet/internal/web/ui"
)

// The overview of the administration: what needs care, and numbers of the last days.

// overviewDays is the number of days in the charts.
const overviewDays = 14

// adminList shows the sections of the administration, or those matching a search, next to the
// overview.
func (h *adminPages) adminList(c *call) error {
	p := adminPlacesFor(c)
	if len(p.Groups) == 0 {
		return errNowhere()
	}
	if c.r.URL.Query().Get("q") != "" || !c.may(linnet.ViewDashboard) {
		return showPlaces(c, p)
	}
	p.Beside = true
	return h.showOverview(c, p)
}

func (h *adminPages) overview(c *call) error { return h.showOverview(c, adminPlacesFor(c)) }

func (h *adminPages) showOverview(c *call, p placesPage) error {
	days, err := h.moderation.LastDays(c.r.Context(), c.by(), overviewDays)
	if err != nil {
		return err
	}
	about, err := h.identity.Instance(c.r.Context())
	if err != nil {
		return err
	}
	d := formPage{}
	if d.Care, err = h.needsCare(c); err != nil {
		return err
	}
	first, err := h.instancePages.stepsLeft(c, about)
	if err != nil {
		return err
	}
	d.Care = append(d.Care, first...)
	d.Parts = append(d.Parts, formSection{Tiles: tilesOf(c, days)},
		formSection{Title: c.tr("Totals"), Facts: []fact{{c.tr("People"), countCell(about.People)}, {c.tr("Groups"), countCell(about.Groups)}, {c.tr("Posts"), countCell(about.Statuses)}, {c.tr("Active this month"), countCell(about.ActiveMonth)}}})
	return showPlace(c, http.StatusOK, p, c.tr("Overview"), paths.AdminOverview, formPageView(d))
}

// needsCare returns pending work and faults that the reader can act on.
func (h *adminPages) needsCare(c *call) (all []care, err error) {
	for _, look := range []func(*call) ([]care, error){h.waitingReports, h.waitingPeople, h.ailingStore} {
		found, err := look(c)
		if err != nil {
			return nil, err
		}
		all = append(all, found...)
	}
	return all, nil
}

func (h *adminPages) waitingReports(c *call) ([]care, error) {
	if !c.may(linnet.ManageReports) {
		return nil, nil
	}
	open, err := h.moderation.Reports(c.r.Context(), c.by(), linnet.ReportFilter{}, linnet.Page{Limit: linnet.DefaultPage})
	if err != nil || len(open.Items) == 0 {
		return nil, err
	}
	n := int64(len(open.Items))
	text := c.trn(n, "%s report open.", "%s reports open.")
	if n >= linnet.DefaultPage { // one page is looked at
		text = c.trn(n, "At least %s report open.", "At least %s reports open.")
	}
	return []care{{text, paths.AdminReports, c.tr("Reports")}}, nil
}

func (h *adminPages) waitingPeople(c *call) ([]care, error) {
	if !c.may(linnet.ManageUsers) {
		return nil, nil
	}
	waiting, err := h.moderation.Accounts(c.r.Context(), c.by(), moderation.AccountsQuery{State: linnet.StatePending}, linnet.Page{Limit: linnet.DefaultPage})
	if err != nil || len(waiting.Items) == 0 {
		return nil, err
	}
	n := int64(len(waiting.Items))
	text := c.trn(n, "%s sign-up to review.", "%s sign-ups to review.")
	if n >= linnet.DefaultPage {
		text = c.trn(n, "At least %s sign-up to review.", "At least %s sign-ups to review.")
	}
	return []care{{text, paths.AdminUsers + "?state=" + string(linnet.StatePending), c.tr("Review")}}, nil
}

// oldBackup is the age at which a backup needs care.
const oldBackup = 48 * time.Hour

// ailingStore returns failed backups and e-mails, and outdated backups.
func (h *adminPages) ailingStore(c *call) (all []care, err error) {
	if !c.may(linnet.ViewDevops) {
		return nil, nil
	}
	i, err := h.moderation.StoreInfo(c.r.Context(), c.by())
	if err != nil {
		return nil, err
	}
	switch {
	case i.Backups.Failed.After(i.Backup):
		all = append(all, care{c.tr("The last backup failed: %s", ui.Truncate(i.Backups.Why.In(c.lang()), 200)), paths.AdminStore + "#backups", c.tr("Backups")})
	case !i.Backup.IsZero() && c.opts.Now().Sub(i.Backup) > oldBackup:
		all = append(all, care{c.tr("The last backup is %s old.", age(c, c.opts.Now().Sub(i.Backup))), paths.AdminStore + "#backups", c.tr("Backups")})
	}
	if i.Mail.Failed.After(i.Mail.Sent) {
		all = append(all, care{c.tr("The last e-mail failed: %s", ui.Truncate(i.Mail.Why.In(c.lang()), 200)), paths.AdminStore + "#mail", c.tr("E-mail")})
	}
	return all, nil
}

// tile is a number of today, a sentence that compares it, and a chart.
type tile struct {
	Title, Figure, Says string
	Care                bool // the number is one that should not be
	Chart               chart
}

func tilesOf(c *call, days []moderation.DayCount) (out []tile) {
	for _, of := range dayCharts(c) {
		series := make([]day, len(days))
		for i, d := range days {
			series[i] = day{At: d.At, Value: of.value(&d), Known: d.Known || of.always}
		}
		t := tile{Title: of.title, Figure: "–", Says: sinceYesterday(c, series, of.show), Chart: *newChart(c, of.id, of.what, series, of.show)}
		t.Chart.About = of.about
		if n := len(series); n > 0 && series[n-1].Known {
			t.Figure, t.Care = of.show(series[n-1].Value), of.care != nil && of.care(series[n-1].Value)
		}
		out = append(out, t)
	}
	return out
}

// sinceYesterday says what a number was yesterday, and on average on the days before that.
func sinceYesterday(c *call, days []day, show func(float64) string) string {
	if len(days) < 2 || !days[len(days)-2].Known {
		return c.tr("No data for yesterday.")
	}
	yesterday := show(days[len(days)-2].Value)
	sum, n := 0.0, 0.0
	for _, d := range days[:len(days)-2] {
		if d.Known {
			sum, n = sum+d.Value, n+1
		}
	}
	if n == 0 {
		return c.tr("Yesterday: %s.", yesterday)
	}
	return c.tr("Yesterday: %s. Average of the days before: %s.", yesterday, show(sum/n))
}

// dayChart says how a number of each day is drawn.
type dayChart struct {
	id, title, what, about string
	always                 bool // known for each day
	value                  func(*moderation.DayCount) float64
	show                   func(float64) string
	care                   func(float64) bool // whether a number should not be; nil: none is
}

func dayCharts(c *call) []dayChart {
	whole := func(v float64) string { return c.num(int64(v)) }
	seconds := func(v float64) string { return seconds(c, v) }
	return []dayChart{
		{"posts", c.tr("Posts"), c.tr("Posts per day"), "", false, func(d *moderation.DayCount) float64 { return float64(d.Posts) }, whole, nil},
		{"active", c.tr("Active people"), c.tr("People active per day"), c.tr("Estimated to within a few per cent, without storing who they were."), false,
			func(d *moderation.DayCount) float64 { return float64(d.Active) }, whole, nil},
		{"signups", c.tr("Sign-ups"), c.tr("Sign-ups per day"), "", true, func(d *moderation.DayCount) float64 { return float64(d.SignUps) }, whole, nil},
		{"fanout", c.tr("Delivery time, slowest follower"), c.tr("Time to deliver 95 % of posts to all followers"), c.tr("From posting to the last follower's timeline, across all servers."), false,
			func(d *moderation.DayCount) float64 { return d.Delay(0.95).Seconds() }, seconds, nil},
		{"queue", c.tr("Queue"), c.tr("Most tasks waiting on a server"), c.tr("The maximum of any server, sampled once a minute."), false,
			func(d *moderation.DayCount) float64 { return float64(d.Queue) }, whole, nil},
		{"oldest", c.tr("Oldest task"), c.tr("Longest wait of a task"), c.tr("The maximum of any server, sampled once a minute."), false, func(d *moderation.DayCount) float64 { return d.Oldest.Seconds() }, seconds, func(v float64) bool { return v > 600 }},
		{"memory", c.tr("Memory"), c.tr("Most memory used by a server"), c.tr("The maximum of any server process (without Redis), sampled once a minute."), false,
			func(d *moderation.DayCount) float64 { return float64(d.Memory) }, func(v float64) string { return c.byteCount(int64(v)) }, nil},
		{"errors", c.tr("Errors"), c.tr("Server errors"), c.tr("Across all servers. See their logs for details."), false,
			func(d *moderation.DayCount) float64 { return float64(d.Faults) }, whole, func(v float64) bool { return v > 0 }},
	}
}

// seconds writes a time as people read it.
func seconds(c *call, v float64) string {
	d := time.Duration(v * float64(time.Second))
	s := c.tr("%d min", int(d.Minutes()))
	switch {
	case d < time.Second:
		s = c.tr("%d ms", d.Milliseconds())
	case d < 100*time.Second:
		s = c.tr("%.1f s", d.Seconds())
	}
	return together(s)
}

// together joins a number and its unit with a non-breaking space.
func together(s string) string { return strings.ReplaceAll(s, " ", "\u00a0") }

// byteCount writes a number of bytes as people read it.
func (c *call) byteCount(n int64) string {
	if n < 1<<10 {
		return c.tr("%d bytes", n)
	}
	v, unit := float64(n)/(1<<10), locale.Mark("%.1f KiB")
	for _, next := range []string{locale.Mark("%.1f MiB"), locale.Mark("%.1f GiB"), locale.Mark("%.1f TiB")} {
		if v < 1<<10 {
			break
		}
		v, unit = v/(1<<10), next
	}
	return together(c.tr(unit, v))
}
