package config

import (
	"fmt"
	"path/filepath"
	"strconv"
	"strings"

	"linnet/internal/exit"
)

// parseFile parses a configuration file: lines KEY=VALUE with the names of the environment
// variables, empty lines, and comments after #. Values can be quoted. Paths of secret files are
// relative to the directory of the file. path is for messages.
func parseFile(path, text string) (layer, error) {
	byKey := map[string]Option{}
	for _, o := range Options() {
		byKey[o.Variable()] = o
		if o.Secret {
			byKey[o.Variable()+"_FILE"] = o
		}
	}
	l := layer{}
	text = strings.TrimPrefix(text, "\ufeff") // editors add it to mark UTF-8
	for i, line := range strings.Split(text, "\n") {
		where := fmt.Sprintf("%s line %d", path, i+1)
		key, value, err := parsePair(line)
		if err != nil {
			return nil, &exit.Error{Code: exit.Usage, What: "cannot read " + where, Cause: err}
		}
		if key == "" {
			continue
		}
		o, ok := byKey[key]
		if !ok {
			return nil, exit.UsageError(fmt.Sprintf("unknown key %s in %s", key, where),
				exit.DidYouMean(key, Variables(), "", "See linnet config example."))
		}
		if first, twice := l[o.Name]; twice {
			return nil, exit.UsageError(fmt.Sprintf("%s in %s is already set in %s", key, where, first.source), "Remove one of them.")
		}
		if strings.HasSuffix(key, "_FILE") {
			if !filepath.IsAbs(value) {
				value = filepath.Join(filepath.Dir(path), value)
			}
			if value, err = readSecret(value); err != nil {
				return nil, &exit.Error{Code: exit.Usage, What: "cannot read the file that " + key + " names", Cause: err, Source: where}
			}
		}
		l[o.Name] = setting{text: value, source: where}
	}
	return l, nil
}

// parsePair parses one line. key is "" for a line without a pair.
func parsePair(line string) (key, value string, err error) {
	line = strings.TrimSpace(line)
	if line == "" || line[0] == '#' {
		return "", "", nil
	}
	key, value, ok := strings.Cut(line, "=")
	if !ok {
		return "", "", fmt.Errorf("%q does not have the form KEY=VALUE", line)
	}
	key, value = strings.TrimSpace(key), strings.TrimSpace(value)
	if strings.HasPrefix(value, `"`) {
		if value, err = strconv.Unquote(value); err != nil {
			return "", "", fmt.Errorf("unbalanced quotes in the value of %s", key)
		}
	}
	return key, value, nil
}
