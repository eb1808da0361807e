package cli

import (
	"os/exec"
	"strings"
	"testing"

	"linnet/internal/config"
)

func manual(t *testing.T) string {
	t.Helper()
	var b strings.Builder
	if err := man(t.Context(), &call{stdout: &b}); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// TestManualHasEverything expects each command, flag, option, variable and exit code in the manual
// page.
func TestManualHasEverything(t *testing.T) {
	text := strings.NewReplacer(`\-`, "-", `\e`, `\`, `\&`, "").Replace(manual(t))
	for _, c := range commands() {
		want := []string{"\\fB" + strings.ReplaceAll(strings.TrimSpace(c.name+" "+c.args), "…", "...") + "\\fR\n", strings.ReplaceAll(strings.TrimSpace(c.help+". "+c.details), "…", "...") + "\n"}
		for _, f := range c.flags {
			want = append(want, "\\fB--"+strings.ReplaceAll(strings.TrimSpace(f.name+" "+f.arg), "…", "...")+"\\fR\n")
		}
		for _, w := range want {
			if !strings.Contains(text, w) {
				t.Errorf("%s: the manual lacks %q", c.name, w)
			}
		}
	}
	for _, key := range append(config.Variables(), "LINNET_CONFIG", "LINNET_PASSWORD", "LINNET_PASSWORD_FILE") {
		if !strings.Contains(text, key) {
			t.Errorf("the manual lacks %s", key)
		}
	}
	for _, o := range config.Options() {
		if !strings.Contains(text, "\\fB--"+o.Name+" ") || o.Default != "" && !strings.Contains(text, "Default: "+o.Default+".") {
			t.Errorf("the manual lacks --%s or its default", o.Name)
		}
	}
}

// TestManualIsRoff expects no unknown macros.
func TestManualIsRoff(t *testing.T) {
	known := map[string]bool{".TH": true, ".SH": true, ".TP": true, ".RS": true, ".RE": true, ".IP": true, ".br": true, ".nh": true, ".ad": true, ".PP": true, `.\"`: true}
	for line := range strings.Lines(manual(t)) {
		if first := strings.Fields(line + " x")[0]; strings.HasPrefix(line, "'") || strings.HasPrefix(line, ".") && !known[first] {
			t.Errorf("%q is no macro", line)
		}
	}
	cmd := exec.Command(programOf(t, "groff"), "-man", "-ww", "-Tutf8", "-z")
	cmd.Stdin = strings.NewReader(manual(t))
	if out, err := cmd.CombinedOutput(); err != nil || len(out) > 0 {
		t.Errorf("groff: %v\n%s", err, out)
	}
}
