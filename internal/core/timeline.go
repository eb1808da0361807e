package core

// PageRounds bounds the work of one page: when entry after entry may not be shown,
// the page ends short, and its cursor leads on from where the search stopped.
const PageRounds = 8
