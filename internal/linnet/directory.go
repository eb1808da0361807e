package linnet

// DirectoryOrder is how the directory of people is ordered.
type DirectoryOrder string

// The orders of the directory.
const (
	DirectoryActive DirectoryOrder = "active" // who has posted last comes first
	DirectoryNew    DirectoryOrder = "new"    // who has signed up last comes first
)

// DirectoryQuery asks for a part of the directory.
type DirectoryQuery struct {
	Order  DirectoryOrder // "": DirectoryActive
	Offset int            // people passed over; at most MaxDirectory
	Limit  int            // 1 to MaxUsersPage; 0: 40
	Groups bool           // groups in place of people
}

// Listed reports whether the user wants to be found by strangers and moderators
// do not mind: such people stand in the directory and are suggested.
func (u *User) Listed() bool { return u.Discoverable && !u.Hidden() && !u.Silenced }
