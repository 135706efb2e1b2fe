FROM node:24-slim AS build
WORKDIR /pith
COPY package.json package-lock.json .npmrc tsconfig.json tsconfig.build.json ./
COPY src ./src
COPY inspector ./inspector
RUN npm ci --ignore-scripts && npm run build
# What an archive on PostgreSQL, its queue and `pith mcp` need besides what Pith installs itself.
RUN npm install --save-prod --save-exact --ignore-scripts pg@8.23.1 pg-boss@12.30.0 @modelcontextprotocol/server@2.4.0 \
 && npm prune --omit=dev --ignore-scripts

FROM node:24-slim
# It listens for other machines, so it starts only with PITH_KEYS: a mounted file, or none.
ENV NODE_ENV=production PITH_HOST=0.0.0.0 PITH_PORT=7483 PITH_ARCHIVE=/data/archive.sqlite
WORKDIR /pith
COPY --from=build /pith/package.json ./
COPY --from=build /pith/node_modules ./node_modules
COPY --from=build /pith/dist ./dist
RUN mkdir /data && chown node:node /data
USER node
VOLUME /data
EXPOSE 7483
# It asks itself, so whose certificate it has does not matter.
HEALTHCHECK CMD ["node", "-e", "const { PITH_PORT, PITH_TLS_CERT } = process.env; const { get } = require(PITH_TLS_CERT ? 'https' : 'http'); get({ port: PITH_PORT, path: '/healthz', rejectUnauthorized: false }, ({ statusCode }) => process.exit(statusCode === 200 ? 0 : 1)).on('error', () => process.exit(1))"]
ENTRYPOINT ["node", "dist/cli/main.js"]
CMD ["gateway"]
