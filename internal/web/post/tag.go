package post

// TagFollow says whether the reader follows the tag of a page.
type TagFollow struct {
	Name      string
	Following bool
}
