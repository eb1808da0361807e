package mastodon

import (
	"strconv"

	"linnet/internal/linnet"
)

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
	return a.enc.Report(&v), nil
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
