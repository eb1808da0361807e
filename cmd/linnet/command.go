package main

import (
	"context"
	"encoding/json"
	"io"
	"slices"
	"strings"
)

// command is one line of the table of commands.
type command struct {
	name  string // its words: "user create"
	args  string // what follows, for the usage: "NAME [--admin]"
	help  string // one sentence without its full stop
	flags []flagSpec
	min   int // fewest arguments
	max   int // most arguments; -1: any number

	// password: the command takes a password by prompt, from standard input or
	// from LINNET_PASSWORD, wherever it is run in the end.
	password bool

	// file: the last argument names a file, which is read where the command is typed, up
	// to media.MaxBytes; the word "none" names none.
	file bool

	// run works in this process; with bare it needs no configuration. act works
	// on an open store: in the running server if it owns the store, else here.
	// Where both are set, run prepares in this process and calls runOnStore.
	run  func(ctx context.Context, c *call) error
	bare bool
	act  func(ctx context.Context, c *call, b *backend) error

	// alone: act takes the engine and the pictures and no more. Where no server has the
	// store it is opened without the service, so that nothing in it changes meanwhile.
	alone bool
	// raw: the command prints a file, which is not escaped for terminals.
	raw bool
	// observes: act writes nothing to a Redis.
	observes bool
}

// flagSpec is a flag of one command; with arg == "" it is a switch.
type flagSpec struct {
	name string
	arg  string
	help string
}

// call is one execution of a command.
type call struct {
	line   *line
	env    environment
	cfg    *config   // nil for commands that need none, and in the server
	secret string    // the password that the command takes
	sent   []byte    // the file that the command takes; nil: none
	stream io.Reader // the file that the command takes as it is read; nil: none
	stdin  io.Reader
	stdout io.Writer
	stderr io.Writer
}

func (c *call) args() []string        { return c.line.args }
func (c *call) flag(name string) bool { return c.line.flags[name] == "true" }

// commands is the table of all commands. The first is the one that runs
// without any words.
func commands() []command {
	asJSON := flagSpec{name: "json", help: "Print JSON"}
	return slices.Concat([]command{
		{name: "serve", args: "[DOMAIN]", max: 1, run: serve,
			help: "Run the server; with a domain, on port 443 with a certificate of its own"},
		{name: "demo", run: runDemo, help: "Serve a small made-up world to look at, in a directory of its own that goes with it"},
		{name: "status", flags: []flagSpec{asJSON}, run: status, help: "Say whether a server runs on the data directory"},
		{name: "user create", args: "NAME", min: 1, max: 1, password: true, act: userCreate,
			flags: []flagSpec{{name: "admin", help: "Make the user an administrator"}},
			help:  "Make an account; the password is asked for, or read from standard input or LINNET_PASSWORD_FILE"},
		{name: "user password", args: "NAME", min: 1, max: 1, password: true, act: userPassword,
			help: "Set a new password and end all sessions of the user"},
		{name: "user role", args: "NAME member|moderator|admin|ROLE", min: 2, max: 2, act: userRole, help: "Set what a user may do: by a built-in role, or one that administrators have made"},
		{name: "user two-factor-off", args: "NAME", min: 1, max: 1, act: userTwoFactorOff,
			help: "Let somebody who has lost app, recovery codes and passkeys log in with the password alone"},
		{name: "user reset-link", args: "NAME", min: 1, max: 1, act: userResetLink,
			flags: []flagSpec{{name: "two-factor", help: "The link turns two-factor log-in off, for whoever knows the password"}},
			help:  "Make a link, good once and for 24 hours, by which somebody sets a new password"},
		{name: "user delete", args: "NAME", min: 1, max: 1, act: userDelete,
			flags: []flagSpec{{name: "yes", help: "Do it: an account that is deleted cannot be brought back"}},
			help:  "Delete an account with everything that it has written and done; its name stays taken"},
		{name: "user list", act: userList, help: "List people, all or those in a state",
			flags: []flagSpec{asJSON, {name: "state", arg: "STATE", help: "active, pending, disabled, silenced, sensitized or suspended"}, {name: "groups", help: "List groups in place of people"}}},
		{name: "user show", args: "NAME", min: 1, max: 1, flags: []flagSpec{asJSON}, act: userShow, help: "Show one user"},
		{name: "user tokens", flags: tokenFlags(), run: userTokensOut, act: userTokens,
			help: "Issue access tokens for measuring, as lines of login:token"},
	}, moderationCommands(), []command{
		{name: "audit list", act: auditList, help: "List what moderators and these commands did to accounts, the latest first",
			flags: []flagSpec{asJSON, {name: "limit", arg: "N", help: "At most so many (100)"}}},
		{name: "instance show", flags: []flagSpec{asJSON}, act: instanceShow, help: "Show name, description and rules of the installation"},
		{name: "instance set", args: "KEY=VALUE…", min: 1, max: -1, act: instanceSet,
			help: "Set title, description, contact, contact-user or registrations (open, approval, invite, closed; open=true|false is short for the first and last)"},
		{name: "instance rule add", args: "TEXT", min: 1, max: 1, act: ruleAdd, help: "Add a rule to the end of the list"},
		{name: "instance rule remove", args: "NUMBER", min: 1, max: 1, act: ruleRemove, help: "Remove a rule by its number"},
		{name: "tasks list", flags: []flagSpec{asJSON}, act: tasksList, help: "List the tasks that were given up after repeated failures"},
		{name: "tasks retry", args: "ID…|all", min: 1, max: -1, act: tasksRetry, help: "Run tasks again that were given up"},
		{name: "tasks drop", args: "ID…|all", min: 1, max: -1, act: tasksDrop, help: "Forget tasks that were given up"},
		{name: "config show", flags: []flagSpec{asJSON}, run: configShow, help: "Print each option, its value and where it came from"},
		{name: "config check", run: configCheck, help: "Check the configuration"},
		{name: "config example", run: configExample, bare: true, help: "Print a configuration file with every option"},
		{name: "version", flags: []flagSpec{asJSON}, run: version, bare: true, help: "Print the version"},
		{name: "completion", args: "bash|zsh|fish", min: 1, max: 1, run: completion, bare: true,
			help: "Print the script by which a shell completes commands, options and their values"},
		{name: "man", run: man, bare: true, help: "Print the manual page"},
		{name: "help", args: "[COMMAND…]", max: -1, run: help, bare: true, help: "Explain a command"},
	}, inviteCommands(), signUpCommands(), roleCommands(), pictureCommands(), emojiCommands(), announcementCommands(), termsCommands(), mailCommands(), storeCommands(), backupCommands(), dataCommands())
}

// storeCommands are those that look into the store, or fill it.
func storeCommands() []command {
	asJSON := flagSpec{name: "json", help: "Print JSON"}
	return []command{
		{name: "doctor", flags: []flagSpec{asJSON}, act: examine, observes: true, help: "Examine the installation on its machine, and say what is wrong and what to do about it"},
		{name: "check", flags: []flagSpec{asJSON}, act: check, help: "Read the whole store and say what in it does not agree"},
		{name: "media", flags: []flagSpec{asJSON, {name: "clean", help: "Remove pictures older than an hour that nothing names"},
			{name: "accept", help: "Take this place for the one of the store's pictures, where servers warn that it is another"}}, act: mediaUsage,
			help: "Say how many pictures there are, which of them nothing names, and whether any is missing"},
		{name: "search show", flags: []flagSpec{asJSON}, act: searchShow, help: "Say what the search index holds and whether it is complete"},
		{name: "search rebuild", act: searchRebuild, help: "Have the search index made anew by the servers that run"},
		{name: "import graph", flags: importFlags(), run: importGraph, act: importGraphInto,
			help: "Make users, follows and posts from files; broken off and run again, it goes on"},
		{name: "seed", flags: seedFlags(), run: importGraph, act: seedInto,
			help: "Make a world of made-up users, follows and posts to measure with; broken off and run again, it goes on"},
		{name: "trace", args: "STATUS|NAME", min: 1, max: 1, act: trace,
			flags: []flagSpec{asJSON, {name: "for", arg: "NAME", help: "Say whether this one sees the status, and why not"}, {name: "followers", arg: "N", help: "Look at so many homes of followers (10000)"}},
			help:  "Say where a status went and who does not see it, or how somebody's home stands"},
		{name: "inspect", args: "KEY", min: 1, max: 1, flags: []flagSpec{{name: "limit", arg: "N", help: "At most so many members (1000)"}},
			act: inspect, help: "Print the record under a key as JSON, without secrets"},
		{name: "keys", flags: []flagSpec{{name: "markdown", help: "Print docs/keys.md"}}, run: keysList, bare: true,
			help: "List the kinds of key and what they hold"},
	}
}

// names returns the words of all commands.
func names(table []command) []string {
	var out []string
	for _, c := range table {
		out = append(out, c.name)
	}
	return out
}

// find returns the command with just these words.
func find(table []command, words string) *command {
	for i := range table {
		if table[i].name == words {
			return &table[i]
		}
	}
	return nil
}

// begins reports whether some command starts with these words and has more.
func begins(table []command, words string) bool {
	for _, c := range table {
		if strings.HasPrefix(c.name, words+" ") {
			return true
		}
	}
	return false
}

func printJSON(w io.Writer, v any) error {
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	return enc.Encode(v)
}
