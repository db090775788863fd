# Stele in a container, with its data in /data: MCP on standard input and output, or REST and MCP over HTTP with `serve`.
# docs/container.md shows how to build and run it. It needs no network.

FROM node:24-bookworm-slim AS build
WORKDIR /stele
COPY . .
RUN npm ci && npm pack --ignore-scripts --pack-destination /tmp

FROM node:24-bookworm-slim
COPY --from=build /tmp/stele-*.tgz /tmp/
RUN npm install --global --omit=dev --no-audit --no-fund /tmp/stele-*.tgz \
  && rm -rf /tmp/stele-*.tgz /root/.npm

# The model is built here, outside the volume, which may be mounted over: the first recall finds it ready.
ENV STELE_HOME=/data STELE_MODELS=/opt/stele/models
RUN export STELE_HOME=/tmp/first-use \
  && stele remember "The image was built" \
  && stele recall "when was it made" --json | grep --quiet '"degraded":null' \
  && chmod -R a+rX /opt/stele \
  && rm -rf /tmp/first-use \
  && install --directory --owner=node --group=node --mode=0700 /data

# Over HTTP the token of programs is a secret that whoever runs the container mounts.
ENV STELE_TOKEN_FILE=/run/secrets/stele-token
EXPOSE 7835

USER node
VOLUME /data
ENTRYPOINT ["stele"]
CMD ["mcp"]
