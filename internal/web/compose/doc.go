// Package compose has the composer of posts, with drafts, scheduled posts, edits, redrafts, polls,
// quotes and recipients.
package compose
