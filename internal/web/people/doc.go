// Package people has the pages of profiles, lists of people, relations between them, and reports.
package people
