package mastodon

import (
	"strconv"
	"time"

	"linnet/internal/linnet"
	"linnet/internal/mastodon/wire"
	"linnet/internal/moderation"
	"linnet/internal/wording"
)

// staffTable lists the routes of staff, who need a scope and a permission.
// https://docs.joinmastodon.org/methods/admin/
func (a *API) staffTable() []route {
	return []route{
		{"POST /api/v1/reports", user("write:reports"), noLimit, (*API).createReport},

		{"GET /api/v1/admin/accounts", user("admin:read:accounts"), noLimit, staff(linnet.ManageUsers, (*API).adminAccountsV1)},
		{"GET /api/v2/admin/accounts", user("admin:read:accounts"), noLimit, staff(linnet.ManageUsers, (*API).adminAccountsV2)},
		{"GET /api/v1/admin/accounts/{id}", user("admin:read:accounts"), noLimit, staff(linnet.ManageUsers, (*API).adminAccount)},
		{"POST /api/v1/admin/accounts/{id}/approve", user("admin:write:accounts"), noLimit, staff(linnet.ManageUsers, accountAct(linnet.Approve))},
		{"POST /api/v1/admin/accounts/{id}/reject", user("admin:write:accounts"), noLimit, staff(linnet.ManageUsers, accountAct(linnet.Reject))},
		{"POST /api/v1/admin/accounts/{id}/enable", user("admin:write:accounts"), noLimit, staff(linnet.ManageUsers, accountAct(linnet.Enable))},
		{"POST /api/v1/admin/accounts/{id}/unsilence", user("admin:write:accounts"), noLimit, staff(linnet.ManageUsers, accountAct(linnet.Unsilence))},
		{"POST /api/v1/admin/accounts/{id}/unsensitive", user("admin:write:accounts"), noLimit, staff(linnet.ManageUsers, accountAct(linnet.Unsensitize))},
		{"POST /api/v1/admin/accounts/{id}/unsuspend", user("admin:write:accounts"), noLimit, staff(linnet.ManageUsers, accountAct(linnet.Unsuspend))},
		{"DELETE /api/v1/admin/accounts/{id}", user("admin:write:accounts"), noLimit, staff(linnet.ManageUsers|linnet.DeleteUserData, (*API).adminDelete)},
		{"POST /api/v1/admin/accounts/{id}/action", user("admin:write:accounts"), noLimit, staff(linnet.ManageUsers, (*API).adminAction)},

		{"GET /api/v1/admin/reports", user("admin:read:reports"), noLimit, staff(linnet.ManageReports, (*API).adminReports)},
		{"GET /api/v1/admin/reports/{id}", user("admin:read:reports"), noLimit, staff(linnet.ManageReports, (*API).adminReport)},
		{"PUT /api/v1/admin/reports/{id}", user("admin:write:reports"), noLimit, staff(linnet.ManageReports, (*API).adminUpdateReport)},
		{"POST /api/v1/admin/reports/{id}/assign_to_self", user("admin:write:reports"), noLimit, staff(linnet.ManageReports, reportAct("assign"))},
		{"POST /api/v1/admin/reports/{id}/unassign", user("admin:write:reports"), noLimit, staff(linnet.ManageReports, reportAct("unassign"))},
		{"POST /api/v1/admin/reports/{id}/resolve", user("admin:write:reports"), noLimit, staff(linnet.ManageReports, reportAct("resolve"))},
		{"POST /api/v1/admin/reports/{id}/reopen", user("admin:write:reports"), noLimit, staff(linnet.ManageReports, reportAct("reopen"))},

		{"POST /api/v1/admin/measures", user("admin:read"), noLimit, staff(linnet.ViewDashboard, (*API).adminMeasures)},
		{"POST /api/v1/admin/dimensions", user("admin:read"), noLimit, staff(linnet.ViewDashboard, (*API).adminDimensions)},
		{"POST /api/v1/admin/retention", user("admin:read"), noLimit, staff(linnet.ViewDashboard, (*API).adminRetention)},
		{"GET /api/v1/linnet/admin/audit", user("admin:read"), noLimit, staff(linnet.ViewAuditLog, (*API).adminAudit)},
	}
}

// staff lets only those through who may do all of something.
func staff(all linnet.Permission, h handler) handler {
	return func(a *API, r *request) (any, error) {
		if err := a.svc.Core.Authorize(r.Context(), r.by(), all); err != nil {
			return nil, err
		}
		return h(a, r)
	}
}

// adminPage reads the page parameters of lists for moderators.
func adminPage(in *input) linnet.Page { return in.page(100, 200) }

func (a *API) adminAccountsV1(r *request) (any, error) {
	var q moderation.AccountsQuery
	for _, st := range []linnet.AccountState{linnet.StateActive, linnet.StatePending, linnet.StateDisabled, linnet.StateSilenced, linnet.StateSensitized, linnet.StateSuspended} {
		if r.in.flag(string(st)) {
			q.State = st
		}
	}
	if r.in.flag("staff") {
		q.Role = linnet.Moderator
	}
	return a.adminAccounts(r, q, r.in.flag("remote"))
}

func (a *API) adminAccountsV2(r *request) (any, error) {
	q := moderation.AccountsQuery{State: linnet.AccountState(r.in.text("status"))}
	switch q.State {
	case linnet.AnyState, linnet.StateActive, linnet.StatePending, linnet.StateDisabled, linnet.StateSilenced, linnet.StateSuspended:
	default:
		r.in.fault("status", "must be active, pending, disabled, silenced or suspended")
	}
	if r.in.text("permissions") == "staff" {
		q.Role = linnet.Moderator
	}
	return a.adminAccounts(r, q, r.in.text("origin") == "remote")
}

// adminAccounts lists people, with Linnet's own parameter groups the groups in their
// place. What nobody here can be (remote, of a domain or an address) gives an empty list.
func (a *API) adminAccounts(r *request, q moderation.AccountsQuery, nobody bool) (any, error) {
	q.Named, q.Email, q.Groups = r.in.text("username"), r.in.text("email"), r.in.flag("groups")
	if name := r.in.text("display_name"); name != "" && q.Named == "" {
		q.Named = name
	}
	nobody = nobody || r.in.text("by_domain") != "" || r.in.text("ip") != ""
	p := adminPage(r.in)
	if err := r.in.err(); err != nil {
		return nil, err
	}
	if nobody {
		return []wire.None{}, nil
	}
	s, err := a.svc.Moderation.Accounts(r.Context(), r.by(), q, p)
	if err != nil {
		return nil, err
	}
	return paged(r, s, a.enc.AdminAccount), nil
}

func (a *API) adminAccount(r *request) (any, error) {
	id, err := r.pathID()
	if err != nil {
		return nil, err
	}
	return a.showAdminAccount(r, id)
}

func (a *API) showAdminAccount(r *request, id linnet.ID) (any, error) {
	v, err := a.svc.Moderation.Account(r.Context(), r.by(), id)
	if err != nil {
		return nil, err
	}
	return a.enc.AdminAccount(&v), nil
}

// accountAct makes a handler of an act that has a route of its own.
func accountAct(act linnet.Moderation) handler {
	return func(a *API, r *request) (any, error) {
		id, err := r.pathID()
		if err != nil {
			return nil, err
		}
		v, err := a.svc.Moderation.Account(r.Context(), r.by(), id)
		if err != nil {
			return nil, err
		}
		if err := a.svc.Moderation.Moderate(r.Context(), r.by(), linnet.Measure{On: id, Act: act}); err != nil {
			return nil, err
		}
		if act == linnet.Reject { // as it was: it is gone now
			return a.enc.AdminAccount(&v), nil
		}
		return a.showAdminAccount(r, id)
	}
}

// adminDelete deletes a suspended account, and shows it as it was.
func (a *API) adminDelete(r *request) (any, error) {
	id, err := r.pathID()
	if err != nil {
		return nil, err
	}
	v, err := a.svc.Moderation.Account(r.Context(), r.by(), id)
	if err != nil {
		return nil, err
	}
	return a.enc.AdminAccount(&v), a.svc.Moderation.DeleteAccount(r.Context(), r.by(), id)
}

func (a *API) adminAction(r *request) (any, error) {
	id, err := r.pathID()
	if err != nil {
		return nil, err
	}
	m := linnet.Measure{On: id, Act: linnet.Moderation(r.in.text("type")), Reason: r.in.text("text")}
	report, ok := r.in.id("report_id")
	m.Report = report
	switch m.Act {
	case linnet.Warn, linnet.Sensitize, linnet.Disable, linnet.Silence, linnet.Suspend:
	default:
		r.in.fault("type", "must be none, sensitive, disable, silence or suspend")
	}
	if err := r.in.err(); err != nil {
		return nil, err
	}
	if !ok {
		return nil, errNotFound()
	}
	return wire.Empty{}, a.svc.Moderation.ModerateReported(r.Context(), r.by(), m)
}

func (a *API) adminReports(r *request) (any, error) {
	f := linnet.ReportFilter{Resolved: r.in.flag("resolved")}
	by, okBy := r.in.id("account_id")
	on, okOn := r.in.id("target_account_id")
	f.By, f.On = by, on
	p := adminPage(r.in)
	if err := r.in.err(); err != nil {
		return nil, err
	}
	if !okBy || !okOn {
		return []wire.None{}, nil
	}
	s, err := a.svc.Moderation.Reports(r.Context(), r.by(), f, p)
	if err != nil {
		return nil, err
	}
	return paged(r, s, a.enc.AdminReport), nil
}

func (a *API) adminReport(r *request) (any, error) {
	id, err := r.pathID()
	if err != nil {
		return nil, err
	}
	v, err := a.svc.Moderation.ReportByID(r.Context(), r.by(), id)
	if err != nil {
		return nil, err
	}
	return a.enc.AdminReport(&v), nil
}

func (a *API) adminUpdateReport(r *request) (any, error) {
	id, err := r.pathID()
	if err != nil {
		return nil, err
	}
	c := linnet.ReportChange{Act: "update", Category: category(r.in)}
	if r.in.has("rule_ids") {
		rules := ruleNumbers(r.in)
		c.Rules = &rules
	}
	if err := r.in.err(); err != nil {
		return nil, err
	}
	v, err := a.svc.Moderation.ChangeReport(r.Context(), r.by(), id, c)
	if err != nil {
		return nil, err
	}
	return a.enc.AdminReport(&v), nil
}

// reportAct makes a handler of what is done with a report.
func reportAct(act string) handler {
	return func(a *API, r *request) (any, error) {
		id, err := r.pathID()
		if err != nil {
			return nil, err
		}
		c := linnet.ReportChange{Act: act}
		me, nobody, resolved := r.me(), linnet.ID(0), act == "resolve"
		switch act {
		case "assign":
			c.Assigned = &me
		case "unassign":
			c.Assigned = &nobody
		default:
			c.Resolved = &resolved
		}
		v, err := a.svc.Moderation.ChangeReport(r.Context(), r.by(), id, c)
		if err != nil {
			return nil, err
		}
		return a.enc.AdminReport(&v), nil
	}
}

func (a *API) adminMeasures(r *request) (any, error) {
	keys := r.in.texts("keys")
	if len(keys) > 20 {
		r.in.fault("keys", "has more than 20 keys")
	}
	from, to := r.in.day("start_at"), r.in.day("end_at")
	if err := r.in.err(); err != nil {
		return nil, err
	}
	found, err := a.svc.Moderation.Measures(r.Context(), r.by(), keys, from, to)
	if err != nil {
		return nil, err
	}
	out := make([]wire.AdminMeasure, len(found))
	for i, m := range found {
		out[i] = wire.AdminMeasure{Key: m.Key, Total: strconv.FormatInt(m.Total, 10), Previous: strconv.FormatInt(m.Previous, 10), Data: make([]wire.AdminDate, len(m.Days))}
		for d, day := range m.Days {
			out[i].Data[d] = wire.AdminDate{Date: wire.Timestamp(day), Value: strconv.FormatInt(m.Values[d], 10)}
		}
	}
	return out, nil
}

// day reads a date, whose time is ignored.
func (in *input) day(name string) time.Time {
	s := in.text(name)
	if len(s) > len(time.DateOnly) {
		s = s[:len(time.DateOnly)]
	}
	t, err := time.Parse(time.DateOnly, s)
	if err != nil {
		in.fault(name, "must be a date such as 2026-03-31")
	}
	return t
}

func (a *API) adminAudit(r *request) (any, error) {
	p := adminPage(r.in)
	if err := r.in.err(); err != nil {
		return nil, err
	}
	s, err := a.svc.Moderation.Acts(r.Context(), r.by(), p)
	if err != nil {
		return nil, err
	}
	return paged(r, s, func(v *linnet.ActView) wire.AuditEntry {
		out := wire.AuditEntry{ID: v.ID.String(), CreatedAt: wire.Timestamp(v.At), Action: string(v.Act.Act), Detail: wording.Message(v.Detail).String(), Reason: v.Reason}
		if v.Report != 0 {
			id := v.Report.String()
			out.ReportID = &id
		}
		if v.ByUser != nil {
			by := a.enc.Account(v.ByUser)
			out.Account = &by
		}
		if v.OnUser != nil {
			on := a.enc.Account(v.OnUser)
			out.Target = &on
		}
		return out
	}), nil
}
