/**
 * Checks of the bundled document: its schemas compile as in the server, its examples are valid without unknown fields,
 * also in answers, and every id that an example refers to belongs to a record in an example.
 */
import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { addBusinessRules } from '../../handlers/http/business-rules.ts';
import { withClosedObjects } from '../contract/closed-objects.ts';
import type { Node } from './context.ts';

export interface Problem {
  readonly where: string;
  readonly rule: string;
  readonly message: string;
}

/** All problems of the examples and schemas of a bundled document. */
export function checkExamples(document: Node): Problem[] {
  const ajv = new Ajv2020({ allErrors: true, strict: true, strictRequired: false });
  addFormats.default(ajv);
  for (const format of ['int32', 'int64']) ajv.addFormat(format, true);
  ajv.addVocabulary(['components', 'example', 'x-pattern-message']);
  addBusinessRules(ajv);
  const schemas = schemasOf(withClosedObjects(document));
  ajv.addSchema({ $id: 'contract', components: { schemas } }, undefined, false);

  const uncompiled = Object.keys(schemasOf(document)).flatMap((name) => compileProblem(ajv, name));
  const examples = [...examplesOf(document)];
  const invalid = examples.flatMap((example) => validate(ajv, example));
  return [...uncompiled, ...invalid, ...checkReferences(examples)];
}

interface Example {
  readonly where: string;
  readonly schema: Node;
  readonly value: unknown;
}

function compileProblem(ajv: Ajv2020, name: string): Problem[] {
  try {
    ajv.compile({ $ref: `contract#/components/schemas/${name}` });
    return [];
  } catch (error) {
    return [{ where: `schema ${name}`, rule: 'schema-compiles', message: (error as Error).message }];
  }
}

function validate(ajv: Ajv2020, { where, schema, value }: Example): Problem[] {
  const check = compile(ajv, typeof schema.$ref === 'string' ? { $ref: `contract${schema.$ref}` } : schema);
  if (check === null || check(value)) return [];
  return (check.errors as ErrorObject[]).map((error) => ({
    where,
    rule: 'example-valid',
    message: `${error.instancePath || '(root)'} ${error.message} ${JSON.stringify(error.params)}`,
  }));
}

/** Null when the schema does not compile, which is reported for the schema itself. */
function compile(ajv: Ajv2020, schema: Node): ValidateFunction | null {
  try {
    return ajv.compile(schema);
  } catch {
    return null;
  }
}

/** The examples of all bodies, answers and parameters, of operations and webhooks. */
function* examplesOf(document: Node): Generator<Example> {
  const at = (node: unknown): Node => resolve(document, node);
  for (const [path, item] of Object.entries({ ...at(document.paths), ...at(document.webhooks) })) {
    for (const [method, operation] of Object.entries(item as Record<string, Node>)) {
      const where = `${method.toUpperCase()} ${path}`;
      yield* mediaExamples(document, `${where} body`, at(operation.requestBody ?? {}));
      for (const [status, response] of Object.entries(at(operation.responses))) {
        yield* mediaExamples(document, `${where} ${status}`, at(response));
      }
      for (const parameter of ((operation.parameters ?? []) as Node[]).map(at)) {
        if (parameter.example === undefined) continue;
        yield {
          where: `${where} ${parameter.name}`,
          schema: parameter.schema as Node,
          value: parameter.example,
        };
      }
    }
  }
}

function* mediaExamples(document: Node, where: string, holder: Node): Generator<Example> {
  for (const media of Object.values((holder.content ?? {}) as Record<string, Node>)) {
    const named = Object.entries((media.examples ?? {}) as Node);
    for (const [name, example] of named) {
      yield {
        where: `${where} ${name}`,
        schema: media.schema as Node,
        value: resolve(document, example).value,
      };
    }
    if (media.example !== undefined) yield { where, schema: media.schema as Node, value: media.example };
  }
}

const REFERENCES = [
  'customer_id',
  'card_id',
  'payment_id',
  'object_id',
  'event_id',
  'endpoint_id',
  'product_id',
];

/** Reports ids that refer to a record that no example shows. */
function checkReferences(examples: Example[]): Problem[] {
  const shown = new Set<unknown>();
  for (const { value } of examples) walk(value, (key, item) => key === 'id' && shown.add(item));
  const problems: Problem[] = [];
  for (const { where, value } of examples) {
    walk(value, (key, item) => {
      if (!REFERENCES.includes(key) || item === null || shown.has(item)) return;
      problems.push({
        where,
        rule: 'example-reference',
        message: `No example shows the record that ${key} ${item} refers to.`,
      });
    });
  }
  return problems;
}

function walk(value: unknown, visit: (key: string, item: unknown) => void): void {
  if (typeof value !== 'object' || value === null) return;
  for (const [key, item] of Object.entries(value)) {
    visit(key, item);
    walk(item, visit);
  }
}

function schemasOf(document: Node): Node {
  return (document.components as Node).schemas as Node;
}

/** Resolves a local `$ref`. Bundled documents have no others. */
function resolve(document: Node, node: unknown): Node {
  const ref = (node as Node).$ref;
  if (typeof ref !== 'string') return node as Node;
  const keys = ref
    .slice(2)
    .split('/')
    .map((key) => key.replaceAll('~1', '/').replaceAll('~0', '~'));
  return resolve(
    document,
    keys.reduce<unknown>((part, key) => (part as Node)[key], document),
  );
}
