// Package discovery implements promotions, trends, suggestions, the directory, search, the catch-up
// and custom feeds. It receives facts about statuses and writes none of their records.
package discovery
