package config

import (
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"linnet/internal/exit"
)

// Environment contains the environment variables of the process.
type Environment map[string]string

// NewEnvironment parses lines of the form KEY=VALUE.
func NewEnvironment(environ []string) Environment {
	e := Environment{}
	for _, kv := range environ {
		if k, v, ok := strings.Cut(kv, "="); ok {
			e[k] = v
		}
	}
	return e
}

// lookup returns a variable. An empty variable counts as not set, because unit files and containers
// unset variables that way.
func (e Environment) lookup(name string) (string, bool) {
	v := e[name]
	return v, v != ""
}

// Secret returns the value of NAME, or the contents of the file in NAME_FILE, and its source.
func (e Environment) Secret(name string) (text, source string, err error) {
	v, ok := e.lookup(name)
	file, fromFile := e.lookup(name + "_FILE")
	switch {
	case ok && fromFile:
		return "", "", exit.UsageError(fmt.Sprintf("%s and %s_FILE are both set", name, name), "Set one of them.")
	case ok:
		return v, "environment " + name, nil
	case fromFile:
		v, err = readSecret(file)
		if err != nil {
			return "", "", &exit.Error{Code: exit.Usage, What: "cannot read the file that " + name + "_FILE names", Cause: err}
		}
		return v, "environment " + name + "_FILE", nil
	}
	return "", "", nil
}

// readSecret reads a file with a secret, without the final line break.
func readSecret(file string) (string, error) {
	data, err := os.ReadFile(file)
	if err != nil {
		return "", err
	}
	return strings.TrimRight(string(data), "\r\n"), nil
}

// WarnUnknown warns about variables that look like misspelled options. It is not an error, because
// container platforms set variables such as LINNET_PORT.
func (e Environment) WarnUnknown(w io.Writer) {
	known := append(Variables(), "LINNET_CONFIG", "LINNET_PASSWORD", "LINNET_PASSWORD_FILE")
	is := map[string]bool{}
	for _, k := range known {
		is[k] = true
	}
	for _, name := range slices.Sorted(maps.Keys(e)) {
		if !strings.HasPrefix(name, "LINNET_") || is[name] {
			continue
		}
		if n := exit.Nearest(name, known); n != "" && exit.Distance(name, n) <= 2 {
			fmt.Fprintf(w, "linnet: environment variable %s is unknown and has no effect. Did you mean %s?\n", name, n)
		}
	}
}

// dataDir returns the default data directory, as the XDG base directory specification defines it:
// https://specifications.freedesktop.org/basedir-spec/latest/
func (e Environment) dataDir() (string, error) {
	if d, ok := e.lookup("XDG_DATA_HOME"); ok && filepath.IsAbs(d) {
		return filepath.Join(d, "linnet"), nil
	}
	if h, ok := e.lookup("HOME"); ok && filepath.IsAbs(h) {
		return filepath.Join(h, ".local", "share", "linnet"), nil
	}
	return "", &exit.Error{Code: exit.Usage, What: "no data directory: neither XDG_DATA_HOME nor HOME is set",
		Advice: "Pass --data DIR."}
}
