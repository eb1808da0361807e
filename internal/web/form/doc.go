// Package form renders the pages of the settings and of the administration: a column of sections
// with forms, tables, properties and charts, next to the list of all sections.
package form
