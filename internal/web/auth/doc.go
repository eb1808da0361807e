// Package auth has the pages for access to an account: login, sign-up, invitations, links in
// e-mails, authorization of apps, and set-up. It also shows outdated forms again, with their
// content.
package auth
