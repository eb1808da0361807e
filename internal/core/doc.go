// Package core is what every storey above needs of the installation: its settings, who
// runs it, what they may do and what they have done, limits of requests, events
// between servers, the words of texts, and how an error of the store is told to
// people. It knows no statuses and no relations.
package core
