// Package rules checks rules about the source: imports between packages, sizes of files, functions,
// types and packages, package-level state, access to flags and the environment, and actors of staff
// methods.
//
// It only parses Go source, and imports, builds and runs nothing of the project. Its tests apply
// each rule to the whole tree, and to a source that the rule refuses, because a rule that cannot
// fail is useless.
package rules
