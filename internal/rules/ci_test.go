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
	phases := []string{"lint"}
	for _, list := range []string{"SUITES", "ALONE"} {
		found := regexp.MustCompile(`(?m)^` + list + ` +:= (.+)$`).FindStringSubmatch(read("Makefile"))
		if found == nil {
			t.Fatalf("the Makefile has no %s", list)
		}
		phases = append(phases, strings.Fields(found[1])...)
	}
	want := "phase: [" + strings.Join(phases, ", ") + "]"
	if !strings.Contains(workflow, want) {
		t.Errorf("ci.yml has no %q", want)
	}
	programs := regexp.MustCompile(`LINNET_REQUIRE:-([a-z0-9.,]+)`).FindStringSubmatch(read(".ci/run"))
	if programs == nil || !strings.Contains(workflow, "LINNET_REQUIRE: "+programs[1]+"\n") {
		t.Errorf("ci.yml does not require %v", programs)
	}
}
