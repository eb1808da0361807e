package mastodon_test

import (
	"fmt"
	"math"
	"slices"
	"strings"
)

// numberIDs reports whether Mastodon sends an id as JSON number, and the maximum value that clients
// decode. Other ids are strings.
func numberIDs(path, name string) (greatest float64, ok bool) {
	switch {
	case name == "id" && path == "/api/v1/push/subscription":
		return math.MaxInt32, true
	case name == "most_recent_notification_id":
		return 1<<53 - 1, true
	case name == "application_id":
		return math.MaxInt32, true
	}
	return 0, false
}

// wrongIDs returns the ids in an answer of path that clients with strict decoders refuse.
func wrongIDs(path string, doc any) (wrong []string) {
	switch doc := doc.(type) {
	case []any:
		for _, v := range doc {
			wrong = append(wrong, wrongIDs(path, v)...)
		}
	case map[string]any:
		for name, v := range doc {
			if isIDName(name) && !goodID(path, name, v) {
				wrong = append(wrong, fmt.Sprintf("%s is %v (%T)", name, v, v))
			}
			wrong = append(wrong, wrongIDs(path, v)...)
		}
	}
	return wrong
}

func isIDName(name string) bool {
	return name == "id" || strings.HasSuffix(name, "_id") || strings.HasSuffix(name, "_ids")
}

func goodID(path, name string, v any) bool {
	greatest, number := numberIDs(path, name)
	switch v := v.(type) {
	case nil, map[string]any: // the details of an error are named after the parameter
		return true
	case string:
		return !number
	case float64:
		return number && v >= 1 && v <= greatest && v == math.Trunc(v)
	case []any:
		return !slices.ContainsFunc(v, func(e any) bool { _, detail := e.(map[string]any); return !detail && !goodID(path, name, e) })
	}
	return false
}
