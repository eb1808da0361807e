// Package uploads implements media uploads: it receives files, stores the converted media, and
// removes unused ones. Packages posting and social attach media to statuses and profiles.
//
// It knows files, their conversion and their owners, but not statuses.
package uploads
