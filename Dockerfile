# The example worker, and the command `sendonce`: docker compose up builds it. A team's own image looks much the same, with
# its project in place of this repository and `npm ci --omit=dev` in place of the build.
# Debian, since Temporal's native module needs glibc.
FROM node:22.23.3-bookworm-slim AS build
WORKDIR /app
COPY package.json package-lock.json ./
# Without scripts: `prepare` would build before the sources are here, and no package needs one of its own.
RUN npm ci --ignore-scripts --no-audit --no-fund
COPY tsconfig.json tsconfig.build.json ./
COPY scripts scripts
COPY src src
RUN npm run build
# Down to what runs. The peers that the example brings are development packages of the repository; their versions stay
# those of the lock, as nothing is installed here.
RUN npm pkg delete devDependencies \
  && npm pkg set 'dependencies.ai=*' 'dependencies.stripe=*' 'dependencies.zod=*' \
  && npm prune --ignore-scripts --no-audit --no-fund \
  && chmod +x dist/cli/main.js

FROM node:22.23.3-bookworm-slim
# Temporal's client trusts the system's certificates, and the slim image has none.
# hadolint ignore=DL3008
RUN apt-get update \
  && apt-get install -y --no-install-recommends ca-certificates \
  && rm -rf /var/lib/apt/lists/* \
  && install -d -o 1000 -g 1000 /data \
  && ln -s /app/dist/cli/main.js /usr/local/bin/sendonce
ENV NODE_ENV=production
WORKDIR /app
COPY --from=build /app/package.json ./
COPY --from=build /app/node_modules node_modules
COPY --from=build /app/dist dist
COPY examples/docker examples/docker
# The image's user "node", by number, so that Kubernetes sees that it is not root.
USER 1000:1000
ENTRYPOINT ["sendonce"]
CMD ["--help"]
