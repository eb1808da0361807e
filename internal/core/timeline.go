package core

// PageRounds bounds the attempts of work that may have to be repeated.
const PageRounds = 8

// PageScans bounds how many parts of a list are read for one page when entry after entry cannot
// be shown. With parts of 200 entries these are 10,000 entries. After that the page ends short,
// with a sealed cursor that continues where the search stopped.
const PageScans = 52
