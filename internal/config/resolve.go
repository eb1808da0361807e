package config

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"linnet/internal/exit"
)

// layer contains the settings from one source, by name of the option.
type layer map[string]setting

// Resolve returns the configuration. Flags take precedence over the environment, the environment
// over the file, and the file over the defaults.
func Resolve(flags map[string]string, env Environment) (*Config, error) {
	c := &Config{settings: map[string]setting{}}
	given := layer{}
	for name, text := range flags {
		given[name] = setting{text: text, source: "flag --" + name}
	}
	delete(given, "config")
	vars := layer{}
	for _, o := range Options() {
		if o.Secret {
			text, source, err := env.Secret(o.Variable())
			if err != nil {
				return nil, err
			}
			if source != "" {
				vars[o.Name] = setting{text: text, source: source}
			}
			continue
		}
		if v, ok := env.lookup(o.Variable()); ok {
			vars[o.Name] = setting{text: v, source: "environment " + o.Variable()}
		}
	}
	file, err := c.readFile(flags, env, given, vars)
	if err != nil {
		return nil, err
	}
	for _, o := range Options() {
		s, err := pick(o, env, given, vars, file)
		if err != nil {
			return nil, err
		}
		if o.Name == "data" {
			abs, err := filepath.Abs(s.text)
			if err != nil {
				return nil, &exit.Error{Code: exit.Usage, What: "cannot determine the absolute path of the data directory", Cause: err, Source: s.source}
			}
			s.text = abs
		}
		c.settings[o.Name] = s
		if err := o.set(c, s.text); err != nil {
			return nil, &exit.Error{Code: exit.Usage, What: fmt.Sprintf("invalid value %q for %s", Mask(o, s.text), o.Name),
				Cause: err, Source: s.source, Advice: "Expected: " + o.Arg + "."}
		}
	}
	return c, nil
}

// pick returns the setting of the first layer that has it.
func pick(o Option, env Environment, layers ...layer) (setting, error) {
	for _, l := range layers {
		if s, ok := l[o.Name]; ok {
			return s, nil
		}
	}
	if o.Name == "data" {
		dir, err := env.dataDir()
		return setting{text: dir, source: "default"}, err
	}
	return setting{text: o.Default, source: "default"}, nil
}

// readFile reads the configuration file. Its path is in --config or LINNET_CONFIG. The default is
// linnet.conf in the data directory, which need not exist.
func (c *Config) readFile(flags map[string]string, env Environment, given, vars layer) (layer, error) {
	path, named := flags["config"]
	if !named {
		path, named = env.lookup("LINNET_CONFIG")
	}
	if !named {
		dir, err := pick(Options()[0], env, given, vars)
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
		return nil, &exit.Error{Code: exit.Usage, What: "cannot read the configuration file " + path, Cause: errors.Unwrap(err)}
	}
	c.File = path
	l, err := parseFile(path, string(data))
	if s, ok := l["data"]; ok && !named {
		return nil, exit.UsageError(fmt.Sprintf("LINNET_DATA in %s cannot change the data directory, because the file was found in it", s.source),
			"Set it in the environment, or pass the file with --config.")
	}
	return l, err
}

// Variables returns the names of all options in the environment and in the file, with the _FILE
// form of secrets.
func Variables() []string {
	var out []string
	for _, o := range Options() {
		out = append(out, o.Variable())
		if o.Secret {
			out = append(out, o.Variable()+"_FILE")
		}
	}
	return out
}
