// Package notify decides who is notified of an action, by policies and mutes, and shows
// notifications, single and grouped. Its Pusher sends them to devices.
package notify
