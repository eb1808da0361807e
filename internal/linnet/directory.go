package linnet

// DirectoryOrder is the order of the directory.
type DirectoryOrder string

// Orders of the directory.
const (
	DirectoryActive DirectoryOrder = "active" // last post first
	DirectoryNew    DirectoryOrder = "new"    // last sign-up first
)

// DirectoryQuery selects a part of the directory.
type DirectoryQuery struct {
	Order  DirectoryOrder // "" for DirectoryActive
	Offset int            // number of skipped users; at most MaxDirectory
	Limit  int            // 1 to MaxUsersPage; 0 for 40
	Groups bool           // groups instead of people
}

// Listed reports whether the user is discoverable and not hidden by moderators. Such users are in
// the directory and in suggestions.
func (u *User) Listed() bool { return u.Discoverable && !u.Hidden() && !u.Silenced }

// Suggestion is a suggested user with the reason.
type Suggestion struct {
	UserView
	Common  int  // number of the viewer's followees among their followers; can be incomplete
	Popular bool // among the users with the most followers here
}
