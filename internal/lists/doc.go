// Package lists is lists: those that people make of people, those that the server makes,
// whose timelines other packages register with ShowList, and one for each group that
// somebody has joined. Who is in a list is a relation of internal/social, and its
// timeline a feed of internal/timeline.
package lists
