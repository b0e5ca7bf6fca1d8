# An image with acp-conform alone: a static binary, run by a user without rights. Agents are programs of their own: build an image on
# top of this one with yours, or copy the binary out of it into the image of your agent.
FROM golang:1.26 AS build
WORKDIR /src
COPY go.mod go.sum ./
RUN go mod download
COPY . .
RUN CGO_ENABLED=0 go build -trimpath -ldflags '-s -w' -o /acp-conform ./cmd/acp-conform

FROM gcr.io/distroless/static-debian12:nonroot
COPY --from=build /acp-conform /usr/local/bin/acp-conform
USER nonroot
ENTRYPOINT ["/usr/local/bin/acp-conform"]
CMD ["--help"]
