import type { Story, Tool } from './story.ts';

/** The contract in the form for generators, and the contract itself, which must work with them too. */
const CLIENTS = '"$CENTAVO_URL/openapi-clients.json"';
const CONTRACT = '"$CENTAVO_URL/openapi.json"';

const OAPI_CODEGEN = 'go tool -C test/clients/oapi-codegen oapi-codegen -generate types,client';
const ORVAL = 'npm exec -- orval --client zod --quiet';

/** A tool of the project's own lock file. */
const installed = (command: string): Tool => ({
  command,
  asks: ['--version'],
  what: 'the packages: `npm ci`',
});

/**
 * Other generators that partners use, by name. The slowest without a cache comes first. Each reads the contract that
 * the sandbox serves for generators; the check compiles a client of the contract itself. openapi-typescript runs in the
 * folder of its story, because in the project's root it would read `redocly.yaml`.
 */
export const OTHER_GENERATORS: Readonly<Record<string, Story>> = {
  'oapi-codegen': {
    source: 'test/clients/oapi-codegen/story.go',
    tools: [
      { command: 'go', asks: ['list', '-C', 'test/clients/oapi-codegen', '-m'], what: 'Go 1.25 or newer' },
    ],
    build: [
      'mkdir -p test/clients/oapi-codegen/centavo test/clients/oapi-codegen/contract',
      `${OAPI_CODEGEN} -package centavo -o centavo/centavo.gen.go ${CLIENTS}`,
      'go vet -C test/clients/oapi-codegen . ./centavo',
      'go build -C test/clients/oapi-codegen -o ../../../clients/.tools/oapi-codegen/story .',
    ],
    run: 'clients/.tools/oapi-codegen/story',
    check:
      `${OAPI_CODEGEN} -package contract -o contract/contract.gen.go ${CONTRACT} && ` +
      'go vet -C test/clients/oapi-codegen ./contract',
  },
  orval: {
    tools: [{ command: 'npm', asks: ['--version'], what: 'npm' }],
    build: [
      'mkdir -p clients/orval && cp test/clients/orval/package.json test/clients/orval/package-lock.json clients/orval',
      'npm ci --prefix clients/orval --ignore-scripts --no-audit --no-fund --loglevel error',
      `(cd clients/orval && ${ORVAL} -i ${CLIENTS} -o centavo.ts)`,
      'tsc -p test/clients/orval',
    ],
    check:
      `(cd clients/orval && ${ORVAL} -i ${CONTRACT} -o contract.ts) && ` +
      'tsc --noEmit --strict --skipLibCheck clients/orval/contract.ts && ' +
      'node --test test/clients/orval/check.ts',
  },
  'openapi-fetch': {
    source: 'test/clients/openapi-fetch/story.ts',
    tools: [installed('openapi-typescript'), installed('tsc')],
    build: [
      `(cd test/clients/openapi-fetch && openapi-typescript ${CLIENTS} -o ../../../clients/openapi-fetch/centavo.ts)`,
      'tsc -p test/clients/openapi-fetch',
    ],
    run: 'node test/clients/openapi-fetch/story.ts',
    check:
      `(cd test/clients/openapi-fetch && openapi-typescript ${CONTRACT} -o ../../../clients/openapi-fetch/contract.ts) && ` +
      'tsc --noEmit --strict clients/openapi-fetch/contract.ts',
  },
  'hey-api': {
    source: 'test/clients/hey-api/story.ts',
    tools: [installed('openapi-ts'), installed('tsc')],
    build: [`openapi-ts -i ${CLIENTS} -o clients/hey-api`, 'tsc -p test/clients/hey-api'],
    run: 'tsx test/clients/hey-api/story.ts',
    check:
      `openapi-ts -i ${CONTRACT} -o clients/.tools/hey-api && ` +
      'tsc --noEmit --strict --target es2022 --module esnext --moduleResolution bundler clients/.tools/hey-api/index.ts',
  },
};
