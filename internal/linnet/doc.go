// Package linnet is the vocabulary: users, statuses, lists, notifications, apps,
// pages and the kinds of error. It does no I/O, knows no wire format and no
// storage, and imports nothing of the project.
package linnet
