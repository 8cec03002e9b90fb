# One file, two images: `docker build .` makes the container, `--target lambda` the function.
# Written for the classic builder and BuildKit alike. docs/deploy-container.md, docs/deploy-lambda.md.
ARG BASE_IMAGE=node:24-bookworm-slim
ARG LAMBDA_BASE_IMAGE=public.ecr.aws/lambda/nodejs:24

# The package as published to npm.
FROM ${BASE_IMAGE} AS package
WORKDIR /source
COPY package.json package-lock.json ./
RUN npm ci --ignore-scripts --no-audit --no-fund
COPY . .
RUN npm run build && mkdir /packed && npm pack --ignore-scripts --pack-destination /packed

# The packed product with the dependencies of the lock file, without files that are not used at run time.
FROM ${BASE_IMAGE} AS install
WORKDIR /install
COPY package.json package-lock.json ./
RUN npm ci --omit=dev --ignore-scripts --no-audit --no-fund && rm -f node_modules/.package-lock.json
COPY --from=package /packed /packed
RUN mkdir node_modules/validator-mcp \
  && tar -xzf /packed/*.tgz -C node_modules/validator-mcp --strip-components=1 \
  && rm package.json package-lock.json \
  && find node_modules -type f \( -name '*.d.ts' -o -name '*.d.mts' -o -name '*.d.cts' -o -name '*.map' \) -delete \
  && find node_modules -type f -iname '*.md' ! -iname 'license*' ! -iname 'notice*' -delete \
  && find node_modules -depth -type d -empty -delete

# The build fails if reference data is incomplete: sync-services fails unless it has every service.
FROM install AS data
ARG REFERENCE_DATA=embedded
ARG REFERENCE_DATA_URL=
RUN VALIDATOR_MCP_REFERENCE_DATA_URL="${REFERENCE_DATA_URL}" \
  node node_modules/validator-mcp/dist/bundle/cli.js sync-services \
    --source "${REFERENCE_DATA}" --output-dir /aws_services

FROM ${LAMBDA_BASE_IMAGE} AS lambda
ARG VERSION=0.0.0-dev
ARG REVISION=unknown
ARG CREATED=
LABEL org.opencontainers.image.title="validator-mcp-lambda" \
  org.opencontainers.image.source="https://github.com/validator-mcp/validator-mcp" \
  org.opencontainers.image.url="https://github.com/validator-mcp/validator-mcp" \
  org.opencontainers.image.documentation="https://github.com/validator-mcp/validator-mcp/blob/main/docs/deploy-lambda.md" \
  org.opencontainers.image.description="Validates AWS IAM policies over MCP, as a function" \
  org.opencontainers.image.licenses="MIT" \
  org.opencontainers.image.version="${VERSION}" \
  org.opencontainers.image.revision="${REVISION}" \
  org.opencontainers.image.created="${CREATED}"
COPY --from=install /install/node_modules /var/task/node_modules
COPY --from=install /install/node_modules/validator-mcp/iam_validator.mjs /var/task/
COPY --from=data /aws_services /var/task/aws_services
# The operator must set auth and config; without them the function does not start.
ENV NODE_ENV=production \
  VALIDATOR_MCP_MODE=hosted \
  VALIDATOR_MCP_AWS_SERVICES_DIR=/var/task/aws_services \
  VALIDATOR_MCP_CACHE_DIRECTORY=/tmp/iam-validator-cache
CMD ["iam_validator.mcp.awslambda.handler"]

FROM ${BASE_IMAGE} AS container
ARG VERSION=0.0.0-dev
ARG REVISION=unknown
ARG CREATED=
LABEL org.opencontainers.image.title="validator-mcp" \
  org.opencontainers.image.source="https://github.com/validator-mcp/validator-mcp" \
  org.opencontainers.image.url="https://github.com/validator-mcp/validator-mcp" \
  org.opencontainers.image.documentation="https://github.com/validator-mcp/validator-mcp/blob/main/docs/deploy-container.md" \
  org.opencontainers.image.description="Validates AWS IAM policies over MCP" \
  org.opencontainers.image.licenses="MIT" \
  org.opencontainers.image.version="${VERSION}" \
  org.opencontainers.image.revision="${REVISION}" \
  org.opencontainers.image.created="${CREATED}"
WORKDIR /app
COPY --from=install /install/node_modules /app/node_modules
COPY --from=data /aws_services /app/aws_services
# Host, auth and config are the operator's to set: without auth and config the server does not
# start, without a host it listens on the container's own loopback address. NODE_OPTIONS bounds the
# young generation, of each thread, which would take more memory, and the threads that help V8 collect garbage: Node starts four on
# any machine, with the priority of the main thread. A value that you set replaces this one.
# MALLOC_ARENA_MAX: the C library would keep free memory for each thread. MALLOC_TRIM_THRESHOLD_ is the library's default,
# set so that it stays: else it rises with the first large block that is freed, and much more free memory is kept.
ENV NODE_ENV=production \
  NODE_OPTIONS="--max-semi-space-size=4 --v8-pool-size=1" \
  MALLOC_ARENA_MAX=1 \
  MALLOC_TRIM_THRESHOLD_=131072 \
  VALIDATOR_MCP_MODE=hosted \
  VALIDATOR_MCP_PORT=8000 \
  VALIDATOR_MCP_AWS_SERVICES_DIR=/app/aws_services \
  VALIDATOR_MCP_CACHE_DIRECTORY=/tmp/iam-validator-cache
USER 1000:1000
EXPOSE 8000
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=30s --timeout=5s --start-period=10s --retries=3 \
  CMD ["node", "/app/node_modules/validator-mcp/dist/src/health-check.js"]
# --no-sparkplug: the code of V8's baseline compiler takes 13 of 239 MB after 400 batches and saves no processor time there.
# --external-memory-accounted-in-global-limit: without it, V8 counts buffers as objects and collects the whole heap four times a
# second in floods of connections; with it, the collector takes a third less of the main thread there.
# NODE_OPTIONS takes neither.
ENTRYPOINT ["node", "--no-sparkplug", "--external-memory-accounted-in-global-limit", "/app/node_modules/validator-mcp/dist/bundle/cli.js"]
CMD ["serve"]
