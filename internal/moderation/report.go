package moderation

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"time"
	"unicode/utf8"

	"linnet/internal/core"
	"linnet/internal/linnet"
	"linnet/internal/record"
	"linnet/internal/store/db"
	"linnet/internal/task"
	"linnet/internal/timeline"
)

var errNoReport = linnet.Errorf(linnet.NotFound, "Record not found")

// Report files a report with the moderators. The same report within an hour is stored once.
// https://docs.joinmastodon.org/methods/reports/#post
func (s *Service) Report(ctx context.Context, me linnet.ID, d linnet.ReportDraft) (linnet.ReportView, error) {
	r, err := s.checkReport(ctx, me, d)
	if err != nil {
		return linnet.ReportView{}, err
	}
	if err := s.core.AllowReport(ctx, me, r.On); err != nil {
		return linnet.ReportView{}, err
	}
	hash := record.Hash(fmt.Sprint(r.By, r.On, r.Statuses, r.Category, r.Rules, r.Comment, r.Collections))
	t, fresh, err := s.st.Staff.CreateReport(ctx, &r, hash, func(id linnet.ID) (task.Task, error) {
		return s.tasks.New(id.Shard(), taskReported, reportArgs{id})
	})
	if err != nil {
		return linnet.ReportView{}, core.StoreError(err)
	}
	if fresh {
		s.tasks.Run(ctx, t)
	}
	target, err := s.view.User(ctx, me, r.On)
	return linnet.ReportView{Report: r, Target: target}, err
}

// checkReport returns the report of a draft, or an error.
func (s *Service) checkReport(ctx context.Context, me linnet.ID, d linnet.ReportDraft) (r linnet.Report, err error) {
	r = linnet.Report{By: me, On: d.On, Category: d.Category, Comment: core.Lines(d.Comment), Updated: s.st.Now()}
	if d.On == me {
		return r, linnet.FieldError("account_id", "ERR_INVALID", "is your own account")
	}
	if utf8.RuneCountInString(r.Comment) > linnet.MaxReason || len(d.Comment) > core.CharBytes*linnet.MaxReason {
		return r, linnet.FieldError("comment", "ERR_TOO_LONG", "is too long (maximum is %d characters)", linnet.MaxReason)
	}
	if err := core.CheckMarks("comment", r.Comment); err != nil {
		return r, err
	}
	if r.Category == "" {
		r.Category = linnet.ReportOther
	}
	if err := cmp.Or(s.social.MustExist(ctx, me, d.On), core.NotSystem(d.On)); err != nil {
		return r, err
	}
	if r.Rules, err = s.checkRules(ctx, d.Rules); err != nil {
		return r, err
	}
	if len(r.Rules) > 0 {
		r.Category = linnet.ReportViolation
	}
	views, err := s.view.Statuses(ctx, me, d.Statuses[:min(len(d.Statuses), linnet.MaxIDsInQuery)])
	for _, v := range views {
		if v.Author == d.On {
			r.Statuses = append(r.Statuses, v.ID)
		}
	}
	if err != nil || len(d.Collections) == 0 {
		return r, err
	}
	found, err := s.st.Relations.Collections(ctx, d.Collections[:min(len(d.Collections), linnet.MaxCollections)])
	if err != nil {
		return r, core.StoreError(err)
	}
	shown, err := s.view.Collections(ctx, me, found)
	for _, c := range shown {
		if c.Owner == d.On {
			r.Collections = append(r.Collections, c.ID)
		}
	}
	return r, err
}

// checkRules returns the distinct rule numbers, or an error if one doesn't exist.
func (s *Service) checkRules(ctx context.Context, rules []int) ([]int, error) {
	if len(rules) == 0 {
		return nil, nil
	}
	in, _, err := s.st.Instance.Get(ctx)
	if err != nil {
		return nil, core.StoreError(err)
	}
	rules = slices.Clone(rules)
	slices.Sort(rules)
	rules = slices.Compact(rules)
	for _, n := range rules {
		if n < 1 || n > len(in.Rules) {
			return nil, linnet.FieldError("rule_ids", "ERR_INVALID", "can't contain rule %d, which doesn't exist", n)
		}
	}
	return rules, nil
}

type reportArgs struct {
	Report linnet.ID `json:"report"`
}

// reported notifies moderators of a report.
func (s *Service) reported(ctx context.Context, a reportArgs) (*reportArgs, error) {
	found, err := s.st.Staff.Reports(ctx, []linnet.ID{a.Report})
	if err != nil || len(found) == 0 {
		return nil, err
	}
	if err := s.notify.NotifyStaff(ctx, linnet.Notification{ID: a.Report, Type: linnet.NotifyReport, From: found[0].By, Report: a.Report}); err != nil {
		return nil, err
	}
	return nil, s.identity.Emails().NotifyStaff(ctx, linnet.ManageReports, found[0].By, "/admin/reports/"+found[0].ID.String())
}

// Reports returns a page of reports for staff who manage them, newest first.
func (s *Service) Reports(ctx context.Context, by linnet.Actor, f linnet.ReportFilter, p linnet.Page) (out linnet.Slice[linnet.StaffReport], err error) {
	if err := s.core.Authorize(ctx, by, linnet.ManageReports); err != nil {
		return out, err
	}
	if p.Limit == 0 {
		p.Limit = 100
	}
	sp, err := timeline.Span(p, accountsMost)
	if err != nil {
		return out, err
	}
	ids, err := s.st.Staff.ReportIDs(ctx, f, sp)
	if err != nil {
		return out, core.StoreError(err)
	}
	found, err := s.st.Staff.Reports(ctx, ids)
	if err != nil {
		return out, core.StoreError(err)
	}
	found = slices.DeleteFunc(found, func(r linnet.Report) bool {
		return r.Open() == f.Resolved || f.On != 0 && r.On != f.On || f.By != 0 && r.By != f.By
	})
	if out.Items, err = s.staffReports(ctx, by, found); err != nil {
		return out, err
	}
	if n := len(ids); n > 0 {
		out.First, out.Last = linnet.CursorOf(ids[0]), linnet.CursorOf(ids[n-1])
		if n < sp.Limit && !sp.Asc {
			out.End()
		}
	}
	return out, nil
}

// ReportByID returns a report for staff who manage reports.
func (s *Service) ReportByID(ctx context.Context, by linnet.Actor, id linnet.ID) (linnet.StaffReport, error) {
	if err := s.core.Authorize(ctx, by, linnet.ManageReports); err != nil {
		return linnet.StaffReport{}, err
	}
	found, err := s.st.Staff.Reports(ctx, []linnet.ID{id})
	if err != nil {
		return linnet.StaffReport{}, core.StoreError(err)
	}
	views, err := s.staffReports(ctx, by, found)
	if err == nil && len(views) == 0 {
		err = errNoReport
	}
	if err != nil {
		return linnet.StaffReport{}, err
	}
	return views[0], nil
}

// staffReports loads reports for staff, including reported statuses that staff couldn't see
// otherwise. Private data of the users is included for staff who manage users.
func (s *Service) staffReports(ctx context.Context, to linnet.Actor, rs []linnet.Report) ([]linnet.StaffReport, error) {
	var people, statuses []linnet.ID
	for _, r := range rs {
		people = append(people, r.By, r.On, r.Assigned, r.ResolvedBy)
		statuses = append(statuses, r.Statuses...)
	}
	slices.Sort(people)
	accounts, err := s.accountViews(ctx, slices.DeleteFunc(slices.Compact(people), func(id linnet.ID) bool { return id == 0 }))
	if err != nil {
		return nil, err
	}
	acting, err := s.core.Acting(ctx, to)
	if err != nil {
		return nil, err
	}
	by := map[linnet.ID]*linnet.AccountView{}
	for i := range accounts {
		if !acting.May.Has(linnet.ManageUsers) {
			accounts[i] = linnet.AccountView{UserView: accounts[i].UserView}
		}
		by[accounts[i].ID] = &accounts[i]
	}
	in, _, err := s.st.Instance.Get(ctx)
	if err != nil {
		return nil, core.StoreError(err)
	}
	l := s.view.Loader(0)
	l.Staff = true
	for _, id := range statuses {
		l.Want(id, 0)
	}
	if err := l.Run(ctx); err != nil {
		return nil, err
	}
	collections, err := s.reportedCollections(ctx, rs)
	if err != nil {
		return nil, err
	}
	out := make([]linnet.StaffReport, len(rs))
	for i, r := range rs {
		out[i] = linnet.StaffReport{Report: r, ByAccount: by[r.By], OnAccount: by[r.On], AssignedTo: by[r.Assigned], ResolvedByAccount: by[r.ResolvedBy]}
		for _, id := range r.Statuses {
			if v, ok := l.View(id); ok {
				out[i].StatusViews = append(out[i].StatusViews, v)
			}
		}
		for _, id := range r.Collections {
			if v, ok := collections[id]; ok {
				out[i].CollectionViews = append(out[i].CollectionViews, v)
			}
		}
		for _, n := range r.Rules {
			rule := ""
			if n <= len(in.Rules) {
				rule = in.Rules[n-1]
			}
			out[i].RuleTexts = append(out[i].RuleTexts, rule)
		}
	}
	return out, nil
}

// reportedCollections loads the reported collections, including those of hidden owners.
func (s *Service) reportedCollections(ctx context.Context, rs []linnet.Report) (map[linnet.ID]linnet.CollectionView, error) {
	var ids []linnet.ID
	for _, r := range rs {
		ids = append(ids, r.Collections...)
	}
	found, err := s.st.Relations.Collections(ctx, ids)
	if err != nil {
		return nil, core.StoreError(err)
	}
	out := make(map[linnet.ID]linnet.CollectionView, len(found))
	for _, c := range found {
		c.Items = slices.DeleteFunc(c.Items, func(it linnet.CollectionItem) bool { return it.State != linnet.ItemAccepted })
		out[c.ID] = linnet.CollectionView{Collection: c}
	}
	return out, nil
}

// ChangeReport changes a report, for staff who manage reports. It adds to the audit log.
// https://docs.joinmastodon.org/methods/admin/reports/
func (s *Service) ChangeReport(ctx context.Context, by linnet.Actor, id linnet.ID, c linnet.ReportChange) (linnet.StaffReport, error) {
	if err := s.core.Authorize(ctx, by, linnet.ManageReports); err != nil {
		return linnet.StaffReport{}, err
	}
	if c.Rules != nil {
		rules, err := s.checkRules(ctx, *c.Rules)
		if err != nil {
			return linnet.StaffReport{}, err
		}
		c.Rules = &rules
	}
	if err := s.changeReport(ctx, by, id, c); err != nil {
		return linnet.StaffReport{}, err
	}
	return s.ReportByID(ctx, by, id)
}

func (s *Service) changeReport(ctx context.Context, by linnet.Actor, id linnet.ID, c linnet.ReportChange) error {
	act := s.core.NewAct(by, linnet.Moderation(c.Act), 0)
	act.Report = id
	t, err := s.tasks.New(id.Shard(), core.TaskLogged, act)
	if err != nil {
		return err
	}
	_, ok, err := s.st.Staff.UpdateReport(ctx, id, t, func(r *linnet.Report) error {
		if c.Resolved != nil && *c.Resolved == !r.Open() {
			return errSame
		}
		core.Set(&r.Category, c.Category)
		core.Set(&r.Rules, c.Rules)
		core.Set(&r.Assigned, c.Assigned)
		if c.Resolved != nil {
			r.Resolved, r.ResolvedBy = time.Time{}, 0
			if *c.Resolved {
				r.Resolved, r.ResolvedBy = s.st.Now(), by.ID()
			}
		}
		return nil
	})
	switch {
	case err == errSame:
		return nil
	case err != nil:
		return core.StoreError(err)
	case !ok:
		return errNoReport
	}
	s.tasks.Run(ctx, t)
	return nil
}

// logged adds an action to the audit log, and notifies the author of a resolved report.
func (s *Service) logged(ctx context.Context, a core.ActArgs) (*core.ActArgs, error) {
	if a.Act == actResolve && a.Report != 0 {
		if err := s.notifyReporter(ctx, a.Report); err != nil {
			return nil, err
		}
	}
	return nil, s.st.Staff.LogAct(ctx, a.Record())
}

// actResolve is the action of resolving a report, in the audit log.
const actResolve = "resolve"

// resolvedMost is the maximum number of open reports that one action resolves.
const resolvedMost = 100

// ModerateReported is like Moderate, or applies an action to posts, and resolves the report that
// caused it. If the account was limited, it also resolves the other open reports of the account. It
// resolves reports only for staff who manage them.
// https://docs.joinmastodon.org/methods/admin/accounts/#action
func (s *Service) ModerateReported(ctx context.Context, by linnet.Actor, m linnet.Measure) error {
	acting, err := s.core.Acting(ctx, by)
	if err != nil {
		return err
	}
	reports := acting.May.Has(linnet.ManageReports)
	if m.Report != 0 {
		if !reports {
			return core.ErrNotAllowed
		}
		found, err := s.st.Staff.Reports(ctx, []linnet.ID{m.Report})
		if err != nil {
			return core.StoreError(err)
		}
		if len(found) == 0 || found[0].On != m.On {
			return errNoReport
		}
		if m.Posts == nil {
			m.Posts = found[0].Statuses
		}
		if m.Rules == nil {
			m.Rules = found[0].Rules
		}
	}
	apply := s.Moderate
	if m.Act.OnPosts() {
		apply = s.moderatePosts
	}
	if err := apply(ctx, by, m); err != nil || !reports {
		return err
	}
	open := []linnet.ID{m.Report}
	if _, to := m.Act.Flag(&linnet.User{}); to { // the account is limited, so nothing is left to do
		page, err := s.st.Staff.ReportIDs(ctx, linnet.ReportFilter{On: m.On}, db.Span{Limit: resolvedMost})
		if err != nil {
			return core.StoreError(err)
		}
		open = append(open, page...)
	}
	yes := true
	for _, id := range open {
		if id == 0 {
			continue
		}
		if err := s.changeReport(ctx, by, id, linnet.ReportChange{Act: actResolve, Resolved: &yes}); err != nil && linnet.KindOf(err) != linnet.NotFound {
			return err
		}
	}
	return nil
}
