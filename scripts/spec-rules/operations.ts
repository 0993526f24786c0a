import { extensionProblems } from '../../handlers/http/operation-extensions.ts';
import { type Context, fileName, folderName, isNode, type Node, type Rule, referredName } from './context.ts';

const VERBS =
  'advance|archive|authorize|cancel|capture|change|create|delete|disable|enable|get|list|ping|preview|reactivate|redeliver|request|reset|restore|rotate|simulate|submit|update|validate|verify';
const OPERATION_ID = new RegExp(`^(${VERBS})([A-Z][a-z]+)+$`);

/** operationId is camelCase verb + noun. The file has its name, in the folder of the tag. */
export const operationName: Rule = () => ({
  Paths: {
    Operation: (operation, { report, location }) => {
      const id = String(operation.operationId ?? '');
      const tag = (operation.tags as string[] | undefined)?.[0];
      if (!OPERATION_ID.test(id)) report({ message: `operationId "${id}" is not camelCase verb and noun.` });
      if (id !== fileName(location)) report({ message: `The file of ${id} must be named ${id}.yaml.` });
      if (tag !== folderName(location))
        report({ message: `The file of ${id} must be in the folder "${tag}".` });
    },
  },
});

/** The headers of every delivery (contract row 9.2). */
const DELIVERY_HEADERS = ['X-Service-Delivery', 'webhook-id', 'webhook-timestamp', 'webhook-signature'];

/**
 * The service sends webhooks, and serves no operation for them. So a webhook has no operationId (the typed map of
 * handlers would require a handler) and no security, and it has the headers of a delivery.
 */
export const webhook: Rule = () => ({
  WebhooksMap: {
    Operation: (operation, { report }) => {
      if (operation.operationId !== undefined) report({ message: 'A webhook must have no operationId.' });
      const security = operation.security;
      if (!Array.isArray(security) || security.length > 0)
        report({ message: 'A webhook must have `security: []`.' });
      const names = parameterNames(operation);
      const missing = DELIVERY_HEADERS.filter((name) => !names.includes(name));
      if (missing.length > 0) report({ message: `A webhook must have ${missing.join(', ')}.` });
    },
  },
});

/** Every POST has the parameter Idempotency-Key, and no other method has it. A POST without a merchant has none. */
export const idempotencyKey: Rule = () => ({
  Paths: {
    PathItem: (item, { report, resolve, location }) => {
      for (const [method, raw] of Object.entries(item)) {
        const operation = resolve(raw).node;
        if (!isNode(operation)) continue;
        const has = parameterNames(operation).includes('Idempotency-Key');
        const at = location.child([method]);
        if (method === 'post' && !has && operation['x-cross-origin'] !== true)
          report({ message: 'A POST must have the parameter Idempotency-Key.', location: at });
        if (method !== 'post' && has)
          report({ message: 'Only a POST can have the parameter Idempotency-Key.', location: at });
      }
    },
  },
});

/**
 * The `x-` fields that the server reads agree with the documentation: operations that only the sandbox has are in its
 * chapter, and the code of a 403 is the first of its examples.
 */
export const extensions: Rule = () => ({
  Paths: {
    Operation: (operation, { report, key, resolve }) => {
      const { security, tags } = operation;
      const isOpen = Array.isArray(security) && security.length === 0;
      for (const message of extensionProblems(operation, String(key), isOpen)) report({ message });
      const isSandbox = (tags as string[] | undefined)?.[0] === 'sandbox';
      if (isSandbox !== (operation['x-sandbox-only'] === true)) {
        report({ message: 'Operations of the tag sandbox, and no others, are x-sandbox-only.' });
      }
      const code = operation['x-forbidden-code'] ?? 'forbidden';
      const codes = exampleNames(resolve((operation.responses as Node | undefined)?.['403']).node);
      if (!isOpen && codes[0] !== code) {
        report({ message: `The first example of the 403 must be ${code}, as x-forbidden-code says.` });
      }
    },
  },
});

/** A list has the parameters per_page and cursor, and its answer is a schema named …Page. */
export const list: Rule = () => ({
  Paths: {
    Operation: (operation, { report, resolve, location }) => {
      if (!String(operation.operationId).startsWith('list')) return;
      const names = parameterNames(operation);
      if (!names.includes('PerPage') || !names.includes('Cursor')) {
        report({ message: 'A list must have the parameters per_page and cursor.' });
      }
      const answer = resolve((operation.responses as Node | undefined)?.['200']).node;
      if (!mediaSchemaName(answer)?.endsWith('Page')) {
        report({
          message: 'The answer of a list must be a schema named …Page.',
          location: location.child(['responses', '200']),
        });
      }
    },
  },
});

/** `from` is a keyword in Python. A parameter with that name breaks its client. */
export const parameterName: Rule = () => ({
  Parameter: (parameter, { report }: Context) => {
    if (parameter.name === 'from') report({ message: 'No parameter may be named "from".' });
  },
});

/** File names of an operation's shared parameters, and names of its inline ones. */
function parameterNames(operation: Node): string[] {
  const parameters = (operation.parameters ?? []) as Node[];
  return parameters.map((parameter) => referredName(parameter) ?? String(parameter.name));
}

/** Name of the schema of a response's JSON body, or null. */
function mediaSchemaName(response: Node | undefined): string | null {
  const content = response?.content as Record<string, Node> | undefined;
  return referredName(content?.['application/json']?.schema);
}

/** Names of the examples of a response's JSON body. */
function exampleNames(response: Node | undefined): string[] {
  const content = response?.content as Record<string, Node> | undefined;
  return Object.keys((content?.['application/json']?.examples ?? {}) as Node);
}
