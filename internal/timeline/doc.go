// Package timeline manages feeds: pushes in batches of 1,000 (listing 8.7 of the book), authors
// that are pulled instead, and pages of ids. A cold feed is rebuilt from profiles, and a page
// continues below the floor. The package knows ids, not users or statuses. Higher layers check
// visibility. The Example in example_test.go is the chapter as a program.
package timeline
