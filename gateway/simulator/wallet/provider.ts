import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { TLSSocket } from 'node:tls';
import type pg from 'pg';
import { MINUTE_MS } from '../../../domain/durations.ts';
import { SANDBOX_DOMAIN_SUFFIX, VERIFICATION_PATH } from '../../../domain/wallet/wallet-domain.ts';
import { isObject } from '../../wire-values.ts';
import { type Identity, selfSignedIdentity } from './certificate.ts';
import { detachedSignature } from './cms.ts';
import { findWalletFile, useWalletSession } from './sessions.ts';

/** The host of the validation URLs of the sandbox. */
const SANDBOX_PROVIDER_HOST = `provider${SANDBOX_DOMAIN_SUFFIX}`;
const SESSION_PATH = '/paymentservices/startSession/';
/** The merchant identity of the sandbox. */
const MERCHANT_IDENTIFIER = 'merchant.sandbox';
const SESSION_VALID_MS = 5 * MINUTE_MS;
const MAX_DISPLAY_NAME_CHARACTERS = 64;
const MAX_BODY_BYTES = 16 * 1024;

/** The wallet provider of the sandbox, and the domains under `wallet.test`. */
export interface SandboxWallet {
  readonly hosts: readonly string[];
  readonly merchantIdentifier: string;
  /** The client certificate that the provider accepts, and its key, in PEM. */
  readonly identity: { readonly certificate: string; readonly privateKey: string };
  readonly server: {
    serves(host: string): boolean;
    readonly port: number;
    /** In PEM. */
    readonly certificate: string;
  };
}

export interface RunningWalletProvider extends SandboxWallet {
  stop(): void;
}

/** The address from which a session is requested. */
export function validationUrl(sessionId: string): string {
  return `https://${SANDBOX_PROVIDER_HOST}${SESSION_PATH}${sessionId}`;
}

/** Starts the provider on a free port of 127.0.0.1. It accepts only the merchant identity that it returns. */
export async function startWalletProvider(pool: pg.Pool): Promise<RunningWalletProvider> {
  const now = new Date();
  const provider = selfSignedIdentity(
    { name: SANDBOX_PROVIDER_HOST, dnsNames: [SANDBOX_PROVIDER_HOST] },
    now,
  );
  const identity = selfSignedIdentity({ name: 'Sandbox', id: MERCHANT_IDENTIFIER }, now);
  const tls = {
    cert: provider.certificate,
    key: provider.privateKey,
    ca: [identity.certificate],
    requestCert: true,
    // Verification files are served to everyone.
    rejectUnauthorized: false,
  };
  const server = createServer(tls, async (request, response) => {
    const [status, body] = await answer(pool, provider, request).catch((): Answer => [500, '']);
    send(response, status, body);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    hosts: [SANDBOX_PROVIDER_HOST],
    merchantIdentifier: MERCHANT_IDENTIFIER,
    identity,
    server: {
      serves: (host) => host.endsWith(SANDBOX_DOMAIN_SUFFIX),
      port: (server.address() as AddressInfo).port,
      certificate: provider.certificate,
    },
    stop() {
      server.close();
      server.closeAllConnections();
    },
  };
}

type Answer = readonly [status: number, body: string];

async function answer(pool: pg.Pool, provider: Identity, request: IncomingMessage): Promise<Answer> {
  const { method, url = '', headers } = request;
  const host = headers.host ?? '';
  if (host !== SANDBOX_PROVIDER_HOST) {
    const content =
      method === 'GET' && url === VERIFICATION_PATH ? await findWalletFile(pool, host) : undefined;
    return content === undefined ? [404, ''] : [200, `${content}\n`];
  }
  if (method !== 'POST' || !url.startsWith(SESSION_PATH)) return [404, ''];
  if (!(request.socket as TLSSocket).authorized) return [401, ''];
  return startSession(pool, provider, url.slice(SESSION_PATH.length), await readJson(request));
}

async function startSession(pool: pg.Pool, provider: Identity, id: string, body: unknown): Promise<Answer> {
  if (!isObject(body)) return [400, ''];
  const { merchantIdentifier, displayName, initiative, initiativeContext: domainName } = body;
  const now = new Date();
  const isValid =
    merchantIdentifier === MERCHANT_IDENTIFIER &&
    isDisplayName(displayName) &&
    initiative === 'web' &&
    typeof domainName === 'string' &&
    (await useWalletSession(pool, { id, domainName, now }));
  if (!isValid) return [417, ''];
  const session = {
    epochTimestamp: now.getTime(),
    expiresAt: now.getTime() + SESSION_VALID_MS,
    merchantSessionIdentifier: `SSH${randomBytes(24).toString('hex').toUpperCase()}`,
    nonce: randomBytes(4).toString('hex'),
    merchantIdentifier,
    domainName,
    displayName,
  };
  const signature = detachedSignature(Buffer.from(JSON.stringify(session)), provider, now).toString('hex');
  return [200, JSON.stringify({ ...session, signature })];
}

function isDisplayName(value: unknown): value is string {
  return typeof value === 'string' && value !== '' && [...value].length <= MAX_DISPLAY_NAME_CHARACTERS;
}

async function readJson(request: IncomingMessage): Promise<unknown> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of request) {
    length += chunk.length;
    if (length > MAX_BODY_BYTES) return undefined;
    chunks.push(chunk);
  }
  try {
    return JSON.parse(Buffer.concat(chunks).toString('utf8'));
  } catch {
    return undefined;
  }
}

function send(response: ServerResponse, status: number, body: string): void {
  const type = body.startsWith('{') ? 'application/json' : 'text/plain';
  response.writeHead(status, { 'content-type': type, 'content-length': Buffer.byteLength(body) });
  response.end(body);
}
