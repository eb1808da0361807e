package mastodon

import (
	"strconv"

	"linnet/internal/linnet"
)

// report is the entity Report.
// https://docs.joinmastodon.org/entities/Report/
type report struct {
	ID            string   `json:"id"`
	ActionTaken   bool     `json:"action_taken"`
	ActionTakenAt *string  `json:"action_taken_at"`
	Category      string   `json:"category"`
	Comment       string   `json:"comment"`
	Forwarded     bool     `json:"forwarded"`
	CreatedAt     string   `json:"created_at"`
	StatusIDs     []string `json:"status_ids"`
	RuleIDs       []string `json:"rule_ids"`
	TargetAccount account  `json:"target_account"`
}

func (a *API) report(v *linnet.ReportView) report {
	out := report{ID: v.ID.String(), ActionTaken: !v.Open(), ActionTakenAt: resolvedAt(&v.Report), Category: string(v.Category),
		Comment: v.Comment, CreatedAt: timestamp(v.ID.Time()), StatusIDs: make([]string, len(v.Statuses)), TargetAccount: a.account(&v.Target)}
	for i, id := range v.Statuses {
		out.StatusIDs[i] = id.String()
	}
	for _, n := range v.Rules {
		out.RuleIDs = append(out.RuleIDs, strconv.Itoa(n))
	}
	return out
}

func resolvedAt(r *linnet.Report) *string {
	if r.Open() {
		return nil
	}
	at := timestamp(r.Resolved)
	return &at
}

func (a *API) createReport(r *request) (any, error) {
	on, ok := r.in.id("account_id")
	d := linnet.ReportDraft{On: on, Statuses: r.in.ids("status_ids", linnet.MaxIDsInQuery), Comment: r.in.text("comment"), Rules: ruleNumbers(r.in)}
	if c := category(r.in); c != nil {
		d.Category = *c
	}
	r.in.flag("forward")
	if err := r.in.err(); err != nil {
		return nil, err
	}
	if !ok || on == 0 {
		return nil, errNotFound()
	}
	v, err := a.svc.Moderation.Report(r.Context(), r.me(), d)
	if err != nil {
		return nil, err
	}
	return a.report(&v), nil
}

// category reads Mastodon's word for what a report is about, nil if there is none.
func category(in *input) *linnet.ReportCategory {
	word := in.text("category")
	if word == "" {
		return nil
	}
	c, ok := linnet.ParseReportCategory(word)
	if !ok {
		in.fault("category", "must be spam, legal, violation or other")
	}
	return &c
}

// ruleNumbers reads the ids of rules, which are their numbers.
func ruleNumbers(in *input) []int {
	items := in.items("rule_ids")
	if len(items) > linnet.MaxRules {
		in.fault("rule_ids", "can have at most %d ids", linnet.MaxRules)
		return nil
	}
	var rules []int
	for _, v := range items {
		n, err := strconv.Atoi(v.text)
		if err != nil || v.kind != kindText && v.kind != kindNumber {
			in.fault("rule_ids", "must be a list of ids of rules")
			return nil
		}
		rules = append(rules, n)
	}
	return rules
}
