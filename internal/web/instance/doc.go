// Package instance has the pages of staff about the server: settings, announcements, custom emoji,
// invitations, terms, sign-up rules, and the first steps.
package instance
