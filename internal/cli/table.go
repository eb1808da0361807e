package cli

import (
	"slices"
	"strings"
)

// commands returns all commands. The first one is the default.
func commands() []command {
	asJSON := flagSpec{name: "json", help: "Print JSON"}
	return slices.Concat([]command{
		{name: "serve", args: "[DOMAIN]", max: 1, run: serve,
			help: "Run the server", details: "Without DOMAIN, the server listens on --addr. With DOMAIN, the server listens on ports 443 and 80 and gets a TLS certificate for the domain."},
		{name: "demo", run: demo, help: "Serve a demo instance with sample data", details: "The demo is stored in a temporary directory, which is deleted when the demo stops."},
		{name: "status", flags: []flagSpec{asJSON}, run: status, help: "Show whether a server is running", details: "Exit code 3 means that no server is running with the data directory."},
		{name: "user create", args: "NAME", min: 1, max: 1, password: true, act: userCreate,
			flags: []flagSpec{{name: "admin", help: "Make the account an administrator"}},
			help:  "Create an account", details: "The command prompts for the password. Scripts can set LINNET_PASSWORD or LINNET_PASSWORD_FILE, or write the password to standard input."},
		{name: "user password", args: "NAME", min: 1, max: 1, password: true, act: userPassword,
			help: "Set a new password for a user", details: "All sessions of the user end, and all app tokens are revoked. The command prompts for the password. Scripts can set LINNET_PASSWORD or LINNET_PASSWORD_FILE, or write the password to standard input."},
		{name: "user role", args: "NAME member|moderator|admin|ROLE", min: 2, max: 2, act: userRole, help: "Set the role of a user", details: "ROLE is the name of a custom role. linnet role list lists the custom roles."},
		{name: "user two-factor-off", args: "NAME", min: 1, max: 1, act: userTwoFactorOff,
			help: "Turn off two-factor authentication for a user", details: "Use this command for users who have lost their authenticator app and recovery codes. The command also removes their passkeys. The users can then log in with only their password."},
		{name: "user reset-link", args: "NAME", min: 1, max: 1, act: userResetLink,
			flags: []flagSpec{{name: "two-factor", help: "Print a two-factor reset link instead", details: "The link turns off two-factor authentication. To use the link, the user must enter the current password."}},
			help:  "Print a password reset link", details: "The link works once and expires after 24 hours."},
		{name: "user delete", args: "NAME", min: 1, max: 1, act: userDelete,
			flags: []flagSpec{{name: "yes", help: "Confirm the deletion, which cannot be undone"}},
			help:  "Delete an account and all its data", details: "The username cannot be used again."},
		{name: "user list", act: userList, help: "List accounts",
			flags: []flagSpec{asJSON, {name: "state", arg: "STATE", help: "List only accounts in this state", details: "STATE is active, pending, disabled, silenced, sensitized or suspended."}, {name: "groups", help: "List groups instead of people"}}},
		{name: "user show", args: "NAME", min: 1, max: 1, flags: []flagSpec{asJSON}, act: userShow, help: "Show one account"},
		{name: "user tokens", flags: tokenFlags(), run: userTokensCommand, act: userTokens,
			help: "Issue access tokens for load tests", details: "The output has one line per account: USERNAME:TOKEN. Anyone with a token can act as the account."},
	}, moderationCommands(), strikeCommands(), []command{
		{name: "audit list", act: auditList, help: "List the audit log, newest first",
			flags: []flagSpec{asJSON, {name: "limit", arg: "N", help: "Maximum number of entries", details: "Default: 100."}}},
		{name: "instance show", flags: []flagSpec{asJSON}, act: instanceShow, help: "Show the instance's settings, rules and statistics"},
		{name: "instance set", args: "KEY=VALUE…", min: 1, max: -1, act: instanceSet,
			help: "Change instance settings", details: "KEY is one of " + strings.Join(shownInstanceKeys(), ", ") + ". registrations is open, approval, invite or closed. docs/admin/configure.md describes all keys."},
		{name: "instance rule add", args: "TEXT", min: 1, max: 1, act: ruleAdd, help: "Add an instance rule"},
		{name: "instance rule remove", args: "NUMBER", min: 1, max: 1, act: ruleRemove, help: "Remove an instance rule"},
		{name: "tasks list", flags: []flagSpec{asJSON}, act: tasksList, help: "List failed background tasks"},
		{name: "tasks retry", args: "ID…|all", min: 1, max: -1, act: tasksRetry, help: "Retry failed background tasks"},
		{name: "tasks drop", args: "ID…|all", min: 1, max: -1, act: tasksDrop, help: "Discard failed background tasks"},
		{name: "config show", flags: []flagSpec{asJSON}, run: configShow, help: "Show every option with its value and source"},
		{name: "config check", run: configCheck, help: "Check the configuration", details: "Valid but unsafe settings are reported as warnings and do not change the exit code."},
		{name: "config example", run: configExample, bare: true, help: "Print a configuration file with every option"},
		{name: "version", flags: []flagSpec{asJSON}, run: versionCommand, bare: true, help: "Print the version"},
		{name: "completion", args: "bash|zsh|fish", min: 1, max: 1, run: completion, bare: true,
			help: "Print a shell completion script"},
		{name: "man", run: man, bare: true, help: "Print the manual page"},
		{name: "help", args: "[COMMAND…]", max: -1, run: help, bare: true, help: "Explain a command"},
	}, inviteCommands(), signUpCommands(), roleCommands(), pictureCommands(), emojiCommands(), announcementCommands(), feedCommands(), termsCommands(), mailCommands(), storeCommands(), backupCommands(), dataCommands())
}

// storeCommands returns the commands that examine or repair the store.
func storeCommands() []command {
	asJSON := flagSpec{name: "json", help: "Print JSON"}
	return []command{
		{name: "doctor", flags: []flagSpec{asJSON}, act: doctorCommand, observes: true, help: "Find problems and suggest fixes", details: "The command examines the configuration, the store, the disk, the network and the backups, without changing them. Exit code 1 means that there is a problem. Warnings do not change the exit code."},
		{name: "check", flags: []flagSpec{asJSON}, act: check, help: "Check the whole store for inconsistencies", details: "The command reads every record and changes nothing. Servers can keep running. Exit code 1 means that there is an inconsistency."},
		{name: "media", flags: []flagSpec{asJSON, {name: "clean", help: "Delete unused files older than an hour"},
			{name: "accept", help: "Use this media location for the store", details: "Pass this option once after moving the media yourself, if the server warns that the location does not belong to the store."}}, act: mediaUsage,
			help: "Report media usage and unused or missing files"},
		{name: "search show", flags: []flagSpec{asJSON}, act: searchShow, help: "Show whether the search index is complete"},
		{name: "search rebuild", act: searchRebuild, help: "Rebuild the search index", details: "Running servers rebuild the index in the background."},
		{name: "trace", args: "POST|USERNAME", min: 1, max: 1, act: trace,
			flags: []flagSpec{asJSON, {name: "for", arg: "NAME", help: "Explain whether this user can see the post"}, {name: "followers", arg: "N", help: "Maximum number of followers to check", details: "Default: 10000."}},
			help:  "Explain where a post was delivered", details: "POST is the URL of a post, or the number at the end of the URL. With USERNAME, the command describes the home timeline of this account."},
		{name: "inspect", args: "KEY", min: 1, max: 1, flags: []flagSpec{{name: "limit", arg: "N", help: "Maximum number of entries to print", details: "Default: 1000."}},
			act: inspect, help: "Print a stored record as JSON", details: "The output contains no secrets. linnet keys lists the kinds of keys."},
		{name: "keys", flags: []flagSpec{{name: "markdown", help: "Print Markdown, as in docs/keys.md"}}, run: keysList, bare: true,
			help: "List the kinds of keys in the store"},
	}
}
