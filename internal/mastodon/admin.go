package mastodon

import (
	"strconv"

	"linnet/internal/linnet"
	"linnet/internal/mastodon/request"
	"linnet/internal/mastodon/wire"
	"linnet/internal/moderation"
	"linnet/internal/wording"
)

// staffTable lists the routes of staff, who need a scope and a permission.
// https://docs.joinmastodon.org/methods/admin/
func (a *API) staffTable() []request.Route {
	return []request.Route{
		request.Handle("POST /api/v1/reports", request.User("write:reports"), a.createReport),

		request.Handle("GET /api/v1/admin/accounts", request.User("admin:read:accounts"), a.staff(linnet.ManageUsers, a.adminAccountsV1)),
		request.Handle("GET /api/v2/admin/accounts", request.User("admin:read:accounts"), a.staff(linnet.ManageUsers, a.adminAccountsV2)),
		request.Handle("GET /api/v1/admin/accounts/{id}", request.User("admin:read:accounts"), a.staff(linnet.ManageUsers, a.adminAccount)),
		request.Handle("POST /api/v1/admin/accounts/{id}/approve", request.User("admin:write:accounts"), a.staff(linnet.ManageUsers, a.accountAct(linnet.Approve))),
		request.Handle("POST /api/v1/admin/accounts/{id}/reject", request.User("admin:write:accounts"), a.staff(linnet.ManageUsers, a.accountAct(linnet.Reject))),
		request.Handle("POST /api/v1/admin/accounts/{id}/enable", request.User("admin:write:accounts"), a.staff(linnet.ManageUsers, a.accountAct(linnet.Enable))),
		request.Handle("POST /api/v1/admin/accounts/{id}/unsilence", request.User("admin:write:accounts"), a.staff(linnet.ManageUsers, a.accountAct(linnet.Unsilence))),
		request.Handle("POST /api/v1/admin/accounts/{id}/unsensitive", request.User("admin:write:accounts"), a.staff(linnet.ManageUsers, a.accountAct(linnet.Unsensitize))),
		request.Handle("POST /api/v1/admin/accounts/{id}/unsuspend", request.User("admin:write:accounts"), a.staff(linnet.ManageUsers, a.accountAct(linnet.Unsuspend))),
		request.Handle("DELETE /api/v1/admin/accounts/{id}", request.User("admin:write:accounts"), a.staff(linnet.ManageUsers|linnet.DeleteUserData, a.adminDelete)),
		request.Handle("POST /api/v1/admin/accounts/{id}/action", request.User("admin:write:accounts"), a.staff(linnet.ManageUsers, a.adminAction)),

		request.Handle("GET /api/v1/admin/reports", request.User("admin:read:reports"), a.staff(linnet.ManageReports, a.adminReports)),
		request.Handle("GET /api/v1/admin/reports/{id}", request.User("admin:read:reports"), a.staff(linnet.ManageReports, a.adminReport)),
		request.Handle("PUT /api/v1/admin/reports/{id}", request.User("admin:write:reports"), a.staff(linnet.ManageReports, a.adminUpdateReport)),
		request.Handle("POST /api/v1/admin/reports/{id}/assign_to_self", request.User("admin:write:reports"), a.staff(linnet.ManageReports, a.reportAct("assign"))),
		request.Handle("POST /api/v1/admin/reports/{id}/unassign", request.User("admin:write:reports"), a.staff(linnet.ManageReports, a.reportAct("unassign"))),
		request.Handle("POST /api/v1/admin/reports/{id}/resolve", request.User("admin:write:reports"), a.staff(linnet.ManageReports, a.reportAct("resolve"))),
		request.Handle("POST /api/v1/admin/reports/{id}/reopen", request.User("admin:write:reports"), a.staff(linnet.ManageReports, a.reportAct("reopen"))),

		request.Handle("POST /api/v1/admin/measures", request.User("admin:read"), a.staff(linnet.ViewDashboard, a.adminMeasures)),
		request.Handle("POST /api/v1/admin/dimensions", request.User("admin:read"), a.staff(linnet.ViewDashboard, a.adminDimensions)),
		request.Handle("POST /api/v1/admin/retention", request.User("admin:read"), a.staff(linnet.ViewDashboard, a.adminRetention)),
		request.Handle("GET /api/v1/linnet/admin/audit", request.User("admin:read"), a.staff(linnet.ViewAuditLog, a.adminAudit)),
	}
}

// staff lets only those through who may do all of something.
func (a *API) staff(all linnet.Permission, h request.Handler) request.Handler {
	return func(r *request.Request) (any, error) {
		if err := a.svc.Core.Authorize(r.Context(), r.Actor(), all); err != nil {
			return nil, err
		}
		return h(r)
	}
}

// adminPage reads the page parameters of lists for moderators.
func adminPage(in *request.Input) linnet.Page { return in.Page(100, 200) }

func (a *API) adminAccountsV1(r *request.Request) (any, error) {
	var q moderation.AccountsQuery
	for _, st := range []linnet.AccountState{linnet.StateActive, linnet.StatePending, linnet.StateDisabled, linnet.StateSilenced, linnet.StateSensitized, linnet.StateSuspended} {
		if r.In.Flag(string(st)) {
			q.State = st
		}
	}
	if r.In.Flag("staff") {
		q.Role = linnet.Moderator
	}
	return a.adminAccounts(r, q, r.In.Flag("remote"))
}

func (a *API) adminAccountsV2(r *request.Request) (any, error) {
	q := moderation.AccountsQuery{State: linnet.AccountState(r.In.String("status"))}
	switch q.State {
	case linnet.AnyState, linnet.StateActive, linnet.StatePending, linnet.StateDisabled, linnet.StateSilenced, linnet.StateSuspended:
	default:
		r.In.Fault("status", "must be active, pending, disabled, silenced or suspended")
	}
	if r.In.String("permissions") == "staff" {
		q.Role = linnet.Moderator
	}
	return a.adminAccounts(r, q, r.In.String("origin") == "remote")
}

// adminAccounts lists people, with Linnet's own parameter groups the groups in their
// place. What nobody here can be (remote, of a domain or an address) gives an empty list.
func (a *API) adminAccounts(r *request.Request, q moderation.AccountsQuery, nobody bool) (any, error) {
	q.Named, q.Email, q.Groups = r.In.String("username"), r.In.String("email"), r.In.Flag("groups")
	if name := r.In.String("display_name"); name != "" && q.Named == "" {
		q.Named = name
	}
	nobody = nobody || r.In.String("by_domain") != "" || r.In.String("ip") != ""
	p := adminPage(r.In)
	if err := r.In.Err(); err != nil {
		return nil, err
	}
	if nobody {
		return []wire.None{}, nil
	}
	s, err := a.svc.Moderation.Accounts(r.Context(), r.Actor(), q, p)
	if err != nil {
		return nil, err
	}
	return request.Paged(r, s, a.enc.AdminAccount), nil
}

func (a *API) adminAccount(r *request.Request) (any, error) {
	id, err := r.PathID()
	if err != nil {
		return nil, err
	}
	return a.showAdminAccount(r, id)
}

func (a *API) showAdminAccount(r *request.Request, id linnet.ID) (any, error) {
	v, err := a.svc.Moderation.Account(r.Context(), r.Actor(), id)
	if err != nil {
		return nil, err
	}
	return a.enc.AdminAccount(&v), nil
}

// accountAct makes a handler of an act that has a route of its own.
func (a *API) accountAct(act linnet.Moderation) request.Handler {
	return func(r *request.Request) (any, error) {
		id, err := r.PathID()
		if err != nil {
			return nil, err
		}
		v, err := a.svc.Moderation.Account(r.Context(), r.Actor(), id)
		if err != nil {
			return nil, err
		}
		if err := a.svc.Moderation.Moderate(r.Context(), r.Actor(), linnet.Measure{On: id, Act: act}); err != nil {
			return nil, err
		}
		if act == linnet.Reject { // as it was: it is gone now
			return a.enc.AdminAccount(&v), nil
		}
		return a.showAdminAccount(r, id)
	}
}

// adminDelete deletes a suspended account, and shows it as it was.
func (a *API) adminDelete(r *request.Request) (any, error) {
	id, err := r.PathID()
	if err != nil {
		return nil, err
	}
	v, err := a.svc.Moderation.Account(r.Context(), r.Actor(), id)
	if err != nil {
		return nil, err
	}
	return a.enc.AdminAccount(&v), a.svc.Moderation.DeleteAccount(r.Context(), r.Actor(), id)
}

func (a *API) adminAction(r *request.Request) (any, error) {
	id, err := r.PathID()
	if err != nil {
		return nil, err
	}
	m := linnet.Measure{On: id, Act: linnet.Moderation(r.In.String("type")), Reason: r.In.String("text")}
	report, ok := r.In.ID("report_id")
	m.Report = report
	switch m.Act {
	case linnet.Warn, linnet.Sensitize, linnet.Disable, linnet.Silence, linnet.Suspend:
	default:
		r.In.Fault("type", "must be none, sensitive, disable, silence or suspend")
	}
	if err := r.In.Err(); err != nil {
		return nil, err
	}
	if !ok {
		return nil, request.ErrNotFound()
	}
	return wire.Empty{}, a.svc.Moderation.ModerateReported(r.Context(), r.Actor(), m)
}

func (a *API) adminReports(r *request.Request) (any, error) {
	f := linnet.ReportFilter{Resolved: r.In.Flag("resolved")}
	by, okBy := r.In.ID("account_id")
	on, okOn := r.In.ID("target_account_id")
	f.By, f.On = by, on
	p := adminPage(r.In)
	if err := r.In.Err(); err != nil {
		return nil, err
	}
	if !okBy || !okOn {
		return []wire.None{}, nil
	}
	s, err := a.svc.Moderation.Reports(r.Context(), r.Actor(), f, p)
	if err != nil {
		return nil, err
	}
	return request.Paged(r, s, a.enc.AdminReport), nil
}

func (a *API) adminReport(r *request.Request) (any, error) {
	id, err := r.PathID()
	if err != nil {
		return nil, err
	}
	v, err := a.svc.Moderation.ReportByID(r.Context(), r.Actor(), id)
	if err != nil {
		return nil, err
	}
	return a.enc.AdminReport(&v), nil
}

func (a *API) adminUpdateReport(r *request.Request) (any, error) {
	id, err := r.PathID()
	if err != nil {
		return nil, err
	}
	c := linnet.ReportChange{Act: "update", Category: category(r.In)}
	if r.In.Has("rule_ids") {
		rules := ruleNumbers(r.In)
		c.Rules = &rules
	}
	if err := r.In.Err(); err != nil {
		return nil, err
	}
	v, err := a.svc.Moderation.ChangeReport(r.Context(), r.Actor(), id, c)
	if err != nil {
		return nil, err
	}
	return a.enc.AdminReport(&v), nil
}

// reportAct makes a handler of what is done with a report.
func (a *API) reportAct(act string) request.Handler {
	return func(r *request.Request) (any, error) {
		id, err := r.PathID()
		if err != nil {
			return nil, err
		}
		c := linnet.ReportChange{Act: act}
		me, nobody, resolved := r.Viewer(), linnet.ID(0), act == "resolve"
		switch act {
		case "assign":
			c.Assigned = &me
		case "unassign":
			c.Assigned = &nobody
		default:
			c.Resolved = &resolved
		}
		v, err := a.svc.Moderation.ChangeReport(r.Context(), r.Actor(), id, c)
		if err != nil {
			return nil, err
		}
		return a.enc.AdminReport(&v), nil
	}
}

func (a *API) adminMeasures(r *request.Request) (any, error) {
	keys := r.In.Strings("keys")
	if len(keys) > 20 {
		r.In.Fault("keys", "has more than 20 keys")
	}
	from, to := r.In.Day("start_at"), r.In.Day("end_at")
	if err := r.In.Err(); err != nil {
		return nil, err
	}
	found, err := a.svc.Moderation.Measures(r.Context(), r.Actor(), keys, from, to)
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

func (a *API) adminAudit(r *request.Request) (any, error) {
	p := adminPage(r.In)
	if err := r.In.Err(); err != nil {
		return nil, err
	}
	s, err := a.svc.Moderation.Acts(r.Context(), r.Actor(), p)
	if err != nil {
		return nil, err
	}
	return request.Paged(r, s, func(v *linnet.ActView) wire.AuditEntry {
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
