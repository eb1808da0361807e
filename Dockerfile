# An image with the program and nothing else, as make release builds it without Docker.
# Its health is asked by the program itself: there is no shell.
FROM golang:1.26-alpine AS build
WORKDIR /src
COPY go.mod go.sum ./
RUN go mod download
COPY cmd cmd
COPY internal internal
RUN CGO_ENABLED=0 go build -trimpath -ldflags='-s -w' -o /out/linnet ./cmd/linnet \
 && mkdir -m 0700 /out/data /out/media

FROM scratch
COPY --from=build /out/linnet /linnet
COPY --from=build --chown=65532:65532 /out/data /data
# For pictures that servers share, see compose.yaml.
COPY --from=build --chown=65532:65532 /out/media /media
USER 65532:65532
ENV LINNET_DATA=/data LINNET_ADDR=:8420
VOLUME /data
EXPOSE 8420
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=10s --timeout=5s --start-period=30s CMD ["/linnet", "status"]
ENTRYPOINT ["/linnet"]
