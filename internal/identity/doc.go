// Package identity implements access: sign-up, invitations, login with a second factor, sessions,
// apps and their tokens, passwords and resets, and the description of the instance. It does not
// know statuses.
package identity
