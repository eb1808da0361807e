package media

// Exported for tests.
var (
	Colours     = colours
	WithProfile = withProfile
)
