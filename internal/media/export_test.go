package media

// What tests look at.
var (
	Colours     = colours
	WithProfile = withProfile
)
