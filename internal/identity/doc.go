// Package identity lets people in: sign-up, invitations, log-in with a second factor,
// sessions, apps and their tokens, passwords and their resets, and the description of
// the installation. It knows nothing of what people post.
package identity
