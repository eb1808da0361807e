package main

import (
	"context"
	"fmt"
	"text/tabwriter"
)

// configShow prints each option with its value and where that came from.
func configShow(_ context.Context, c *call) error {
	type row struct {
		Value  string `json:"value"`
		Source string `json:"source"`
	}
	all := map[string]row{}
	for _, o := range options() {
		s := c.cfg.settings[o.name]
		all[o.name] = row{masked(o, s.text), s.source}
	}
	if c.flag("json") {
		return printJSON(c.stdout, all)
	}
	w := tabwriter.NewWriter(c.stdout, 0, 0, 2, ' ', 0)
	for _, o := range options() {
		value := all[o.name].Value
		if value == "" {
			value = "-"
		}
		fmt.Fprintf(w, "%s\t%s\t%s\n", o.name, value, all[o.name].Source)
	}
	return w.Flush()
}

// configCheck checks the configuration. Reading it has proved most of it already. Settings that
// work and are unsafe are warnings, as they are for serve.
func configCheck(_ context.Context, c *call) error {
	if err := c.cfg.checkRole(); err != nil {
		return err
	}
	if err := c.cfg.checkFiles(); err != nil {
		return err
	}
	if err := c.cfg.checkFFmpeg(); err != nil {
		return err
	}
	if _, err := c.cfg.mailServer(); err != nil {
		return err
	}
	set := 0
	for _, s := range c.cfg.settings {
		if s.source != "default" {
			set++
		}
	}
	file := c.cfg.file
	if file == "" {
		file = "none"
	}
	_, err := fmt.Fprintf(c.stdout, "The configuration is valid: %d of %d options are set; file: %s.\n", set, len(c.cfg.settings), file)
	for _, line := range append(c.cfg.unsafe(), c.cfg.idle()...) {
		if err == nil {
			_, err = fmt.Fprintln(c.stdout, line)
		}
	}
	return err
}

// unsafe returns a line for each setting that serve warns about.
func (c *config) unsafe() (out []string) {
	if wide := c.tooWideProxies(); wide.IsValid() {
		out = append(out, fmt.Sprintf("Warning: trusted-proxies contains %s (from %s): %s.", wide, c.from("trusted-proxies"), warnWideProxies))
	}
	if c.publicMetrics() {
		out = append(out, fmt.Sprintf("Warning: metrics-addr is %s (from %s): %s.", c.MetricsAddr, c.from("metrics-addr"), warnPublicMetrics))
	}
	return out
}

// idle says which options are set and have no effect, since they are of the other engine.
func (c *config) idle() (out []string) {
	others, why := []string{"sync", "reserve"}, "the store is Redis"
	if c.embedded() {
		others, why = []string{"redis.prefix", "redis.wait_replicas"}, "the store is embedded"
	}
	for _, name := range others {
		if s := c.settings[name]; s.source != "default" {
			out = append(out, fmt.Sprintf("%s has no effect: %s (from %s).", name, why, s.source))
		}
	}
	return out
}

// configExample prints a configuration file that holds every option, with its
// default, as a comment.
func configExample(_ context.Context, c *call) error {
	fmt.Fprint(c.stdout, `# Linnet configuration: KEY=VALUE, as in the environment. Linnet reads this file
# from linnet.conf in the data directory, or from the path in --config. The command
# line (--name) and the environment take precedence. Commented lines show the defaults.
`)
	for _, s := range optionSections() {
		fmt.Fprintf(c.stdout, "\n## %s\n", s.title)
		for _, o := range s.options {
			fmt.Fprintf(c.stdout, "\n# %s.\n", o.help)
			if o.details != "" {
				fmt.Fprintf(c.stdout, "# %s\n", o.details)
			}
			if o.secret {
				fmt.Fprintf(c.stdout, "# (%s_FILE names a file with the value.)\n", o.env())
			}
			fmt.Fprintf(c.stdout, "#   %s\n#%s=%s\n", o.arg, o.env(), o.def)
		}
	}
	return nil
}

// masked is the text of an option as it may be shown.
func masked(o option, text string) string {
	switch {
	case o.name == "store":
		return maskURL(text)
	case o.secret && text != "":
		return "***"
	}
	return text
}
