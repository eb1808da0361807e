module linnet/test

go 1.26.0

require (
	github.com/coder/websocket v1.8.15
	github.com/mattn/go-mastodon v0.0.13
	linnet v0.0.0
	linnet/tools v0.0.0
)

require (
	github.com/gorilla/websocket v1.5.3 // indirect
	github.com/tomnomnom/linkheader v0.0.0-20250811210735-e5fe3b51442e // indirect
)

replace (
	linnet => ..
	linnet/tools => ../tools
)
