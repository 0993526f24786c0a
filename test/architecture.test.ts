import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { climbingImports, importCycles, unknownAreas } from './support/architecture/areas.ts';
import { callsOfOtherHosts } from './support/architecture/outgoing-calls.ts';
import { longParameterLists, misplacedParameters } from './support/architecture/parameters.ts';
import { forbiddenImports, importsOfTests, unknownFolders } from './support/architecture/rooms.ts';
import { importsOf, projectPaths, projectSources } from './support/architecture/sources.ts';

const planted = (path: string, text: string) => [{ path, text }];

describe('imports point down', () => {
  test('the table allows every import of the project', () => {
    const sources = projectSources();
    assert.ok(sources.length > 100, 'the files of the project were found');
    assert.deepEqual(forbiddenImports(sources), []);
  });

  const forbidden: [string, string][] = [
    ['domain/a.ts', "import { db } from '../db/engine/database.ts';"],
    ['domain/a.ts', "import type { Db } from '../db/engine/database.ts';"],
    ['domain/a.ts', "import { readFile } from 'node:fs/promises';"],
    ['domain/a.ts', "import express from 'express';"],
    ['db/a.ts', "import { b } from '../services/b.ts';"],
    ['db/a.ts', "export { b } from '../gateway/b.ts';"],
    ['gateway/a.ts', "import { b } from '../db/b.ts';"],
    ['gateway/simulator/a.ts', "import { b } from '../../db/b.ts';"],
    ['services/a.ts', "const b = await import('../gateway/simulator/b.ts');"],
    ['services/a.ts', "import type { components } from '../generated/types.ts';"],
    ['services/a.ts', "import '../handlers/index.ts';"],
    ['handlers/cards/a.ts', "import { b } from '../../db/b.ts';"],
    ['handlers/cards/a.ts', "import { Router } from 'express';"],
    ['handlers/cards/a.ts', "import {\n  type A,\n  mayMove,\n} from '../../domain/payment-moves.ts';"],
    ['handlers/http/a.ts', "import pg from 'pg';"],
    ['jobs/a.ts', "import { b } from '../handlers/b.ts';"],
    ['web/a.ts', "import { b } from '../db/b.ts';"],
    ['services/a.ts', "import { b } from '../scripts/b.ts';"],
    ['services/a.ts', "import { readConfig } from '../config.ts';"],
    ['domain/a.ts', "import { b } from '../test/support/b.ts';"],
    ['extra/a.ts', "import { b } from './b.ts';"],
  ];
  for (const [path, text] of forbidden) {
    test(`${path} with ${text.replaceAll(/\s+/g, ' ')} is reported`, () => {
      assert.equal(forbiddenImports(planted(path, text)).length, 1);
    });
  }

  const allowed: [string, string][] = [
    ['handlers/cards/a.ts', "import type { Payment } from '../../domain/payment-moves.ts';"],
    ['handlers/cards/a.ts', "import { type A, type B } from '../../domain/payment-moves.ts';"],
    ['handlers/http/a.ts', "import express from 'express';"],
    ['db/a.ts', "import { b } from './b.ts';"],
    ['db/a.ts', "// import { b } from '../services/b.ts';"],
    ['main.ts', "import { b } from './handlers/index.ts';"],
    ['test/services/a.test.ts', "import { b } from '../../scripts/b.ts';"],
  ];
  for (const [path, text] of allowed) {
    test(`${path} with ${text} is allowed`, () => {
      assert.deepEqual(forbiddenImports(planted(path, text)), []);
    });
  }

  test('each kind of import is found, with its target', () => {
    const text = "import a from '../b/a.ts';\nexport * from './c.ts';\nimport 'd';\nawait import('./e.ts');";
    const targets = importsOf({ path: 'room/x.ts', text }).map(({ target }) => target);
    assert.deepEqual(targets, ['b/a.ts', 'room/c.ts', 'd', 'room/e.ts']);
  });
});

describe('calls of other hosts', () => {
  test('only the modules that may make them do', () => {
    assert.deepEqual(callsOfOtherHosts(projectSources()), []);
  });

  const forbidden: [string, string][] = [
    ['services/wallet/a.ts', "import { request } from 'undici';"],
    ['services/webhooks/exchange.ts', "import { Agent, type Dispatcher } from 'undici';"],
    ['services/webhooks/outgoing-calls.ts', "import { createTransport } from 'nodemailer';"],
    ['services/webhooks/deliver.ts', "import { OriginConnections } from './origin-connections.ts';"],
    ['services/links/a.ts', "import { get } from 'node:https';"],
    ['services/links/a.ts', "import { createServer, request as call } from 'node:http';"],
    ['services/links/a.ts', "import http from 'node:http';"],
    ['services/links/a.ts', "import * as net from 'net';"],
    ['services/links/a.ts', "import { isIP } from 'node:net';\nimport net from 'node:net';"],
    ['jobs/a.ts', "const { connect } = await import('node:tls');"],
    ['handlers/links/a.ts', "export { request } from 'node:http';"],
    ['composition/a.ts', 'const answer = await fetch(url);'],
    ['services/links/a.ts', 'const answer = globalThis.fetch(url);'],
    ['services/links/a.ts', 'const deps = { fetch, now };\nconst call = fetch;'],
    ['services/links/a.ts', 'read({ get: fetch });'],
    ['main.ts', "const socket = new WebSocket('wss://example.com');"],
  ];
  for (const [path, text] of forbidden) {
    test(`${path} with ${text.replaceAll(/\s+/g, ' ')} is reported`, () => {
      assert.equal(callsOfOtherHosts(planted(path, text)).length, 1);
    });
  }

  const allowed: [string, string][] = [
    ['services/webhooks/origin-connections.ts', "import { Client } from 'undici';"],
    ['services/webhooks/outgoing-calls.ts', "import { OriginConnections } from './origin-connections.ts';"],
    ['services/webhooks/exchange.ts', "import type { Dispatcher } from 'undici';"],
    ['handlers/http/a.ts', "import { createServer, type Server } from 'node:http';"],
    ['services/links/a.ts', "import { isIP } from 'node:net';"],
    ['services/links/a.ts', "import { fetchLogo } from './fetch-logo.ts';\nawait fetchLogo(url);"],
    ['services/links/a.ts', '// It does not fetch(url) itself.'],
    ['scripts/admin/a.ts', 'await fetch(url);'],
  ];
  for (const [path, text] of allowed) {
    test(`${path} with ${text.replaceAll(/\s+/g, ' ')} is allowed`, () => {
      assert.deepEqual(callsOfOtherHosts(planted(path, text)), []);
    });
  }
});

describe('imports of tests', () => {
  const A_TEST = 'b.test.ts';

  test('no file imports a test, and support imports nothing of one room', () => {
    assert.deepEqual(importsOfTests(projectSources()), []);
  });

  const forbidden: [string, string][] = [
    ['test/db/a.ts', `import { b } from './${A_TEST}';`],
    ['scripts/a.ts', `import { b } from '../test/db/${A_TEST}';`],
    ['test/support/a.ts', "import { b } from '../db/b.ts';"],
    ['test/support/deep/a.ts', "import type { B } from '../../db/b.ts';"],
  ];
  for (const [path, text] of forbidden) {
    test(`${path} with ${text} is reported`, () => {
      assert.equal(importsOfTests(planted(path, text)).length, 1);
    });
  }

  test('support may import support, test data and the project', () => {
    const text =
      "import b from './b.ts';\nimport c from '../vectors/c.json';\nimport d from '../../db/d.ts';";
    assert.deepEqual(importsOfTests(planted('test/support/a.ts', text)), []);
  });
});

describe('folders', () => {
  test('the table has every top-level folder', () => {
    assert.deepEqual(unknownFolders(projectPaths()), []);
  });

  test('a new one is reported', () => {
    const folders = unknownFolders(['domain/a.ts', 'utils/b.ts', 'utils/c.ts', 'README.md']);
    assert.deepEqual(folders, ["The folder utils is not in the architecture's table."]);
  });
});

describe('areas', () => {
  test('every folder of a room is an area', () => {
    assert.deepEqual(unknownAreas(projectPaths()), []);
  });

  test('another folder is reported', () => {
    const known = ['services/orders/b.ts', 'services/c.ts', 'spec/schemas/orders/Order.yaml'];
    const unknown = ['services/misc/a.ts', 'test/jobs/misc/a.test.ts', 'spec/examples/misc/a.yaml'];
    assert.deepEqual(unknownAreas([...known, ...unknown]), [
      'services/misc is not in the list of areas.',
      'test/jobs/misc is not in the list of areas.',
      'spec/examples/misc is not in the list of areas.',
    ]);
  });

  test('imports between areas point down', () => {
    assert.deepEqual(climbingImports(projectSources()), []);
  });

  const climbing: [string, string][] = [
    ['services/payments/a.ts', "import { b } from '../orders/b.ts';"],
    ['services/payments/a.ts', "import type { B } from '../orders/b.ts';"],
    ['services/a.ts', "import { b } from './payments/b.ts';"],
    ['services/vault/a.ts', "import { b } from '../b.ts';"],
    ['db/engine/a.ts', "import { b } from '../payments/b.ts';"],
    ['domain/cards/a.ts', "export { b } from '../payments/b.ts';"],
    ['handlers/http/a.ts', "import { b } from '../words.ts';"],
    ['db/payments/deep/a.ts', "import { b } from '../../orders/b.ts';"],
    ['services/deps.ts', "import { b } from './payments/b.ts';"],
  ];
  for (const [path, text] of climbing) {
    test(`${path} with ${text} is reported`, () => {
      assert.equal(climbingImports(planted(path, text)).length, 1);
    });
  }

  const level: [string, string][] = [
    ['services/orders/a.ts', "import { b } from '../payments/b.ts';"],
    ['services/orders/a.ts', "import { b } from './deep/b.ts';"],
    ['services/orders/a.ts', "import { b } from '../../db/maintenance/b.ts';"],
    ['handlers/index.ts', "import { b } from './orders/b.ts';"],
    ['services/deps.ts', "import type { B } from './orders/b.ts';"],
    ['jobs/a.ts', "import { b } from '../services/orders/b.ts';"],
  ];
  for (const [path, text] of level) {
    test(`${path} with ${text} is allowed`, () => {
      assert.deepEqual(climbingImports(planted(path, text)), []);
    });
  }

  test('there is no import cycle', () => {
    assert.deepEqual(importCycles(projectSources()), []);
  });

  test('an import cycle is reported', () => {
    const ring = [
      ...planted('db/a.ts', "import { b } from './b.ts';"),
      ...planted('db/b.ts', "import type { C } from './c.ts';"),
      ...planted('db/c.ts', "import { b } from './b.ts';"),
    ];
    assert.deepEqual(importCycles(ring), ['db/b.ts imports db/c.ts imports db/b.ts.']);
  });

  for (const folder of ['scripts/bench', 'test/support']) {
    test(`a cycle in ${folder} is reported`, () => {
      const ring = [
        ...planted(`${folder}/a.ts`, "import type { B } from './b.ts';"),
        ...planted(`${folder}/b.ts`, "import { a } from './a.ts';"),
      ];
      assert.equal(importCycles(ring).length, 1);
    });
  }
});

describe('parameters', () => {
  test('of db, the services and the jobs are in one order', () => {
    assert.deepEqual(misplacedParameters(projectSources()), []);
  });

  const misplaced = [
    'function f(tx: Tx, deps: Deps): void {}',
    'const f = (merchant: Merchant, tx: Tx) => tx;',
    "function f(id: string, deps: Pick<Deps, 'db'>): void {}",
    'function f(input: Input, scope: MerchantScope): void {}',
  ];
  for (const text of misplaced) {
    test(`another order is reported: ${text}`, () => {
      assert.equal(misplacedParameters(planted('services/a.ts', text)).length, 1);
    });
  }

  test('are at most five', () => {
    assert.deepEqual(longParameterLists(projectSources()), []);
  });

  for (const text of [
    'function f(a: A, b: B, c: C, d: D, e: E, g: G) {}',
    'type F = (a: A, b: B, c: C, d: D, e: E, g?: G) => void;',
  ]) {
    test(`six are reported: ${text}`, () => {
      assert.equal(longParameterLists(planted('scripts/a.ts', text)).length, 1);
    });
  }

  test('the order is allowed, whole or in part', () => {
    const text =
      'function f(deps: Deps, tx: Tx, merchant: Merchant, id: string) {}\nconst g = (tx: Tx, id: string) => id;';
    assert.deepEqual(misplacedParameters(planted('services/a.ts', text)), []);
  });
});
