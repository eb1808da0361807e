package core

// PageRounds is the maximum number of attempts of an operation that may have to be repeated.
const PageRounds = 8

// PageScans is the maximum number of parts of a list that are read for one page if entries can't be
// shown. With parts of 200 entries these are about 10,000 entries. After that the page is short and
// has an encrypted cursor, which continues the search.
const PageScans = 52
