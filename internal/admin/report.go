package admin

import (
	"fmt"
	"io"
	"sync"

	"linnet/internal/audit"
)

// Severity is the importance of a finding for an operator.
type Severity string

const (
	Breach  Severity = "problem" // an invariant does not hold
	Pending Severity = "pending" // not valid yet, but a queued task will fix it
	Note    Severity = "note"    // no visible error
)

// Found is one line of a report.
type Found struct {
	Severity Severity   `json:"severity"`
	Rule     audit.Rule `json:"rule"`
	Key      string     `json:"key"`
	Text     string     `json:"text"`
}

// Report is the result of a check.
type Report struct {
	Keys     int64                `json:"keys"`     // audited records
	Users    int64                `json:"users"`    // existing users
	Statuses int64                `json:"statuses"` // boosts among them
	Feeds    int64                `json:"feeds"`    // existing feeds; others have no entries to check
	Tasks    int64                `json:"tasks"`    // waiting and failed
	Count    map[Severity]int64   `json:"count"`
	Rules    map[audit.Rule]int64 `json:"rules"` // breaches by rule
	Findings []Found              `json:"findings"`
	Left     int64                `json:"left"`    // findings that are counted but not listed
	Seconds  float64              `json:"seconds"` // duration of the check

	mu     sync.Mutex
	limit  int            // maximum of each severity
	alike  map[string]int // findings listed, by key, rule and severity
	listed map[Severity]int
}

// alikeMost is the maximum number of listed findings per rule and key.
const alikeMost = 5

// add counts a finding, and lists it unless there are already many.
func (r *Report) add(s Severity, f audit.Finding) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.Count[s]++
	if s == Breach {
		r.Rules[f.Rule]++
	}
	key := f.Key.String()
	group := string(s) + " " + string(f.Rule) + " " + key
	if r.listed[s] >= r.limit || r.alike[group] >= alikeMost {
		r.Left++
		return
	}
	r.listed[s]++
	r.alike[group]++
	r.Findings = append(r.Findings, Found{s, f.Rule, key, f.Text})
}

// Clean reports whether there is no breach, and nothing pending that could hide one.
func (r *Report) Clean() bool { return r.Count[Breach] == 0 && r.Count[Pending] == 0 }

// Print writes the report for people.
func (r *Report) Print(w io.Writer) error {
	for _, f := range r.Findings {
		if _, err := fmt.Fprintf(w, "%-7s  %-10s  %s: %s\n", f.Severity, f.Rule, f.Key, f.Text); err != nil {
			return err
		}
	}
	if r.Left > 0 {
		if _, err := fmt.Fprintf(w, "%s more findings are not listed\n", group(r.Left)); err != nil {
			return err
		}
	}
	_, err := fmt.Fprintf(w, "checked %s keys in %.1f s: %s users, %s statuses, %s warm feeds, %s tasks\n%s problems, %s pending, %s notes\n",
		group(r.Keys), r.Seconds, group(r.Users), group(r.Statuses), group(r.Feeds), group(r.Tasks),
		group(r.Count[Breach]), group(r.Count[Pending]), group(r.Count[Note]))
	return err
}
