// Package auth has the pages that lead into an account: login, sign-up, invitations, links in e-mails,
// authorization of apps, and the first set-up. It also gives back forms that were sent too late.
package auth
