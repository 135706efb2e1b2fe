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
ENV NODE_ENV=production PITH_HOST=0.0.0.0 PITH_PORT=7483 PITH_ARCHIVE=/data/archive.sqlite
WORKDIR /pith
COPY --from=build /pith/package.json ./
COPY --from=build /pith/node_modules ./node_modules
COPY --from=build /pith/dist ./dist
RUN mkdir /data && chown node:node /data
USER node
VOLUME /data
EXPOSE 7483
HEALTHCHECK CMD ["node", "-e", "fetch('http://127.0.0.1:7483/healthz').then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["node", "dist/cli/main.js"]
CMD ["gateway"]
