package rules

import (
	"os"
	"regexp"
	"strings"
	"testing"
)

// TestWorkflowHasAllPhases checks that the workflow of the public host runs each phase of make
// test-all, with the programs that .ci/run requires.
func TestWorkflowHasAllPhases(t *testing.T) {
	read := func(path string) string {
		data, err := os.ReadFile("../../" + path)
		if err != nil {
			t.Fatal(err)
		}
		return string(data)
	}
	workflow := read(".github/workflows/ci.yml")
	suites := regexp.MustCompile(`(?m)^SUITES := (.+)$`).FindStringSubmatch(read("Makefile"))
	if suites == nil {
		t.Fatal("the Makefile has no SUITES")
	}
	want := "phase: [lint, " + strings.Join(strings.Fields(suites[1]), ", ") + "]"
	if !strings.Contains(workflow, want) {
		t.Errorf("ci.yml has no %q", want)
	}
	programs := regexp.MustCompile(`LINNET_REQUIRE:-([a-z0-9,]+)`).FindStringSubmatch(read(".ci/run"))
	if programs == nil || !strings.Contains(workflow, "LINNET_REQUIRE: "+programs[1]+"\n") {
		t.Errorf("ci.yml does not require %v", programs)
	}
}
