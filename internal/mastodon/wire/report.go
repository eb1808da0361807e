package wire

import (
	"strconv"

	"linnet/internal/linnet"
)

// Report is the entity Report.
// https://docs.joinmastodon.org/entities/Report/
type Report struct {
	ID            string   `json:"id"`
	ActionTaken   bool     `json:"action_taken"`
	ActionTakenAt *string  `json:"action_taken_at"`
	Category      string   `json:"category"`
	Comment       string   `json:"comment"`
	Forwarded     bool     `json:"forwarded"`
	CreatedAt     string   `json:"created_at"`
	StatusIDs     []string `json:"status_ids"`
	CollectionIDs []string `json:"collection_ids"`
	RuleIDs       []string `json:"rule_ids"`
	TargetAccount Account  `json:"target_account"`
}

// Report encodes a report for its author.
func (e *Encoder) Report(v *linnet.ReportView) Report {
	out := Report{ID: v.ID.String(), ActionTaken: !v.Open(), ActionTakenAt: OptionalTime(v.Resolved), Category: string(v.Category),
		Comment: v.Comment, CreatedAt: Timestamp(v.ID.Time()), StatusIDs: Each(v.Statuses, idText), CollectionIDs: Each(v.Collections, idText), TargetAccount: e.Account(&v.Target)}
	for _, n := range v.Rules {
		out.RuleIDs = append(out.RuleIDs, strconv.Itoa(n))
	}
	return out
}

func idText(id *linnet.ID) string { return id.String() }
