// Package groups implements groups and their members. A group is an account that boosts its
// members' posts, and its followers are its members. Joining and leaving are relations of package
// social, which asks this package through social.Membership. Package view decides who sees group
// posts.
package groups
