# docker build --tag archiefkast .
# RELEASING.md says how to renew the digest, which is that of the image for all platforms.
ARG NODE=node:24-bookworm-slim@sha256:a9f5f7c91a432850b2a8a7797adf5eadb6c733ceed61167806cee7ea7fbc29df

# Nothing is compiled for a platform, so that the machine that builds does it for all.
FROM --platform=$BUILDPLATFORM $NODE AS build
WORKDIR /archive
COPY package.json package-lock.json turbo.json tsconfig.base.json LICENSE ./
COPY packages packages
COPY apps apps
COPY test/package.json test/package.json
# Builds too.
RUN npm ci \
  && npm prune --omit=dev --ignore-scripts \
  && rm -rf test turbo.json tsconfig.base.json .turbo node_modules/.cache \
  && find apps packages -mindepth 2 -maxdepth 2 ! -name bin ! -name dist ! -name sample ! -name template \
    ! -name node_modules ! -name package.json ! -name README.md ! -name LICENSE ! -name NOTICES.md -exec rm -rf {} +

FROM $NODE
LABEL org.opencontainers.image.title="Archiefkast" \
  org.opencontainers.image.description="Publishes a historical research archive on the web, and harvests it" \
  org.opencontainers.image.licenses="MIT"
WORKDIR /archive
COPY --from=build /archive /archive
ENV NODE_ENV=production HOST=0.0.0.0
RUN mkdir /archive/data && chown node:node /archive/data
USER node
VOLUME /archive/data
EXPOSE 3000
HEALTHCHECK --interval=10s --timeout=3s --start-period=60s \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT || 3000}/health`).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["node", "apps/archiefkast/bin/archiefkast.js"]
CMD ["serve"]
