package bench

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"
)

// TestPollsOnARealServer checks that polls read each home in turn, with writes, and report the cost
// of the server and of the static bytes.
func TestPollsOnARealServer(t *testing.T) {
	url, accounts := installation(t, 4)
	var asked atomic.Int64
	metrics := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		n := asked.Add(1)
		fmt.Fprintf(w, "# HELP process_cpu_seconds_total Total.\nprocess_cpu_seconds_total %d.5\n", n)
		fmt.Fprintf(w, "linnet_store_command_duration_seconds_count{op=\"read\"} %d\nlinnet_store_command_duration_seconds_count{op=\"txn\"} 1e2\n", 100*n)
	}))
	t.Cleanup(metrics.Close)
	r, err := Run(t.Context(), Options{URL: url, Accounts: accounts, Measure: "polls", Rate: 100, Rest: 10 * time.Millisecond,
		Duration: time.Second, Connections: 4, Static: true, Metrics: metrics.URL})
	if err != nil {
		t.Fatal(err)
	}
	if r.Total.Failed != 0 {
		t.Fatalf("%+v", r.Failures)
	}
	got := map[string]uint64{}
	for _, l := range r.Operations {
		got[l.Name] = l.Requests
	}
	if got[opHome] != 100 || got[opPost] != 5 || got[opFavourite] != 20 || got[opFollow]+got[opUnfollow] > 2 {
		t.Errorf("requests: %v", got)
	}
	if len(r.Costs) != 2 {
		t.Fatalf("costs: %+v", r.Costs)
	}
	if c := r.Costs[0]; c.Requests != r.Total.Requests || c.Seconds != 1 || c.StoreCalls != 100 || c.PerRequest() != time.Second/time.Duration(c.Requests) {
		t.Errorf("the server: %+v", c)
	}
	if c := r.Costs[1]; c.Name != opStatic || c.Requests == 0 || c.Requests > 100 || c.Seconds <= 0 {
		t.Errorf("still bytes: %+v", c)
	}
	var text strings.Builder
	if err := r.WriteText(&text); err != nil || !strings.Contains(text.String(), "calls of the store each") || !strings.Contains(text.String(), "static bytes") {
		t.Errorf("%v\n%s", err, text.String())
	}
}

func TestMetricsThatSayNothing(t *testing.T) {
	answers := map[string]struct {
		code int
		body string
		want string
	}{
		"none":     {http.StatusNotFound, "", "404"},
		"no clock": {http.StatusOK, "go_goroutines 12\n", "does not contain the metric process_cpu_seconds_total"},
		"no page":  {http.StatusOK, "<html>", "does not contain the metric"},
	}
	for name, c := range answers {
		srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			w.WriteHeader(c.code)
			fmt.Fprint(w, c.body)
		}))
		if _, err := readGauge(t.Context(), srv.URL); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", name, err, c.want)
		}
		srv.Close()
	}
}
