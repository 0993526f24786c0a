/** Fails where another version of Node or of openapi-backend works in another way than handlers/http relies on. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { describe, test } from 'node:test';
import { type Document, OpenAPIBackend, type Operation, type Request } from 'openapi-backend';
import { responseInProgress } from '../../../handlers/http/node-internals.ts';
import { TrieRouter } from '../../../handlers/http/router.ts';
import { ContractValidator, contractAjv } from '../../../handlers/http/validation.ts';

const DEFINITION = {
  openapi: '3.1.0',
  info: { title: 'Test', version: '1' },
  security: [{ Key: [] }],
  paths: {
    '/things/{id}': {
      post: {
        operationId: 'changeThing',
        parameters: [
          { name: 'id', in: 'path', required: true, schema: { type: 'string' } },
          { name: 'size', in: 'query', schema: { type: 'integer' } },
        ],
        requestBody: { content: { 'application/json': { schema: { type: 'object' } } } },
        responses: { 200: { description: 'Changed.' } },
      },
    },
  },
  components: { securitySchemes: { Key: { type: 'http', scheme: 'bearer' } } },
} as unknown as Document;

describe('openapi-backend', () => {
  test('calls our router and validator, in the order that they expect', async () => {
    const calls: string[] = [];
    class WatchedRouter extends TrieRouter {
      override matchOperation(req: Request, strict?: boolean): Operation {
        calls.push(`match ${req.path}${strict ? ' or throw' : ''}`);
        return super.matchOperation(req, strict as true);
      }
      override parseRequest(req: Request, operation?: Operation) {
        calls.push(`parse for ${operation?.operationId ?? 'no operation'}`);
        return super.parseRequest(req, operation);
      }
    }
    class WatchedValidator extends ContractValidator {
      override validateRequest(req: Request, operation?: Operation) {
        calls.push(`validate ${operation?.operationId}, body ${JSON.stringify(req.body)}`);
        return super.validateRequest(req, operation);
      }
    }
    const ajv = {
      customizeAjv: (_ajv: unknown, options: object) =>
        contractAjv('coerceTypes' in options && options.coerceTypes === true),
    };
    const api = new OpenAPIBackend({ definition: DEFINITION, quick: true, coerceTypes: true, ...ajv });
    api.registerSecurityHandler('Key', () => {
      calls.push('security');
      return true;
    });
    api.register('postRoutingHandler', () => void calls.push('after routing'));
    api.register('postSecurityHandler', (_context, _passage, request: Request) => {
      calls.push('after security');
      request.body = { name: 'read late' };
    });
    api.register('notFound', () => 'not found');
    api.register('methodNotAllowed', () => 'not allowed');
    api.register('changeThing', ({ request }) => [request.params, request.query, request.requestBody]);
    await api.init();
    const options = { definition: api.definition, apiRoot: '/', ignoreTrailingSlashes: false };
    api.router = new WatchedRouter(options);
    api.validator = new WatchedValidator({
      definition: api.definition,
      router: api.router,
      lazyCompileValidators: true,
      coerceTypes: true,
      ...ajv,
    });
    const request = { method: 'POST', path: '/things/a%20b', query: 'size=5', headers: {} };
    const answer = await api.handleRequest(request, {}, request);
    assert.deepEqual(answer, [{ id: 'a b' }, { size: 5 }, { name: 'read late' }]);
    assert.deepEqual(calls, [
      'parse for no operation',
      'match /things/a%20b or throw',
      'parse for changeThing',
      'after routing',
      'security',
      'after security',
      'validate changeThing, body {"name":"read late"}',
      'parse for changeThing',
      'parse for changeThing',
    ]);
    const other = (method: string, path: string) =>
      api.handleRequest({ method, path, headers: {} }, {}, {} as never);
    assert.equal(await other('POST', '/nothing'), 'not found');
    assert.equal(await other('GET', '/things/a'), 'not allowed');
  });
});

describe('Node', () => {
  test('keeps the current response on its socket', async (t) => {
    const server = createServer();
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    t.after(() => server.close());
    const client = connect((server.address() as AddressInfo).port, '127.0.0.1');
    client.on('error', () => {});
    const unreadable = once(server, 'clientError');
    client.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n');
    const [, response] = (await once(server, 'request')) as [unknown, ServerResponse];
    client.write('no request\r\n\r\n');
    const [, socket] = (await unreadable) as [Error, Socket];
    assert.equal(responseInProgress(socket), response);
    client.destroy();
    assert.equal(
      responseInProgress(connect({ port: 1, host: '127.0.0.1' }).on('error', () => {})),
      undefined,
    );
  });
});
