package cli

import (
	"context"
	"fmt"
	"text/tabwriter"

	"linnet/internal/config"
)

// configShow prints each option with its value and source.
func configShow(_ context.Context, c *call) error {
	type row struct {
		Value  string `json:"value"`
		Source string `json:"source"`
	}
	all := map[string]row{}
	for _, o := range config.Options() {
		all[o.Name] = row{config.Mask(o, c.cfg.Value(o.Name)), c.cfg.Source(o.Name)}
	}
	if c.flag("json") {
		return printJSON(c.stdout, all)
	}
	w := tabwriter.NewWriter(c.stdout, 0, 0, 2, ' ', 0)
	for _, o := range config.Options() {
		fmt.Fprintf(w, "%s\t%s\t%s\n", o.Name, orDash(all[o.Name].Value), all[o.Name].Source)
	}
	return w.Flush()
}

// configCheck checks the configuration beyond parsing it. Unsafe settings are warnings, as in
// serve.
func configCheck(_ context.Context, c *call) error {
	if err := c.cfg.Check(); err != nil {
		return err
	}
	if _, err := c.cfg.MailServer(); err != nil {
		return err
	}
	set := 0
	for _, o := range config.Options() {
		if c.cfg.Source(o.Name) != "default" {
			set++
		}
	}
	file := c.cfg.File
	if file == "" {
		file = "none"
	}
	_, err := fmt.Fprintf(c.stdout, "The configuration is valid: %d of %d options are set; file: %s.\n", set, len(config.Options()), file)
	for _, line := range append(c.cfg.Warnings(), c.cfg.Unused()...) {
		if err == nil {
			_, err = fmt.Fprintln(c.stdout, line)
		}
	}
	return err
}

// configExample prints a configuration file that contains all options with their defaults as
// comments.
func configExample(_ context.Context, c *call) error {
	fmt.Fprint(c.stdout, `# Linnet configuration: KEY=VALUE, as in the environment. Linnet reads this file
# from linnet.conf in the data directory, or from the path in --config. The command
# line (--name) and the environment take precedence. Commented lines show the defaults.
`)
	for _, s := range config.Sections() {
		fmt.Fprintf(c.stdout, "\n## %s\n", s.Title)
		for _, o := range s.Options {
			fmt.Fprintf(c.stdout, "\n# %s.\n", o.Help)
			if o.Details != "" {
				fmt.Fprintf(c.stdout, "# %s\n", o.Details)
			}
			if o.Secret {
				fmt.Fprintf(c.stdout, "# (%s_FILE names a file with the value.)\n", o.Variable())
			}
			fmt.Fprintf(c.stdout, "#   %s\n#%s=%s\n", o.Arg, o.Variable(), o.Default)
		}
	}
	return nil
}
