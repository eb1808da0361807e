// Package timeline keeps feeds: whom a status is pushed to in batches of 1,000 (listing
// 8.7 of the book), which authors are pulled instead, and how a page of ids is read from
// a feed, rebuilt from profiles when it is cold, and read on below its floor. It knows
// ids, not people or statuses: whether an entry may be seen is decided above. The Example
// in example_test.go is the chapter as a program over it.
package timeline
