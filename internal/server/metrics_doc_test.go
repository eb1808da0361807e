package server_test

import (
	"os"
	"regexp"
	"strings"
	"testing"
)

// TestMetricsAreDocumented expects that each metric in the documentation exists.
func TestMetricsAreDocumented(t *testing.T) {
	source := sourceText(t, "metrics.go") + sourceText(t, "metrics_state.go")
	for page, least := range map[string]int{"docs/admin/monitor.md": 15, "contrib/prometheus/linnet.rules.yml": 10} {
		named := regexp.MustCompile(`\blinnet_([a-z_]+)`).FindAllStringSubmatch(sourceText(t, "../../"+page), -1)
		for _, m := range named {
			name := strings.TrimSuffix(m[1], "_bucket")
			if !strings.Contains(source, `"`+name+`"`) && !strings.Contains(source, `"linnet_`+name+`"`) {
				t.Errorf("%s: there is no metric linnet_%s", page, name)
			}
		}
		if len(named) < least {
			t.Errorf("%s names %d metrics, fewer than %d", page, len(named), least)
		}
	}
}

func sourceText(t *testing.T, path string) string {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}
