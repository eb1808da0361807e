package linnet

// DirectoryOrder is how the directory of people is ordered.
type DirectoryOrder string

// The orders of the directory.
const (
	DirectoryActive DirectoryOrder = "active" // last post first
	DirectoryNew    DirectoryOrder = "new"    // last sign-up first
)

// DirectoryQuery asks for a part of the directory.
type DirectoryQuery struct {
	Order  DirectoryOrder // "": DirectoryActive
	Offset int            // people passed over; at most MaxDirectory
	Limit  int            // 1 to MaxUsersPage; 0: 40
	Groups bool           // groups in place of people
}

// Listed reports whether the user is discoverable and not hidden by moderators. Such users are in
// the directory and in suggestions.
func (u *User) Listed() bool { return u.Discoverable && !u.Hidden() && !u.Silenced }
