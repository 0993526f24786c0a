import { type Context, isNode, type Node, type Rule, referredName } from './context.ts';

/** A refusal is written once, in `spec/refusals/`, and everything else points at it. */
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

/** Whoever needs a key can be told that theirs is missing. */
export const unauthorizedAnswer: Rule = () => ({
  Paths: {
    Operation: (operation, { report }) => {
      const open = Array.isArray(operation.security) && operation.security.length === 0;
      if (!open && !(operation.responses as Node)['401'])
        report({ message: 'Security without a 401 answer.' });
    },
  },
});

/** Every refusal that a caller can provoke by the kind of the operation is documented. */
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
  // 422 everywhere: a query parameter that is not known can be sent to all of them.
  const statuses = ['403', '422', '429', '503'];
  if (operation.requestBody) statuses.push('400', '413', '415');
  if (method === 'post') statuses.push('409');
  if (path.includes('{')) statuses.push('404');
  return [...new Set(statuses)].sort();
}

/** An operation that answers 401 and 403 the other way round documents them so, and no other does. */
export const swappedAnswers: Rule = () => ({
  Paths: {
    Operation: (operation, { report }) => {
      const responses = operation.responses as Node;
      const names = [referredName(responses['401']), referredName(responses['403'])];
      const areSwapped = names[0] === 'AccountNotApproved' && names[1] === 'AccountForbidden';
      if (areSwapped === (operation['x-swaps-401-and-403'] === true)) return;
      report({ message: 'AccountNotApproved and AccountForbidden go with x-swaps-401-and-403.' });
    },
  },
});

/** Each answer carries the headers that clients steer by. */
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
  if (['409', '429', '503'].includes(status)) required.push('Retry-After');
  const headers = (response.headers ?? {}) as Node;
  const missing = required.filter((name) => referredName(headers[name]) !== name);
  if (missing.length === 0) return;
  report({ message: `The ${status} lacks ${missing.join(', ')}.`, location: location.child([status]) });
}
