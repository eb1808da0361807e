// Package notify decides who is told of what, by policies and mutes, and shows
// notifications, single and grouped. Notifications for staff are made visible by their
// owner, see ShowStaff.
package notify
