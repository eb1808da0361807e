package post

// TagFollow is a hashtag, and whether the reader follows it.
type TagFollow struct {
	Name      string
	Following bool
}
