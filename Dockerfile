# The server in a container: built in one stage, run in another as a user without rights, on Node 24.
# What it keeps stands in /data, unless it is one process of a cluster: that keeps nothing here.
FROM node:24.11.1-bookworm-slim AS build
WORKDIR /app
COPY package.json package-lock.json tsconfig.json ./
COPY src src
COPY commands commands
COPY projections projections
COPY clients clients
RUN npm ci --ignore-scripts --no-audit --no-fund \
  && npm run build \
  && npm prune --omit=dev --ignore-scripts --no-audit --no-fund

FROM node:24.11.1-bookworm-slim
ENV NODE_ENV=production HOST=0.0.0.0 PORT=3000 DATA_DIR=/data
WORKDIR /app
COPY --from=build /app .
RUN mkdir /data && chown node:node /data
USER node
VOLUME /data
EXPOSE 3000
HEALTHCHECK --interval=10s --timeout=3s --start-period=30s --retries=3 \
  CMD ["node", "-e", "fetch('http://127.0.0.1:' + process.env.PORT + '/healthz').then((answer) => process.exit(answer.ok ? 0 : 1), () => process.exit(1))"]
# `exec` puts the server in the shell's place: signals reach it, and it ends in order.
CMD ["sh", "-c", "exec node $(node src/server/bin/known-flags.mjs) src/server/bin/launch.mjs start"]
