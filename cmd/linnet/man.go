package main

import (
	"context"
	"fmt"
	"io"
	"strings"
)

// man prints the manual page, made of the tables of commands and options, with the
// macros of man(7).
func man(_ context.Context, c *call) error {
	var p page
	p.line(`.\" Written by linnet man.`)
	p.line(fmt.Sprintf(`.TH LINNET 1 "" "linnet %s" "Linnet"`, release))
	p.line(".nh") // names of variables are not parted
	p.line(".ad l")
	p.section("NAME")
	p.text("linnet - a microblogging server for your own people")
	p.section("SYNOPSIS")
	p.text("linnet [OPTION…] [COMMAND [ARGUMENT…]]")
	p.section("DESCRIPTION")
	p.text("Linnet is a microblogging server: one program, to which people's apps speak the Mastodon client API, and their browsers plain HTML.")
	p.text("Without a command it serves on http://127.0.0.1:8420 and keeps everything in one directory. " +
		"Commands that concern the store work in the server that runs on that directory, or by themselves if there is none. " +
		"Options may stand before, between and after the words of a command; -- ends them.")
	p.section("COMMANDS")
	for _, cmd := range commands() {
		p.item(strings.TrimSpace(cmd.name + " " + cmd.args))
		p.text(cmd.help + ".")
		p.flags(cmd.flags)
		for _, e := range examples(cmd.name) {
			p.example(e)
		}
	}
	p.section("OPTIONS")
	p.text("An option on the command line wins over the environment, that over the configuration file, that over the default. " +
		"linnet config show names the value of each and where it came from.")
	for _, o := range options() {
		p.option(o)
	}
	p.item("--config FILE")
	p.text("Configuration file. Also: LINNET_CONFIG.")
	p.end()
	_, err := io.WriteString(c.stdout, p.String())
	return err
}

// exitMeaning is what an exit code says.
type exitMeaning struct {
	code  int
	means string
}

// exitMeanings are the exit codes of all commands.
func exitMeanings() []exitMeaning {
	return []exitMeaning{
		{exitOK, "It was done."},
		{exitFailed, "It failed."},
		{exitUsage, "The command line or the configuration is wrong."},
		{exitNotFound, "What was named does not exist."},
		{exitState, "It was refused by the state of things: an address is taken, or the store is damaged or of a newer format."},
		{exitTemporary, "The store is away, full or in use. Try again later."},
	}
}

// page is a manual page that is being written.
type page struct{ strings.Builder }

func (p *page) line(s string)       { p.WriteString(s + "\n") }
func (p *page) section(name string) { p.line(".SH " + name) }
func (p *page) item(what string)    { p.line(".TP"); p.line(`\fB` + roff(what) + `\fR`) }
func (p *page) text(s string)       { p.line(roff(s)); p.line(".br") }
func (p *page) example(line string) { p.line(`\fI` + roff(line) + `\fR`); p.line(".br") }

func (p *page) flags(all []flagSpec) {
	if len(all) == 0 {
		return
	}
	p.line(".RS")
	for _, f := range all {
		p.item("--" + strings.TrimSpace(f.name+" "+f.arg))
		p.text(f.help + ".")
	}
	p.line(".RE")
	p.line(".IP")
}

func (p *page) option(o option) {
	p.item("--" + o.name + " " + o.arg)
	text := o.help + "."
	if o.def != "" {
		text += " Default: " + o.def + "."
	}
	text += " Also: " + o.env()
	if o.secret {
		text += ", or " + o.env() + "_FILE, which names a file that holds the value"
	}
	p.text(text + ".")
}

// end writes the sections that do not come from the tables.
func (p *page) end() {
	p.section("ENVIRONMENT")
	p.item("LINNET_CONFIG")
	p.text("Configuration file.")
	p.item("LINNET_PASSWORD, LINNET_PASSWORD_FILE")
	p.text("The password for commands that take one, or a file that holds it. Otherwise it is asked for, or read from standard input.")
	p.line(".PP")
	p.text("Each option has a variable of its own, named with it above.")
	p.section("FILES")
	p.item("linnet.conf")
	p.text("Configuration file in the data directory: lines of KEY=VALUE with the names of the environment. linnet config example prints one.")
	p.section("EXIT STATUS")
	for _, e := range exitMeanings() {
		p.item(fmt.Sprint(e.code))
		p.text(e.means)
	}
}

// roff is a text with what the macros would take for their own made harmless.
func roff(s string) string {
	s = strings.NewReplacer(`\`, `\e`, "-", `\-`, "…", `...`).Replace(s)
	if strings.HasPrefix(s, ".") || strings.HasPrefix(s, "'") {
		s = `\&` + s
	}
	return s
}
