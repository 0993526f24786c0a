import { type Context, isNode, type Node, type Rule, referredName } from './context.ts';

/** Refusals are defined once, in `spec/refusals/`, and used by reference. */
export const refusalByReference: Rule = () => ({
  Responses: (responses, { report, location }) => {
    for (const [status, response] of Object.entries(responses)) {
      if (!/^[45]/.test(status)) continue;
      const ref = (response as Node).$ref;
      if (typeof ref !== 'string' || !ref.includes('/refusals/')) {
        report({
          message: `The ${status} must be a $ref to spec/refusals/.`,
          location: location.child([status]),
        });
      }
    }
  },
});

/** Operations that require a key document the 401. */
export const unauthorizedAnswer: Rule = () => ({
  Paths: {
    Operation: (operation, { report }) => {
      const open = Array.isArray(operation.security) && operation.security.length === 0;
      if (!open && !(operation.responses as Node)['401'])
        report({ message: 'An operation that requires a key must have a 401.' });
    },
  },
});

/** Operations document every refusal that an operation with this method, path and body can answer. */
export const completeAnswers: Rule = () => ({
  Paths: {
    PathItem: (item, { report, resolve, location, key }) => {
      for (const [method, raw] of Object.entries(item)) {
        const operation = resolve(raw).node;
        if (!isNode(operation?.responses)) continue;
        const missing = expectedStatuses(String(key), method, operation).filter(
          (status) => (operation.responses as Node)[status] === undefined,
        );
        if (missing.length === 0) continue;
        report({
          message: `Answers are missing: ${missing.join(', ')}.`,
          location: location.child([method]),
        });
      }
    },
  },
});

function expectedStatuses(path: string, method: string, operation: Node): string[] {
  // Without a merchant, no Idempotency-Key is kept, and violations are a 400.
  if (operation['x-cross-origin'] === true) return ['400', '413', '415', '429', '500', '503'];
  // Every operation answers 422 to an unknown query parameter.
  const statuses = ['422', '429', '503'];
  const isOpen = Array.isArray(operation.security) && operation.security.length === 0;
  // Without a key, only an account that is not approved is refused.
  if (!isOpen || operation['x-moves-money'] === true) statuses.push('403');
  if (operation.requestBody) statuses.push('400', '413', '415');
  if (method === 'post') statuses.push('409');
  if (path.includes('{')) statuses.push('404');
  return [...new Set(statuses)].sort();
}

/** Only operations with x-swaps-401-and-403 document the 401 and the 403 with each other's meaning. */
export const swappedAnswers: Rule = () => ({
  Paths: {
    Operation: (operation, { report }) => {
      const responses = operation.responses as Node;
      const names = [referredName(responses['401']), referredName(responses['403'])];
      const areSwapped = names[0] === 'AccountNotApproved' && names[1] === 'AccountForbidden';
      if (areSwapped === (operation['x-swaps-401-and-403'] === true)) return;
      report({
        message:
          'An operation must have either AccountNotApproved, AccountForbidden and x-swaps-401-and-403, or none of them.',
      });
    },
  },
});

/** Each answer documents the headers that clients use. */
export const answerHeaders: Rule = () => ({
  Paths: {
    Responses: (responses, context) => {
      for (const [status, raw] of Object.entries(responses)) {
        const response = context.resolve(raw).node;
        if (response) requireHeaders(status, response, context);
      }
    },
  },
});

const RATE_LIMIT = ['RateLimit-Limit', 'RateLimit-Remaining', 'RateLimit-Reset'];

function requireHeaders(status: string, response: Node, { report, location }: Context): void {
  const required = ['X-Request-Id'];
  if (/^2|^429$/.test(status)) required.push(...RATE_LIMIT);
  if (status === '401') required.push('WWW-Authenticate');
  // A repeated request gets the same 409 until the merchant changes something.
  const isPermanent = status === '409' && response['x-permanent'] === true;
  if (['409', '429', '503'].includes(status) && !isPermanent) required.push('Retry-After');
  const headers = (response.headers ?? {}) as Node;
  const missing = required.filter((name) => referredName(headers[name]) !== name);
  if (missing.length === 0) return;
  report({ message: `The ${status} lacks ${missing.join(', ')}.`, location: location.child([status]) });
}
