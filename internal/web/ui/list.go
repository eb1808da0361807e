package ui

// Empty is shown if there are no entries.
type Empty struct{ Icon, Title, Text string }

// Pager leads to the neighbouring pages; "" where there is none.
type Pager struct{ Newer, Older string }
