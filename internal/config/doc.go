// Package config reads the configuration from flags, environment variables and a file.
//
// The command line takes precedence over the environment, the environment over the file, and the
// file over the defaults. The options are rows of one table, which the help, the manual page, shell
// completion and the example file are generated from.
package config
