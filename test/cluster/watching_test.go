package cluster_test

import (
	"encoding/json"
	"io"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/VictoriaMetrics/metricsql"
	"go.yaml.in/yaml/v3"

	"linnet/internal/kv/redistest"
)

// TestWatching checks that the alerts for Prometheus and the dashboard for Grafana use existing
// metrics and labels.
func TestWatching(t *testing.T) {
	metrics := "127.0.0.1:" + redistest.FreePort(t)
	s := newServer(t, "watched", build(t), "--metrics-addr", metrics)
	s.start()
	has := scrape(t, "http://"+metrics+"/metrics")

	var rules struct {
		Groups []struct {
			Name  string
			Rules []struct {
				Alert, Expr, For    string
				Labels, Annotations map[string]string
			}
		}
	}
	in := yaml.NewDecoder(strings.NewReader(read(t, "contrib/prometheus/linnet.rules.yml")))
	in.KnownFields(true) // like Prometheus
	if err := in.Decode(&rules); err != nil {
		t.Fatal(err)
	}
	alerts := 0
	for _, g := range rules.Groups {
		for _, r := range g.Rules {
			alerts++
			if r.Alert == "" || r.For == "" || r.Labels["severity"] == "" || r.Annotations["summary"] == "" || r.Annotations["description"] == "" {
				t.Errorf("an alert lacks something: %+v", r)
			}
			has.asks(t, r.Alert, r.Expr)
		}
	}

	var board struct {
		Panels []struct {
			Title   string
			GridPos struct{ X, Y, W, H int }
			Targets []struct{ Expr string }
		}
		Templating struct{ List []struct{ Query string } }
	}
	if err := json.Unmarshal([]byte(read(t, "contrib/grafana/linnet.json")), &board); err != nil {
		t.Fatal(err)
	}
	expressions := 0
	for i, p := range board.Panels {
		for _, x := range p.Targets {
			expressions++
			has.asks(t, p.Title, strings.NewReplacer("$__rate_interval", "5m", "$job", ".*").Replace(x.Expr))
		}
		for _, other := range board.Panels[:i] {
			a, b := p.GridPos, other.GridPos
			if a.X < b.X+b.W && b.X < a.X+a.W && a.Y < b.Y+b.H && b.Y < a.Y+a.H {
				t.Errorf("the panels %q and %q lie over each other", p.Title, other.Title)
			}
		}
	}
	if alerts < 8 || expressions < 20 {
		t.Errorf("%d alerts and %d expressions of panels; are they read right?", alerts, expressions)
	}
}

// series contains the labels of each metric of a server.
type series map[string][]string

// scrape reads the metrics of a server.
func scrape(t *testing.T, url string) series {
	t.Helper()
	resp, err := http.Get(url)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	text, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	out := series{"up": {}} // added by Prometheus
	label := regexp.MustCompile(`([a-z_]+)="`)
	for line := range strings.Lines(string(text)) {
		if strings.HasPrefix(line, "#") {
			continue
		}
		name := line[:strings.IndexAny(line, "{ ")]
		for _, m := range label.FindAllStringSubmatch(line, -1) {
			if !slices.Contains(out[name], m[1]) {
				out[name] = append(out[name], m[1])
			}
		}
		if _, ok := out[name]; !ok {
			out[name] = nil
		}
	}
	return out
}

// asks checks that the metrics and labels of an expression exist.
func (has series) asks(t *testing.T, where, expression string) {
	t.Helper()
	e, err := metricsql.Parse(expression)
	if err != nil {
		t.Errorf("%s: %q: %v", where, expression, err)
		return
	}
	asked := 0
	metricsql.VisitAll(e, func(e metricsql.Expr) {
		m, ok := e.(*metricsql.MetricExpr)
		if !ok {
			return
		}
		for _, filters := range m.LabelFilterss {
			name := ""
			for _, f := range filters {
				if f.Label == "__name__" {
					name = f.Value
				}
			}
			labels, ok := has[name]
			if asked++; !ok {
				t.Errorf("%s: there is no metric %q", where, name)
			}
			for _, f := range filters {
				if f.Label != "__name__" && f.Label != "job" && f.Label != "instance" && !slices.Contains(labels, f.Label) {
					t.Errorf("%s: %s has no label %q", where, name, f.Label)
				}
			}
		}
	})
	if asked == 0 {
		t.Errorf("%s: %q asks for nothing", where, expression)
	}
}
