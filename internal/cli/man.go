package cli

import (
	"context"
	"fmt"
	"io"
	"strings"

	"linnet/internal/config"
	"linnet/internal/exit"
	"linnet/internal/version"
)

// man prints the manual page, generated from the tables of commands and options with the
// macros of man(7).
func man(_ context.Context, c *call) error {
	var p manPage
	p.line(`.\" Written by linnet man.`)
	p.line(fmt.Sprintf(`.TH LINNET 1 "" "linnet %s" "Linnet"`, version.Version))
	p.line(".nh") // do not hyphenate names of variables
	p.line(".ad l")
	p.section("NAME")
	p.text("linnet - a self-hosted microblogging server for your community")
	p.section("SYNOPSIS")
	p.text("linnet [OPTION…] [COMMAND [ARGUMENT…]]")
	p.section("DESCRIPTION")
	p.text("Linnet is a microblogging server in a single binary. It serves the Mastodon client API for apps and HTML pages for browsers.")
	p.text("Without a command, Linnet serves on http://127.0.0.1:8420 and stores everything in the data directory. " +
		"If a server is running with the data directory, commands run inside that server. Otherwise commands open the store themselves.  " +
		"Options can appear before, between and after the words of a command. Everything after -- is an argument.")
	p.section("COMMANDS")
	for _, cmd := range commands() {
		p.item(strings.TrimSpace(cmd.name + " " + cmd.args))
		p.text(strings.TrimSpace(cmd.help + ". " + cmd.details))
		p.flags(cmd.flags)
		for _, e := range examples(cmd.name) {
			p.example(e)
		}
	}
	p.section("OPTIONS")
	p.text("The command line takes precedence over the environment, the environment over the configuration file, and the file over the default. " +
		"linnet config show prints the value and source of each option.")
	for _, o := range config.Options() {
		p.option(o)
	}
	p.item("--config FILE")
	p.text("Configuration file. Environment: LINNET_CONFIG.")
	p.end()
	_, err := io.WriteString(c.stdout, p.String())
	return err
}

// exitMeaning explains an exit code.
type exitMeaning struct {
	code  int
	means string
}

// exitMeanings explains the exit codes, which all commands share.
func exitMeanings() []exitMeaning {
	return []exitMeaning{
		{exit.OK, "Success."},
		{exit.Failed, "The command failed, or a check found problems."},
		{exit.Usage, "The command line or the configuration is invalid."},
		{exit.NotFound, "The named object does not exist, or linnet status found no running server."},
		{exit.State, "The command was refused, for example because an address is in use, or the store is damaged, was moved or has a newer format."},
		{exit.Temporary, "The store is unavailable, full or in use. Try again later."},
	}
}

// manPage builds a manual page.
type manPage struct{ strings.Builder }

func (p *manPage) line(s string)       { p.WriteString(s + "\n") }
func (p *manPage) section(name string) { p.line(".SH " + name) }
func (p *manPage) item(what string)    { p.line(".TP"); p.line(`\fB` + roff(what) + `\fR`) }
func (p *manPage) text(s string)       { p.line(roff(s)); p.line(".br") }
func (p *manPage) example(line string) { p.line(`\fI` + roff(line) + `\fR`); p.line(".br") }

func (p *manPage) flags(all []flagSpec) {
	if len(all) == 0 {
		return
	}
	p.line(".RS")
	for _, f := range all {
		p.item("--" + strings.TrimSpace(f.name+" "+f.arg))
		p.text(strings.TrimSpace(f.help + ". " + f.details))
	}
	p.line(".RE")
	p.line(".IP")
}

func (p *manPage) option(o config.Option) {
	p.item("--" + o.Name + " " + o.Arg)
	text := strings.TrimSpace(o.Help + ". " + o.Details)
	if o.Default != "" {
		text += " Default: " + o.Default + "."
	}
	text += " Environment: " + o.Variable()
	if o.Secret {
		text += ", or " + o.Variable() + "_FILE (path of a file with the value)"
	}
	p.text(text + ".")
}

// end writes the sections that do not come from the tables.
func (p *manPage) end() {
	p.section("ENVIRONMENT")
	p.item("LINNET_CONFIG")
	p.text("Configuration file.")
	p.item("LINNET_PASSWORD, LINNET_PASSWORD_FILE")
	p.text("Password, or the path of a file with the password, for commands that need one. If neither is set, the command prompts for the password or reads it from standard input.")
	p.line(".PP")
	p.text("Each option can also be set with an environment variable. The description of an option names its variable.")
	p.section("FILES")
	p.item("linnet.conf")
	p.text("Configuration file in the data directory. Each line is KEY=VALUE, where KEY is the name of an environment variable. linnet config example prints such a file.")
	p.section("EXIT STATUS")
	for _, e := range exitMeanings() {
		p.item(fmt.Sprint(e.code))
		p.text(e.means)
	}
}

// roff escapes s, so that it is not read as a macro.
func roff(s string) string {
	s = strings.NewReplacer(`\`, `\e`, "-", `\-`, "…", `...`).Replace(s)
	if strings.HasPrefix(s, ".") || strings.HasPrefix(s, "'") {
		s = `\&` + s
	}
	return s
}
