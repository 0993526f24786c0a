import type { IncomingMessage } from 'node:http';
import { shownFieldName } from '../../domain/field-names.ts';
import { exceedsCount, exceedsDepth, findUnstorableText } from '../../domain/text.ts';
import { HttpRefusal, invalidRequest } from './refusal.ts';

/** The maximum length of a request body. */
const MAX_BODY_BYTES = 256 * 1024;
/** The maximum nesting of arrays and objects. The contract needs 6. */
const MAX_BODY_DEPTH = 32;
/**
 * The maximum of values in a body. The largest body of the contract has about 1,000. Every wrong value is reported, so
 * without this limit 180 KB of empty objects blocked the event loop for three seconds, and the answer had 6 MB.
 */
const MAX_BODY_VALUES = 3_000;

const MALFORMED = 'The body is not valid JSON.';
const decoder = new TextDecoder('utf-8', { fatal: true });

/** Refuses a request whose client has disconnected. It emits no further events, so reading its body would never end. */
export function refuseAbandoned(request: IncomingMessage): void {
  if (request.destroyed) throw cutShort();
}

/** Refuses a body by its `Content-Length`, before reading it. */
export function refuseAnnouncedOversize(request: IncomingMessage): void {
  const length = Number(request.headers['content-length'] ?? 0);
  if (length > MAX_BODY_BYTES) throw tooLarge();
}

/**
 * Reads and parses the JSON body. The result is undefined without a body, and for an empty body with a content type if
 * the body is optional. Refusals: 413 (too long), 415 (another media type, charset or encoding), 400 `invalid_json`,
 * and 422 for text that cannot be stored (NUL, unpaired surrogates) and for too many values.
 */
export async function readJsonBody(
  request: IncomingMessage,
  isNeeded: boolean,
): Promise<{ value: unknown; text: string }> {
  const bytes = await readBytes(request);
  const contentType = request.headers['content-type'];
  if (bytes.length === 0 && (contentType === undefined || !isNeeded)) return { value: undefined, text: '' };
  refuseOtherMedia(contentType, request.headers['content-encoding']);
  return parseJsonBody(decode(bytes));
}

/** Parses the text of a JSON body. Refusals: those of `readJsonBody` for the text. */
export function parseJsonBody(text: string): { value: unknown; text: string } {
  const value = parse(text);
  // In valid UTF-8, only an escape sequence can contain such text.
  const unstorable = text.includes('\\u') ? findUnstorableText(value) : [];
  if (unstorable.length > 0) {
    const sentence = 'Must not contain NUL characters or unpaired surrogates.';
    throw invalidRequest(
      Object.fromEntries(unstorable.map((path) => [path === '' ? 'body' : path, sentence])),
    );
  }
  return { value, text };
}

/**
 * Refuses a body of a POST that takes none, because the client would expect that it has an effect. An empty body, `{}`
 * and `null` are accepted, because many clients send them. Refusal (422): the names of the fields, or `body`.
 */
export async function refuseBody(request: IncomingMessage): Promise<void> {
  const { 'content-length': length, 'transfer-encoding': coding } = request.headers;
  if (length === undefined && coding === undefined) return;
  const paths = await pathsOfBody(request);
  if (paths.length === 0) return;
  throw invalidRequest(Object.fromEntries(paths.map((path) => [path, 'This operation takes no body.'])));
}

async function pathsOfBody(request: IncomingMessage): Promise<readonly string[]> {
  try {
    refuseAnnouncedOversize(request);
    const text = decode(await readBytes(request));
    const value = text.trim() === '' ? null : parse(text);
    if (value === null) return [];
    return typeof value === 'object' && !Array.isArray(value)
      ? Object.keys(value).map(shownFieldName)
      : ['body'];
  } catch (error) {
    if (error instanceof HttpRefusal) return ['body'];
    throw error;
  }
}

function refuseOtherMedia(contentType: string | undefined, encoding: string | undefined): void {
  const [media = '', ...parameters] = (contentType ?? '').toLowerCase().split(';');
  const charset = parameters.map((part) => part.trim()).find((part) => part.startsWith('charset='));
  const isUtf8 = charset === undefined || /^charset="?utf-?8"?$/.test(charset);
  const isPlain = encoding === undefined || encoding.toLowerCase() === 'identity';
  if (media.trim() === 'application/json' && isUtf8 && isPlain) return;
  throw new HttpRefusal(415, {
    code: 'unsupported_media_type',
    message: 'Send the body as application/json, in UTF-8 and without a content encoding.',
  });
}

function decode(bytes: Buffer): string {
  try {
    return decoder.decode(bytes);
  } catch {
    throw malformed();
  }
}

function parse(text: string): unknown {
  if (exceedsDepth(text, MAX_BODY_DEPTH)) {
    throw new HttpRefusal(400, { code: 'invalid_json', message: 'The body is nested too deeply.' });
  }
  let value: unknown;
  const hasTooManyValues = exceedsCount(text, MAX_BODY_VALUES);
  try {
    value = JSON.parse(text);
  } catch {
    throw malformed();
  }
  if (hasTooManyValues) {
    const most = MAX_BODY_VALUES.toLocaleString('en');
    throw invalidRequest({ body: `Must have at most ${most} fields and items in total.` });
  }
  return value;
}

/** Uses events, because an async iterator costs several times as much. */
function readBytes(request: IncomingMessage): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    refuseAbandoned(request);
    const chunks: Buffer[] = [];
    let length = 0;
    // A complete request also emits `close`. Creating an error that is not used costs as much as validating the body.
    const end = (cause?: unknown) => {
      if (!request.readableEnded) reject(cutShort(cause));
    };
    const stop = (refusal: HttpRefusal) => {
      request.removeAllListeners('data');
      request.pause();
      reject(refusal);
    };
    request.on('data', (chunk: Buffer) => {
      length += chunk.length;
      if (length > MAX_BODY_BYTES) stop(tooLarge());
      else chunks.push(chunk);
    });
    request.once('end', () => resolve(chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks)));
    request.once('error', end);
    request.once('close', end);
  });
}

function cutShort(cause?: unknown): HttpRefusal {
  const message = 'The body ended before its announced length.';
  return new HttpRefusal(400, { code: 'invalid_json', message, cause });
}

// Without a cause, because the parser's message quotes the body, which can contain data that must not be logged.
function malformed(): HttpRefusal {
  return new HttpRefusal(400, { code: 'invalid_json', message: MALFORMED });
}

function tooLarge(): HttpRefusal {
  return new HttpRefusal(413, {
    code: 'payload_too_large',
    message: `The body must not exceed ${MAX_BODY_BYTES / 1024} KiB.`,
  });
}
