// Package group has the pages of groups: posts, members, requests, invitations and settings.
package group
