package main

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
)

// layer is the settings of one source, by option name.
type layer map[string]setting

// resolve makes the configuration: the command line wins over the environment,
// that over the file, that over the defaults.
func resolve(flags map[string]string, env environment) (*config, error) {
	c := &config{settings: map[string]setting{}}
	given := layer{}
	for name, text := range flags {
		given[name] = setting{text: text, source: "flag --" + name}
	}
	delete(given, "config")
	vars, err := env.settings()
	if err != nil {
		return nil, err
	}
	file, err := c.readFile(flags, env, given, vars)
	if err != nil {
		return nil, err
	}
	for _, o := range options() {
		s, err := pick(o, env, given, vars, file)
		if err != nil {
			return nil, err
		}
		if err := c.set(o, s); err != nil {
			return nil, err
		}
	}
	return c, nil
}

// pick takes an option's setting from the first layer that has it.
func pick(o option, env environment, layers ...layer) (setting, error) {
	for _, l := range layers {
		if s, ok := l[o.name]; ok {
			return s, nil
		}
	}
	if o.name == "data" {
		dir, err := env.dataDir()
		return setting{text: dir, source: "default"}, err
	}
	return setting{text: o.def, source: "default"}, nil
}

// set checks a setting and stores it.
func (c *config) set(o option, s setting) error {
	if o.name == "data" {
		abs, err := filepath.Abs(s.text)
		if err != nil {
			return &fault{code: exitUsage, what: "cannot determine the absolute path of the data directory", cause: err, from: s.source}
		}
		s.text = abs
	}
	c.settings[o.name] = s
	if err := o.set(c, s.text); err != nil {
		return &fault{code: exitUsage, what: fmt.Sprintf("bad value %q for %s", masked(o, s.text), o.name),
			cause: err, from: s.source, advice: "It takes " + o.arg + "."}
	}
	return nil
}

// readFile reads the configuration file: the one that --config or
// LINNET_CONFIG names, else linnet.conf in the data directory if it is there.
func (c *config) readFile(flags map[string]string, env environment, given, vars layer) (layer, error) {
	path, named := flags["config"]
	if !named {
		path, named = env.lookup("LINNET_CONFIG")
	}
	if !named {
		dir, err := pick(options()[0], env, given, vars)
		if err != nil {
			return nil, err
		}
		if path, err = filepath.Abs(filepath.Join(dir.text, "linnet.conf")); err != nil {
			return nil, fmt.Errorf("find the configuration file: %w", err)
		}
	}
	data, err := os.ReadFile(path)
	if !named && errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, &fault{code: exitUsage, what: "cannot read the configuration file " + path, cause: errors.Unwrap(err)}
	}
	c.file = path
	l, err := parseFile(path, string(data))
	if s, ok := l["data"]; ok && !named {
		return nil, usage(fmt.Sprintf("LINNET_DATA in %s cannot change the data directory, because the file was found in it", s.source),
			"Set it in the environment, or pass the file with --config.")
	}
	return l, err
}

// settings collects the options that are set in the environment.
func (e environment) settings() (layer, error) {
	l := layer{}
	for _, o := range options() {
		if o.secret {
			text, source, err := e.secret(o.env())
			if err != nil {
				return nil, err
			}
			if source != "" {
				l[o.name] = setting{text: text, source: source}
			}
			continue
		}
		if v, ok := e.lookup(o.env()); ok {
			l[o.name] = setting{text: v, source: "environment " + o.env()}
		}
	}
	return l, nil
}

// keys returns the names of all options as they stand in the environment and
// in the file, with the _FILE form of secrets.
func keys() []string {
	var out []string
	for _, o := range options() {
		out = append(out, o.env())
		if o.secret {
			out = append(out, o.env()+"_FILE")
		}
	}
	return out
}

func sorted[M ~map[string]V, V any](m M) []string { return slices.Sorted(maps.Keys(m)) }
