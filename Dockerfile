# The server in a container: compiled in one stage, run in another as a user of its own, on Node 24. For the architectures
# of its base, amd64 and arm64 among them. It writes to /data, and to /tmp for a moment, so its root may be read-only:
#
#   docker run --read-only --tmpfs /tmp --volume ledgerline:/data --publish 3000:3000 ledgerline
#
# What it keeps stands in /data, unless it is one process of a cluster: that keeps nothing here.
FROM node:24.11.1-bookworm-slim AS build
WORKDIR /build
COPY package.json package-lock.json tsconfig.json ./
COPY src src
COPY commands commands
COPY projections projections
COPY clients clients
COPY docs docs
RUN npm ci --ignore-scripts --no-audit --no-fund \
  && node src/server/bin/prepack.mjs \
  && npm prune --omit=dev --ignore-scripts --no-audit --no-fund

FROM node:24.11.1-bookworm-slim
ENV NODE_ENV=production NODE_OPTIONS=--v8-pool-size=0 HOST=0.0.0.0 PORT=3000 DATA_DIR=/data
WORKDIR /app
COPY --from=build /build/package.json package.json
COPY --from=build /build/node_modules node_modules
COPY --from=build /build/dist/server dist/server
COPY --from=build /build/src/server/bin src/server/bin
COPY --from=build /build/docs docs
# The user of the base image gets a name of its own and keeps its number, so volumes of earlier images stay readable.
RUN groupmod --new-name ledgerline node \
  && usermod --login ledgerline --home /data --shell /usr/sbin/nologin node \
  && install --directory --mode 700 --owner ledgerline --group ledgerline /data \
  && ln -s /app/src/server/bin/launch.mjs /usr/local/bin/ledgerline \
  && rm -rf /home/node /opt/yarn-* /usr/local/lib/node_modules /usr/local/include/node \
  && rm -f /usr/local/bin/npm /usr/local/bin/npx /usr/local/bin/corepack /usr/local/bin/yarn /usr/local/bin/yarnpkg
USER 1000:1000
VOLUME /data
EXPOSE 3000
HEALTHCHECK --interval=10s --timeout=3s --start-period=30s --retries=3 \
  CMD ["node", "-e", "fetch('http://127.0.0.1:' + process.env.PORT + '/healthz').then((answer) => process.exit(answer.ok ? 0 : 1), () => process.exit(1))"]
CMD ["node", "src/server/bin/launch.mjs", "start"]
