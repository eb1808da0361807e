package cli

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"linnet/internal/config"
)

// offered returns the suggestions for the last word of a line.
func offered(line string) []string {
	var words []string
	for _, c := range suggestions(commands(), strings.Split(line, " ")) {
		words = append(words, c.word)
	}
	return words
}

func TestCandidates(t *testing.T) {
	for _, c := range []struct{ line, want string }{
		{"ser", "serve"},
		{"user s", "show suspend silence sensitive"},
		{"instance rule ", "add remove"},
		{"--data x instance rule ", "add remove"},
		{"--data=x instance rule a", "add"},
		{"user role ann ", "member moderator admin"},
		{"user role ann m", "member moderator"},
		{"user role ann admin ", ""},
		{"user role ", ""},
		{"completion ", "bash zsh fish"},
		{"tasks retry ", "all"},
		{"tasks retry 1 2 ", "all"},
		{"--role ", "all web worker"},
		{"serve --role w", "web worker"},
		{"--role=w", "--role=web --role=worker"},
		{"--store ", "embedded"},
		{"--metrics-addr ", "off"},
		{"--data ", filesFollow},
		{"--config=", filesFollow},
		{"user tokens --out ", filesFollow},
		{"user create --adm", "--admin"},
		{"--adm", "--admin"},
		{"user list --adm", ""},
		{"version --data x --js", "--json"},
		{"user create -- --adm", ""},
		{"help us", "user"},
		{"help user cr", "create"},
		{"nonsense ", ""},
		{"--nonsense=", ""},
		{"--admin=", ""},
	} {
		if got := strings.Join(offered(c.line), " "); got != c.want {
			t.Errorf("%q: offered %q, want %q", c.line, got, c.want)
		}
	}
	if got := offered(""); !slices.Contains(got, "serve") || !slices.Contains(got, "user") || slices.Contains(got, "user create") || slices.Contains(got, completeWord) {
		t.Errorf("at the beginning: %q", got)
	}
}

// TestEverythingIsOffered expects suggestions with help for each command, flag and option.
func TestEverythingIsOffered(t *testing.T) {
	table := commands()
	hold := func(words []string, want string) {
		t.Helper()
		if !slices.ContainsFunc(suggestions(table, words), func(c suggestion) bool { return c.word == want && c.help != "" }) {
			t.Errorf("after %q %s is not offered, or not explained", words, want)
		}
	}
	for _, c := range table {
		words := strings.Fields(c.name)
		for i, w := range words {
			hold(append(slices.Clone(words[:i]), w[:1]), w)
		}
		for _, f := range c.flags {
			hold(append(slices.Clone(words), "--"), "--"+f.name)
		}
		for _, o := range config.Options() {
			hold(append(slices.Clone(words), "--"), "--"+o.Name)
		}
	}
}

// programOf returns the path of a program that a test uses. Without the program it skips the test,
// or fails if LINNET_REQUIRE names the program.
func programOf(t *testing.T, name string) string {
	t.Helper()
	path, err := exec.LookPath(name)
	switch {
	case err == nil:
	case slices.Contains(strings.Split(os.Getenv("LINNET_REQUIRE"), ","), name):
		t.Fatalf("LINNET_REQUIRE names %s, but it is not on PATH", name)
	default:
		t.Skipf("%s is not on PATH", name)
	}
	return path
}

// TestBashCompletes runs the script in bash, as a key press does.
func TestBashCompletes(t *testing.T) {
	bash := programOf(t, "bash")
	dir := t.TempDir()
	for name, text := range map[string]string{
		"script": bashScript,
		// The suggestions are the ones of the program.
		"linnet": "#!/bin/sh\ncase \"$*\" in\n" + answeredWith("user cr") + answeredWith("--role=w") + answeredWith("user role ann ") + answeredWith("--data ") + "esac\n",
		"keys": `. ./script
press() {
	COMP_LINE=$1 COMP_POINT=${#1} COMPREPLY=()
	compopt() { COMPREPLY+=("compopt $*"); }
	_linnet
	echo "$1 -> ${COMPREPLY[*]}"
}
PATH=.:$PATH
press "linnet user cr"
press "linnet --role=w"
press "linnet user role ann "
press "linnet --data "
`} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	cmd := exec.Command(bash, "keys")
	cmd.Dir = dir
	out, err := cmd.CombinedOutput()
	want := "linnet user cr -> create\nlinnet --role=w -> web worker\nlinnet user role ann  -> member moderator admin\nlinnet --data  -> compopt -o default\n"
	if err != nil || string(out) != want {
		t.Errorf("%v\n%s\nwant\n%s", err, out, want)
	}
}

// answeredWith returns a case of a shell script that prints the suggestions of the program.
func answeredWith(line string) string {
	var b bytes.Buffer
	if err := printSuggestions(&b, strings.Split(line, " ")); err != nil {
		panic(err)
	}
	return "'" + completeWord + " " + line + "') printf %b '" + strings.ReplaceAll(strings.ReplaceAll(b.String(), "\n", `\n`), "'", "") + "' ;;\n"
}

// TestScriptsParse checks the syntax of the scripts with the shells that are installed.
func TestScriptsParse(t *testing.T) {
	for shell, text := range map[string]string{"bash": bashScript, "zsh": zshScript, "fish": fishScript} {
		t.Run(shell, func(t *testing.T) {
			cmd := exec.Command(programOf(t, shell), "-n")
			cmd.Stdin = strings.NewReader(text)
			if out, err := cmd.CombinedOutput(); err != nil {
				t.Errorf("%v\n%s", err, out)
			}
		})
	}
}
