// Package rules holds the project to its own plan: who may import whom, how
// long files and functions may be, where state, flags and the environment
// may be read, and that whoever acts as staff is named.
//
// It knows Go source as text and syntax only; it imports nothing of the
// project, builds nothing and runs nothing. Its test applies every rule to the
// whole tree, and shows for each rule a source that it refuses: a rule that
// cannot fail protects nobody.
package rules
