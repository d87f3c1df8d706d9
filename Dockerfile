# The server in a container. Built from nothing but this repository and the packages of the lockfile, for every platform
# that has the base image and EDR's native package: docker buildx build --platform linux/amd64,linux/arm64 .
ARG NODE_VERSION=24

FROM node:${NODE_VERSION}-bookworm-slim AS packages
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
RUN npm ci --omit=dev --prefer-offline --loglevel=error
COPY explorer ./explorer
COPY ledger ./ledger
COPY scripts/buildExplorer.ts ./scripts/buildExplorer.ts
RUN node scripts/buildExplorer.ts

FROM node:${NODE_VERSION}-bookworm-slim
WORKDIR /app
COPY --from=packages /app/node_modules ./node_modules
COPY --from=packages /app/explorer/dist ./explorer/dist
COPY package.json ./
COPY contracts/artifact ./contracts/artifact
COPY chain ./chain
COPY host ./host
COPY indexer ./indexer
COPY ledger ./ledger
COPY scripts ./scripts
COPY server ./server
USER node
RUN mkdir -m 0700 /home/node/data
ENV NODE_ENV=production
# Commands in the container start in half the time.
ENV NODE_COMPILE_CACHE=/home/node/compile-cache
ENV HOST=0.0.0.0
ENV PORT=8080
ENV DATA_DIR=/home/node/data
VOLUME /home/node/data
EXPOSE 8080
# Whether the process answers, not whether it is ready: a long chain takes minutes to replay. /readyz reports readiness.
# It does not verify the certificate of TLS_CERT_FILE, whose name is not 127.0.0.1.
HEALTHCHECK --interval=10s --timeout=5s --start-period=30s CMD ["node", "-e", "require(process.env.TLS_CERT_FILE ? 'https' : 'http').get({ host: '127.0.0.1', port: process.env.PORT, path: '/healthz', rejectUnauthorized: false }, ({ statusCode }) => process.exit(statusCode === 200 ? 0 : 1)).on('error', () => process.exit(1))"]
CMD ["node", "--disable-sigusr1", "--max-semi-space-size=64", "scripts/start.ts"]
