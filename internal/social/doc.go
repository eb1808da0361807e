// Package social implements what connects accounts: relations, groups and lists, profiles, and the
// end of an account.
//
//   - Service manages follows and requests, blocks, mutes and notes. A relation is stored on both
//     sides, see Relate. One transaction commits an action, and a task in it makes all further
//     changes.
//   - Profiles changes profiles, and Deletion deletes accounts.
//   - FollowedTags manages the tags that users follow.
//   - Groups manages groups. A group is an account that boosts its members' posts, and its followers
//     are its members. Package view decides who sees group posts.
//   - Lists manages the lists of users, and shows the lists of the server and of joined groups among
//     them. The timeline of a list is a feed of package timeline.
package social
