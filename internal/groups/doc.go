// Package groups is groups and who is in them. A group is an account that reposts what
// its members post in it, and its members are its followers: joining and leaving are
// relations of internal/social, which asks this package what a group makes of them, see
// social.Membership. Who sees what in a group is decided in internal/view.
package groups
