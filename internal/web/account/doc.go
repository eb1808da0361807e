// Package account has the pages about access to an account: password, sessions, two-factor
// authentication, passkeys, e-mail address, export and import, and deletion.
package account
