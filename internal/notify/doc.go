// Package notify decides who is notified of an action, by policies and mutes, and shows
// notifications, single and grouped. Their owner makes staff notifications visible, see ShowStaff.
package notify
