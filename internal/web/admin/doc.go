// Package admin has the pages of staff about people, reports, roles, the audit log, tasks, health
// and backups. They don't exist for other users, and for staff without the permission.
package admin
