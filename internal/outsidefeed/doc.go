// Package outsidefeed follows RSS, Atom and JSON feeds of other sites. A feed is an account that
// cannot log in, and its items are the posts of this account.
//
// Invariants:
//
//   - A feed is fetched by its own task, one request per host at a time, and never while it has no
//     followers or feeds are off. Only adding a feed fetches in a request.
//   - A notification of a hub must be signed. It only causes a request of the feed, and its content
//     is ignored. Errors of a hub don't delay the requests of the feed.
//   - A response is read up to a limit, through the guard of outbound, and parsed only if its
//     elements are not nested too deeply.
//   - Only plain text, a link and a picture that was decoded and encoded again become a post. Names
//     in the text mention no user, and an item notifies no user.
//   - An item is posted once, even if its feed moves, or if its guid or its link changes. The task
//     and the id of the post make this safe against repetitions.
package outsidefeed
