// Package admin handles the methods of staff, and reports by users. Each method of staff
// requires a scope and a permission.
package admin
