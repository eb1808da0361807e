module linnet/test

go 1.26.0

require (
	github.com/VictoriaMetrics/metricsql v0.87.3
	github.com/coder/websocket v1.8.15
	github.com/mattn/go-mastodon v0.0.13
	go.yaml.in/yaml/v3 v3.0.6
	linnet v0.0.0
	linnet/tools v0.0.0
)

require (
	github.com/VictoriaMetrics/metrics v1.35.3 // indirect
	github.com/gorilla/websocket v1.5.3 // indirect
	github.com/tomnomnom/linkheader v0.0.0-20250811210735-e5fe3b51442e // indirect
	github.com/valyala/fastrand v1.1.0 // indirect
	github.com/valyala/histogram v1.2.0 // indirect
	golang.org/x/sys v0.50.0 // indirect
)

replace (
	linnet => ..
	linnet/tools => ../tools
)
