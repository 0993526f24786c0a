import type { IncomingMessage } from 'node:http';
import { shownFieldName } from '../../domain/field-names.ts';
import { exceedsCount, exceedsDepth, findUnstorableText } from '../../domain/text.ts';
import { HttpRefusal, invalidRequest } from './refusal.ts';

/** Largest request body. */
export const MAX_BODY_BYTES = 256 * 1024;
/** Deepest nesting of arrays and objects; what the contract describes needs 6. */
const MAX_BODY_DEPTH = 32;
/**
 * Most values in a body: the largest that the contract describes has some 1,000. Every wrong one is reported, so without
 * this 180 KB of empty objects kept the loop for three seconds and were answered with 6 MB.
 */
const MAX_BODY_VALUES = 3_000;

const MALFORMED = 'The body is not valid JSON.';
const decoder = new TextDecoder('utf-8', { fatal: true });

/** Refuses a request whose client has left: its events have been emitted already, so the end of its body never comes. */
export function refuseAbandoned(request: IncomingMessage): void {
  if (request.destroyed) throw cutShort();
}

/** Refuses by its announced length, before anything of it is read. */
export function refuseAnnouncedOversize(request: IncomingMessage): void {
  const length = Number(request.headers['content-length'] ?? 0);
  if (length > MAX_BODY_BYTES) throw tooLarge();
}

/**
 * Reads and parses the JSON body: undefined when there is none; no bytes under the name of JSON are none where a body may
 * be left out. Refusals: 413 (too long), 415 (another media type,
 * charset or encoding), 400 `invalid_json`, 422 for text that cannot be stored (NUL, half a surrogate
 * pair), and for more values than any operation takes.
 */
export async function readJsonBody(
  request: IncomingMessage,
  isNeeded: boolean,
): Promise<{ value: unknown; text: string }> {
  const bytes = await readBytes(request);
  const contentType = request.headers['content-type'];
  if (bytes.length === 0 && (contentType === undefined || !isNeeded)) return { value: undefined, text: '' };
  refuseOtherMedia(contentType, request.headers['content-encoding']);
  const text = decode(bytes);
  const value = parse(text);
  // In JSON of sound UTF-8 only an escape can write such text.
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
 * For a POST that takes no body. An empty one is let through, and `{}` or `null`, as many clients send it; of any other
 * somebody might think that it counts. Refusal (422): the names of its fields, or `body`.
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
    throw new HttpRefusal(400, { code: 'invalid_json', message: 'The body is nested too deep.' });
  }
  let value: unknown;
  const isCrowded = exceedsCount(text, MAX_BODY_VALUES);
  try {
    value = JSON.parse(text);
  } catch {
    throw malformed();
  }
  if (isCrowded) {
    const most = MAX_BODY_VALUES.toLocaleString('en');
    throw invalidRequest({ body: `Holds too much: at most ${most} fields and items, all taken together.` });
  }
  return value;
}

/** By events: an async iterator over the same chunks costs several times as much. */
function readBytes(request: IncomingMessage): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    refuseAbandoned(request);
    const chunks: Buffer[] = [];
    let length = 0;
    // A request that was read to its end closes too: making an error for nothing costs as much as validating the body.
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

// Without its cause: the parser's own message quotes the body, which may hold what no log may hold.
function malformed(): HttpRefusal {
  return new HttpRefusal(400, { code: 'invalid_json', message: MALFORMED });
}

function tooLarge(): HttpRefusal {
  return new HttpRefusal(413, {
    code: 'payload_too_large',
    message: `The body must not exceed ${MAX_BODY_BYTES / 1024} KiB.`,
  });
}
