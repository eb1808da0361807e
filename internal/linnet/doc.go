// Package linnet defines the domain types: users, statuses, lists, notifications, apps, pages and
// kinds of errors. It does no I/O, knows no wire or storage format, and imports no other package of
// the project.
package linnet
