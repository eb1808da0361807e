// Package core contains what every service needs: instance settings, staff and their permissions,
// the audit log, rate limits, events between servers, text messages, and errors of the store for
// users. It does not know statuses or relations.
package core
