// Package settings has the pages about profile, appearance, notifications, filters, blocks,
// hashtags, lists in apps, push notifications, old posts and authorized apps.
package settings
