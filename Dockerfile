# docker build --tag archiefkast .
FROM node:24-slim AS build
WORKDIR /archive
COPY package.json package-lock.json turbo.json tsconfig.base.json ./
COPY packages packages
COPY apps apps
COPY test/package.json test/package.json
RUN npm ci && npx turbo run build --filter=@archiefkast/archive-api --filter=@archiefkast/archive-cli && npm prune --omit=dev

FROM node:24-slim
WORKDIR /archive
COPY --from=build /archive /archive
ENV NODE_ENV=production HOST=0.0.0.0
RUN mkdir /archive/data && chown node:node /archive/data
USER node
VOLUME /archive/data
EXPOSE 3000
ENTRYPOINT ["node", "apps/api/bin/archive-api.js"]
CMD ["serve"]
