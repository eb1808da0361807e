package admin

import (
	"strconv"

	"linnet/internal/linnet"
	"linnet/internal/mastodon/request"
	"linnet/internal/mastodon/wire"
	"linnet/internal/moderation"
)

// reportHandler handles reports by users.
// https://docs.joinmastodon.org/methods/reports/
type reportHandler struct {
	enc        *wire.Encoder
	moderation *moderation.Service
}

func (h *reportHandler) routes() []request.Route {
	return []request.Route{
		request.Handle("POST /api/v1/reports", request.User("write:reports"), h.create),
	}
}

func (h *reportHandler) create(r *request.Request) (any, error) {
	on, ok := r.In.ID("account_id")
	d := linnet.ReportDraft{On: on, Statuses: r.In.IDs("status_ids", linnet.MaxIDsInQuery), Collections: r.In.IDs("collection_ids", linnet.MaxCollections),
		Comment: r.In.String("comment"), Rules: ruleNumbers(r.In)}
	if c := category(r.In); c != nil {
		d.Category = *c
	}
	r.In.Flag("forward")
	if err := r.In.Err(); err != nil {
		return nil, err
	}
	if !ok || on == 0 {
		return nil, request.ErrNotFound()
	}
	v, err := h.moderation.Report(r.Context(), r.Viewer(), d)
	if err != nil {
		return nil, err
	}
	return h.enc.Report(&v), nil
}

// category parses the category of a report. It returns nil if it is absent.
func category(in *request.Input) *linnet.ReportCategory {
	word := in.String("category")
	if word == "" {
		return nil
	}
	c, ok := linnet.ParseReportCategory(word)
	if !ok {
		in.Fault("category", "must be spam, legal, violation or other")
	}
	return &c
}

// ruleNumbers reads the ids of rules, which are their numbers.
func ruleNumbers(in *request.Input) []int {
	items := in.Items("rule_ids")
	if len(items) > linnet.MaxRules {
		in.Fault("rule_ids", "can have at most %d entries", linnet.MaxRules)
		return nil
	}
	var rules []int
	for _, v := range items {
		n, err := strconv.Atoi(v.Text)
		if err != nil || v.Kind != request.KindText && v.Kind != request.KindNumber {
			in.Fault("rule_ids", "must be a list of rule ids")
			return nil
		}
		rules = append(rules, n)
	}
	return rules
}
