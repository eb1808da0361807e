package cli

import (
	"slices"
	"strings"
	"testing"

	"linnet/internal/config"
)

func TestParseLine(t *testing.T) {
	for _, c := range []struct {
		in   string
		cmd  string
		args string
		set  string // an option or a flag that must have a value
	}{
		{"", "serve", "", ""},
		{"--addr :0", "serve", "", "addr=:0"},
		{"serve --addr=:0 example.com", "serve", "example.com", "addr=:0"},
		{"--data d user create ann --admin", "user create", "ann", "admin=true"},
		{"user --data d create ann", "user create", "ann", "data=d"},
		{"user create --admin ann", "user create", "ann", "admin=true"},
		{"--admin user create ann", "user create", "ann", "admin=true"},
		{"-data d version", "version", "", "data=d"},
		{"user create -- --admin", "user create", "--admin", ""},
		{"instance rule add no --json", "", "", ""},
		{"instance set title=x description=y", "instance set", "title=x description=y", ""},
		{"--config f --redis.wait_replicas 2 config show --json", "config show", "", "redis.wait_replicas=2"},
		{"help user create", "help", "user create", ""},
	} {
		l, err := parseLine(commands(), strings.Fields(c.in))
		if c.cmd == "" {
			if err == nil {
				t.Errorf("%q was accepted", c.in)
			}
			continue
		}
		if err != nil {
			t.Errorf("%q: %v", c.in, err)
			continue
		}
		if l.cmd.name != c.cmd || strings.Join(l.args, " ") != c.args {
			t.Errorf("%q: got %q with %q, want %q with %q", c.in, l.cmd.name, l.args, c.cmd, c.args)
		}
		if name, value, ok := strings.Cut(c.set, "="); ok && l.options[name] != value && l.flags[name] != value {
			t.Errorf("%q: %s is not set: options %v, flags %v", c.in, c.set, l.options, l.flags)
		}
	}
}

func TestParseLineHelp(t *testing.T) {
	for in, want := range map[string]string{
		"--help": "", "-h": "", "serve --help": "serve", "user --help": "user", "user create --help": "user create", "user create ann -h": "user create", "--help version": "version",
	} {
		l, err := parseLine(commands(), strings.Fields(in))
		if err != nil || l.cmd.name != "help" || strings.Join(l.args, " ") != want {
			t.Errorf("%q: %+v, %v", in, l, err)
		}
	}
}

// TestForwarded expects that a forwarded line has the same meaning in the server.
func TestForwarded(t *testing.T) {
	for _, in := range []string{
		"--data /d user create ann --admin", "user create -- --admin", "tasks retry a b", "user list --json", "instance set title=--x",
	} {
		l, err := parseLine(commands(), strings.Fields(in))
		if err != nil {
			t.Fatal(err)
		}
		again, err := parseLine(commands(), l.forwarded())
		if err != nil {
			t.Errorf("%q was forwarded as %q: %v", in, l.forwarded(), err)
			continue
		}
		if len(again.options) > 0 || again.cmd.name != l.cmd.name || !slices.Equal(again.args, l.args) || len(again.flags) != len(l.flags) {
			t.Errorf("%q was forwarded as %q", in, l.forwarded())
		}
	}
}

// TestCommands checks the assumptions of the parser about the table.
func TestCommands(t *testing.T) {
	table := commands()
	if table[0].name != "serve" {
		t.Error("the first command is not serve")
	}
	seen := map[string]bool{}
	for _, c := range table {
		if seen[c.name] {
			t.Errorf("%s is there twice", c.name)
		}
		seen[c.name] = true
		if c.run == nil && c.act == nil {
			t.Errorf("%s does nothing", c.name)
		}
		if c.help == "" || strings.HasSuffix(c.help, ".") {
			t.Errorf("%s is not explained: %q", c.name, c.help)
		}
		l := &line{options: map[string]string{}, flags: map[string]string{}}
		if _, _, err := l.words(table, append(strings.Fields(c.name), "x")); err != nil || l.cmd == nil || l.cmd.name != c.name {
			t.Errorf("%s is hidden by a shorter command", c.name)
		}
		for _, f := range c.flags {
			for _, o := range config.Options() {
				if o.Name == f.name {
					t.Errorf("%s has a flag that is an option: %s", c.name, f.name)
				}
			}
		}
	}
}
