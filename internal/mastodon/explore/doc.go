// Package explore handles hashtags, trends, search and suggestions.
package explore
