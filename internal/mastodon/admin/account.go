package admin

import (
	"linnet/internal/core"
	"linnet/internal/linnet"
	"linnet/internal/mastodon/request"
	"linnet/internal/mastodon/wire"
	"linnet/internal/moderation"
	"linnet/internal/wording"
)

// accountHandler handles accounts and reports for staff.
// https://docs.joinmastodon.org/methods/admin/
type accountHandler struct {
	enc        *wire.Encoder
	core       *core.Service
	moderation *moderation.Service
}

func (h *accountHandler) routes() []request.Route {
	return []request.Route{
		request.Handle("GET /api/v1/admin/domain_blocks", request.User("admin:read:domain_blocks"), staff(h.core, linnet.ManageUsers, empty)),
		request.Handle("GET /api/v1/admin/domain_allows", request.User("admin:read:domain_allows"), staff(h.core, linnet.ManageUsers, empty)),
		request.Handle("GET /api/v1/admin/accounts", request.User("admin:read:accounts"), staff(h.core, linnet.ManageUsers, h.accountsV1)),
		request.Handle("GET /api/v2/admin/accounts", request.User("admin:read:accounts"), staff(h.core, linnet.ManageUsers, h.accountsV2)),
		request.Handle("GET /api/v1/admin/accounts/{id}", request.User("admin:read:accounts"), staff(h.core, linnet.ManageUsers, h.account)),
		request.Handle("POST /api/v1/admin/accounts/{id}/approve", request.User("admin:write:accounts"), staff(h.core, linnet.ManageUsers, h.accountAct(linnet.Approve))),
		request.Handle("POST /api/v1/admin/accounts/{id}/reject", request.User("admin:write:accounts"), staff(h.core, linnet.ManageUsers, h.accountAct(linnet.Reject))),
		request.Handle("POST /api/v1/admin/accounts/{id}/enable", request.User("admin:write:accounts"), staff(h.core, linnet.ManageUsers, h.accountAct(linnet.Enable))),
		request.Handle("POST /api/v1/admin/accounts/{id}/unsilence", request.User("admin:write:accounts"), staff(h.core, linnet.ManageUsers, h.accountAct(linnet.Unsilence))),
		request.Handle("POST /api/v1/admin/accounts/{id}/unsensitive", request.User("admin:write:accounts"), staff(h.core, linnet.ManageUsers, h.accountAct(linnet.Unsensitize))),
		request.Handle("POST /api/v1/admin/accounts/{id}/unsuspend", request.User("admin:write:accounts"), staff(h.core, linnet.ManageUsers, h.accountAct(linnet.Unsuspend))),
		request.Handle("DELETE /api/v1/admin/accounts/{id}", request.User("admin:write:accounts"), staff(h.core, linnet.ManageUsers|linnet.DeleteUserData, h.deleteAccount)),
		request.Handle("POST /api/v1/admin/accounts/{id}/action", request.User("admin:write:accounts"), staff(h.core, linnet.ManageUsers, h.action)),
		request.Handle("GET /api/v1/admin/reports", request.User("admin:read:reports"), staff(h.core, linnet.ManageReports, h.reports)),
		request.Handle("GET /api/v1/admin/reports/{id}", request.User("admin:read:reports"), staff(h.core, linnet.ManageReports, h.report)),
		request.Handle("PUT /api/v1/admin/reports/{id}", request.User("admin:write:reports"), staff(h.core, linnet.ManageReports, h.updateReport)),
		request.Handle("POST /api/v1/admin/reports/{id}/assign_to_self", request.User("admin:write:reports"), staff(h.core, linnet.ManageReports, h.reportAct("assign"))),
		request.Handle("POST /api/v1/admin/reports/{id}/unassign", request.User("admin:write:reports"), staff(h.core, linnet.ManageReports, h.reportAct("unassign"))),
		request.Handle("POST /api/v1/admin/reports/{id}/resolve", request.User("admin:write:reports"), staff(h.core, linnet.ManageReports, h.reportAct("resolve"))),
		request.Handle("POST /api/v1/admin/reports/{id}/reopen", request.User("admin:write:reports"), staff(h.core, linnet.ManageReports, h.reportAct("reopen"))),
		request.Handle("GET /api/v1/linnet/admin/audit", request.User("admin:read"), staff(h.core, linnet.ViewAuditLog, h.audit)),
	}
}

// staff restricts a handler to actors with all of the permissions.
func staff(c *core.Service, all linnet.Permission, h request.Handler) request.Handler {
	return func(r *request.Request) (any, error) {
		if err := c.Authorize(r.Context(), r.Actor(), all); err != nil {
			return nil, err
		}
		return h(r)
	}
}

// empty is the handler of lists that are always empty: without federation no server is blocked or
// allowed.
func empty(r *request.Request) (any, error) {
	_ = request.AccountPage(r.In) // so that a bad parameter is refused
	return []wire.None{}, r.In.Err()
}

// adminPage reads the paging parameters of lists for staff.
func adminPage(in *request.Input) linnet.Page { return in.Page(100, 200) }

func (h *accountHandler) accountsV1(r *request.Request) (any, error) {
	var q moderation.AccountsQuery
	for _, st := range []linnet.AccountState{linnet.StateActive, linnet.StatePending, linnet.StateDisabled, linnet.StateSilenced, linnet.StateSensitized, linnet.StateSuspended} {
		if r.In.Flag(string(st)) {
			q.State = st
		}
	}
	if r.In.Flag("staff") {
		q.Role = linnet.Moderator
	}
	return h.accounts(r, q, r.In.Flag("remote"))
}

func (h *accountHandler) accountsV2(r *request.Request) (any, error) {
	q := moderation.AccountsQuery{State: linnet.AccountState(r.In.String("status"))}
	switch q.State {
	case linnet.AnyState, linnet.StateActive, linnet.StatePending, linnet.StateDisabled, linnet.StateSilenced, linnet.StateSuspended:
	default:
		r.In.Fault("status", "must be active, pending, disabled, silenced or suspended")
	}
	if r.In.String("permissions") == "staff" {
		q.Role = linnet.Moderator
	}
	return h.accounts(r, q, r.In.String("origin") == "remote")
}

// accounts lists users, or groups with Linnet's own parameter groups. Filters that match no local
// account (remote, domain, address) return an empty list.
func (h *accountHandler) accounts(r *request.Request, q moderation.AccountsQuery, none bool) (any, error) {
	q.Named, q.Email, q.Groups = r.In.String("username"), r.In.String("email"), r.In.Flag("groups")
	if name := r.In.String("display_name"); name != "" && q.Named == "" {
		q.Named = name
	}
	none = none || r.In.String("by_domain") != "" || r.In.String("ip") != ""
	p := adminPage(r.In)
	if err := r.In.Err(); err != nil {
		return nil, err
	}
	if none {
		return []wire.None{}, nil
	}
	s, err := h.moderation.Accounts(r.Context(), r.Actor(), q, p)
	if err != nil {
		return nil, err
	}
	return request.Paged(r, s, h.enc.AdminAccount), nil
}

func (h *accountHandler) account(r *request.Request) (any, error) {
	id, err := r.PathID()
	if err != nil {
		return nil, err
	}
	return h.showAccount(r, id)
}

func (h *accountHandler) showAccount(r *request.Request, id linnet.ID) (any, error) {
	v, err := h.moderation.Account(r.Context(), r.Actor(), id)
	if err != nil {
		return nil, err
	}
	return h.enc.AdminAccount(&v), nil
}

// accountAct returns the handler of a moderation action that has its own route.
func (h *accountHandler) accountAct(act linnet.Moderation) request.Handler {
	return func(r *request.Request) (any, error) {
		id, err := r.PathID()
		if err != nil {
			return nil, err
		}
		v, err := h.moderation.Account(r.Context(), r.Actor(), id)
		if err != nil {
			return nil, err
		}
		if err := h.moderation.Moderate(r.Context(), r.Actor(), linnet.Measure{On: id, Act: act}); err != nil {
			return nil, err
		}
		if act == linnet.Reject { // the account was deleted
			return h.enc.AdminAccount(&v), nil
		}
		return h.showAccount(r, id)
	}
}

// deleteAccount deletes a suspended account, and returns it as it was before.
func (h *accountHandler) deleteAccount(r *request.Request) (any, error) {
	id, err := r.PathID()
	if err != nil {
		return nil, err
	}
	v, err := h.moderation.Account(r.Context(), r.Actor(), id)
	if err != nil {
		return nil, err
	}
	return h.enc.AdminAccount(&v), h.moderation.DeleteAccount(r.Context(), r.Actor(), id)
}

func (h *accountHandler) action(r *request.Request) (any, error) {
	id, err := r.PathID()
	if err != nil {
		return nil, err
	}
	m, ok := measure(r.In)
	m.On, m.Act = id, linnet.Moderation(r.In.String("type"))
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
	return wire.Empty{}, h.moderation.ModerateReported(r.Context(), r.Actor(), m)
}

func (h *accountHandler) reports(r *request.Request) (any, error) {
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
	s, err := h.moderation.Reports(r.Context(), r.Actor(), f, p)
	if err != nil {
		return nil, err
	}
	return request.Paged(r, s, h.enc.AdminReport), nil
}

func (h *accountHandler) report(r *request.Request) (any, error) {
	id, err := r.PathID()
	if err != nil {
		return nil, err
	}
	v, err := h.moderation.ReportByID(r.Context(), r.Actor(), id)
	if err != nil {
		return nil, err
	}
	return h.enc.AdminReport(&v), nil
}

func (h *accountHandler) updateReport(r *request.Request) (any, error) {
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
	v, err := h.moderation.ChangeReport(r.Context(), r.Actor(), id, c)
	if err != nil {
		return nil, err
	}
	return h.enc.AdminReport(&v), nil
}

// reportAct returns the handler of an action on a report.
func (h *accountHandler) reportAct(act string) request.Handler {
	return func(r *request.Request) (any, error) {
		id, err := r.PathID()
		if err != nil {
			return nil, err
		}
		c := linnet.ReportChange{Act: act}
		me, unassigned, resolved := r.Viewer(), linnet.ID(0), act == "resolve"
		switch act {
		case "assign":
			c.Assigned = &me
		case "unassign":
			c.Assigned = &unassigned
		default:
			c.Resolved = &resolved
		}
		v, err := h.moderation.ChangeReport(r.Context(), r.Actor(), id, c)
		if err != nil {
			return nil, err
		}
		return h.enc.AdminReport(&v), nil
	}
}

func (h *accountHandler) audit(r *request.Request) (any, error) {
	p := adminPage(r.In)
	if err := r.In.Err(); err != nil {
		return nil, err
	}
	s, err := h.moderation.Acts(r.Context(), r.Actor(), p)
	if err != nil {
		return nil, err
	}
	return request.Paged(r, s, func(v *linnet.ActView) wire.AuditEntry {
		out := wire.AuditEntry{ID: v.ID.String(), CreatedAt: wire.Timestamp(v.At), Action: string(v.Act.Act), Detail: wording.Message(v.Detail).String(), Reason: v.Reason,
			ReportID: wire.OptionalID(v.Report)}
		if v.ByUser != nil {
			by := h.enc.Account(v.ByUser)
			out.Account = &by
		}
		if v.OnUser != nil {
			on := h.enc.Account(v.OnUser)
			out.Target = &on
		}
		return out
	}), nil
}
