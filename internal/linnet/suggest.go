package linnet

// Suggestion is somebody whom a user might want to follow, and why.
type Suggestion struct {
	UserView
	Common  int  // how many of those whom the user follows follow them, of those looked at
	Popular bool // among those with the most followers here
}
