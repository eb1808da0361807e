module linnet/tools

go 1.26.0

require (
	github.com/HdrHistogram/hdrhistogram-go v1.4.0
	github.com/coder/websocket v1.8.15
	golang.org/x/term v0.48.0
)

require golang.org/x/sys v0.50.0 // indirect
