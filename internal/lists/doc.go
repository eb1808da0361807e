// Package lists implements lists: those that users create, built-in ones that other packages
// register with ShowList, and one for each joined group. Membership is a relation of package
// social, and the timeline of a list is a feed of package timeline.
package lists
