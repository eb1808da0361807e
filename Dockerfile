# Builds an image that contains only the program, like the image of make release. There is no shell;
# the program itself is the health check.
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
# For a shared media volume, see compose.yaml.
COPY --from=build --chown=65532:65532 /out/media /media
USER 65532:65532
ENV LINNET_DATA=/data LINNET_ADDR=:8420
VOLUME /data
EXPOSE 8420
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=10s --timeout=5s --start-period=30s CMD ["/linnet", "status"]
ENTRYPOINT ["/linnet"]
