package ui

// PictureTypes are the formats that a file dialogue offers.
const (
	PictureTypes = "image/jpeg,image/png,image/gif,image/webp"
	ClipTypes    = "video/mp4,video/webm,video/quicktime,audio/mpeg,audio/ogg,audio/flac,audio/mp4,.m4a,.mov,.flac"
)
