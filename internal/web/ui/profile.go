package ui

// TabsAt marks the tab of a path.
func TabsAt(path string, tabs ...Tab) []Tab {
	for i := range tabs {
		tabs[i].Here = tabs[i].Path == path
	}
	return tabs
}
