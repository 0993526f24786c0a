import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { readConfig } from '../../config.ts';
import { clientCopy } from '../../scripts/clients/client-copy.ts';
import { refuseLoss } from '../../scripts/clients/generator.ts';
import type { Json } from '../../scripts/clients/json.ts';
import { languageOf } from '../../scripts/clients/languages.ts';
import { ROOT } from '../../scripts/clients/places.ts';

const contract: Json = JSON.parse(readFileSync(join(ROOT, 'generated/openapi.json'), 'utf8'));

/** One schema of a document, as clients get it. */
function copied(schema: Json, others: Record<string, Json> = {}): unknown {
  const copy = clientCopy({ components: { schemas: { It: schema, ...others } } });
  return (copy as { components: { schemas: Json } }).components.schemas.It;
}

describe('the copy of the contract for clients', () => {
  test('has every operation, schema and field of the contract, and no webhook', () => {
    const copy = clientCopy(contract);
    assert.equal(copy.webhooks, undefined);
    assert.deepEqual(Object.keys(copy.paths as Json), Object.keys(contract.paths as Json));
    const schemas = (document: Json) => (document.components as { schemas: Record<string, Json> }).schemas;
    const unions = Object.entries(schemas(contract)).filter(([, { oneOf }]) => oneOf !== undefined);
    const fields = (document: Json) =>
      Object.entries(schemas(document))
        .filter(([name]) => !unions.some(([union]) => union === name))
        .map(([name, { properties, required }]) => [name, Object.keys((properties ?? {}) as Json), required]);
    assert.deepEqual(fields(copy), fields(contract));
    assert.deepEqual(Object.keys(schemas(copy)), Object.keys(schemas(contract)));
    assert.doesNotMatch(JSON.stringify(copy), /"(if|then|else|x-[a-z-]+|propertyNames)":/);
  });

  test('has a sentence about the API, and the address of a sandbox', () => {
    const info = { title: 'An API', version: '1', summary: 'Take payments.', description: 'Long.' };
    const document = { info, servers: [{ url: '/api/v1' }], components: { schemas: {} } };
    const copy = clientCopy(document) as { info: Json; servers: Json[] };
    assert.equal(copy.info.description, 'Take payments.');
    assert.deepEqual(
      copy.servers.map(({ url }) => url),
      ['http://127.0.0.1:3000/api/v1'],
    );
    const own = clientCopy(contract) as { info: Json; servers: Json[] };
    const [server] = contract.servers as { url: string }[];
    assert.equal(own.servers[0]!.url, `http://127.0.0.1:${readConfig({}).port}${server!.url}`);
    assert.match(String(own.info.description), /^[A-Z].+\.$/);
  });

  test('does not change the contract', () => {
    const before = JSON.stringify(contract);
    clientCopy(contract);
    assert.equal(JSON.stringify(contract), before);
  });

  test('omits the rules between fields, and keeps the constraints of values', () => {
    const properties = { to: { type: 'string' }, if: { type: 'string' } };
    const required = ['if'];
    const rules = { if: { required: ['to'] }, else: { properties: { if: false } }, 'x-rule': 'cpf' };
    const one = { oneOf: [{ required: ['to'] }, { required: ['if'] }] };
    assert.deepEqual(copied({ type: 'object', properties, required, ...rules, ...one }), {
      type: 'object',
      properties,
      required,
    });
  });

  test('describes a default in words, because generators make such a field required, or always send it', () => {
    const withDefault = { type: 'integer', description: 'How many, 1 to 12.', default: 1 };
    const described = { type: 'integer', description: 'How many, 1 to 12. Default: 1.' };
    assert.deepEqual(copied(withDefault), described);
    assert.deepEqual(copied({ properties: { default: withDefault } }), {
      properties: { default: described },
    });
    assert.deepEqual(copied({ type: 'string', default: 'a' }), {
      type: 'string',
      description: 'Default: "a".',
    });
    const otherwise = { description: 'Any other status.' };
    const copy = clientCopy({
      components: { schemas: {} },
      paths: { '/it': { get: { responses: { default: otherwise } } } },
    });
    assert.deepEqual(copy.paths, { '/it': { get: { responses: { default: otherwise } } } });
    assert.doesNotMatch(JSON.stringify(clientCopy(contract)), /"default":/);
  });

  test('keeps a nullable reference, and the pattern of a text but not of a timestamp', () => {
    const orNull = { anyOf: [{ $ref: '#/components/schemas/Other' }, { type: 'null' }] };
    assert.deepEqual(copied(orNull), orNull);
    assert.deepEqual(copied({ type: 'string', pattern: '^a$' }), { type: 'string', pattern: '^a$' });
    const moment = { type: 'string', format: 'date-time' };
    assert.deepEqual(copied({ ...moment, pattern: '^a$' }), moment);
  });
});

describe('the schemas of answers', () => {
  const reference = (name: string) => ({ $ref: `#/components/schemas/${name}` });
  const content = (name: string) => ({ content: { 'application/json': { schema: reference(name) } } });
  const closed = (properties: Json = {}) => ({ type: 'object', properties, additionalProperties: false });
  const schemas = {
    Sent: closed({ both: reference('Both'), kind: { type: 'string', const: 'B' } }),
    Both: closed({ inner: closed(), alg: { type: 'string', const: 'A' } }),
    Answer: { type: 'object', properties: { both: { anyOf: [reference('Both'), { type: 'null' }] } } },
    Received: closed({ again: reference('Received') }),
  };
  const post = { requestBody: content('Sent'), responses: { 200: { $ref: '#/components/responses/Good' } } };
  const copy = clientCopy({
    paths: { '/it': { post } },
    webhooks: { received: { post: { requestBody: content('Received') } } },
    components: { responses: { Good: content('Answer') }, schemas },
  }) as { components: { schemas: Record<string, Json> } };

  test('allow new fields and values at any depth, unlike schemas that are only sent', () => {
    const { Sent, Both, Received } = copy.components.schemas;
    assert.deepEqual(Sent, schemas.Sent);
    const open = { type: 'object', properties: {} };
    assert.deepEqual(Both, { ...open, properties: { inner: open, alg: { type: 'string' } } });
    assert.deepEqual(Received, { ...open, properties: { again: reference('Received') } });
  });

  test('are open in the copy of our contract, while the body of a refund request is closed', () => {
    const own = clientCopy(contract) as typeof copy;
    const isClosed = (name: string) => own.components.schemas[name]!.additionalProperties === false;
    assert.deepEqual(['CustomerAddress', 'Phone', 'OrderItem', 'Payment'].filter(isClosed), []);
    assert.deepEqual(['RefundCreate', 'OrderCreate'].filter(isClosed), ['RefundCreate', 'OrderCreate']);
    // Python refuses unknown values of an inline enum; an enum with its own schema has an unknown value.
    const isChoice = (schema: object) => 'enum' in schema || 'const' in schema;
    const choices = (node: unknown): boolean =>
      typeof node === 'object' && node !== null && (isChoice(node) || Object.values(node).some(choices));
    const fields = Object.values(own.components.schemas).map(({ properties }) => properties);
    assert.deepEqual(fields.filter(choices), []);
    const { alg } = own.components.schemas.CardEncryptionKey!.properties as Json;
    assert.equal((alg as Json).type, 'string');
  });
});

describe('a union without a tag', () => {
  const reference = (name: string) => ({ $ref: `#/components/schemas/${name}` });
  const object = (properties: Json, required: string[]) => ({ type: 'object', properties, required });
  const text = { type: 'string' };

  test('becomes one object with the fields of all, required if all require them', () => {
    const A = object({ id: text, a: text }, ['id', 'a']);
    const B = object({ id: { ...text, description: 'Another word for it.' }, b: text }, ['id', 'b']);
    assert.deepEqual(copied({ description: 'Either.', oneOf: [reference('A'), reference('B')] }, { A, B }), {
      type: 'object',
      description: 'Either.',
      properties: { id: text, a: text, b: text },
      required: ['id'],
    });
  });

  test('is refused if a field has two types', () => {
    const A = object({ error: text }, []);
    const B = object({ error: { type: 'object' } }, []);
    const union = { oneOf: [reference('A'), reference('B')] };
    assert.throws(() => copied(union, { A, B }), /It is a union in which error has two types/);
  });

  test('is not changed if it has a discriminator', () => {
    const union = { oneOf: [reference('A')], discriminator: { propertyName: 'a' } };
    assert.deepEqual(copied(union, { A: object({ a: text }, ['a']) }), union);
  });
});

test('a class that overwrites another stops the generation', () => {
  refuseLoss('[main] INFO writing file a\n[main] WARN something else');
  assert.throws(() => refuseLoss('[main] WARN Duplicate file path: Api.ts'), /Duplicate file path: Api\.ts/);
});

test('any generator can be used by its name, and its client reads new values', () => {
  assert.equal(languageOf('typescript').generator, 'typescript-fetch');
  assert.equal(languageOf('kotlin').generator, 'kotlin');
  for (const name of ['go', 'kotlin']) assert.equal(languageOf(name).options.enumUnknownDefaultCase, true);
});
