// Package notification has the pages of notifications and of filtered ones.
package notification
