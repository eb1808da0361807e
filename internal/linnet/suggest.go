package linnet

// Suggestion is a suggested user with the reason.
type Suggestion struct {
	UserView
	Common  int  // number of the viewer's followees among their followers, as far as counted
	Popular bool // among the users with the most followers here
}
