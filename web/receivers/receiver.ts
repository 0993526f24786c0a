// Run: WEBHOOK_SECRET=whsec_... node receiver.ts
import { createHmac, timingSafeEqual } from 'node:crypto';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import { buffer } from 'node:stream/consumers';

const SECRET = process.env.WEBHOOK_SECRET ?? '';
const PORT = Number(process.env.PORT ?? 8080);
const KEY = Buffer.from(SECRET.replace('whsec_', ''), 'base64');
const MAX_AGE_S = 5 * 60;
if (KEY.length === 0) throw new Error('WEBHOOK_SECRET is not a secret of an endpoint.');

/** Whether the body was signed with the secret, at most five minutes ago. */
function isSigned(headers: IncomingHttpHeaders, body: Buffer): boolean {
  const id = headers['webhook-id'];
  const timestamp = headers['webhook-timestamp'];
  const age_s = Math.abs(Date.now() / 1_000 - Number(timestamp));
  if (Number.isNaN(age_s) || age_s > MAX_AGE_S) return false;

  const hmac = createHmac('sha256', KEY).update(`${id}.${timestamp}.`).update(body);
  const expected = Buffer.from(`v1,${hmac.digest('base64')}`);
  // After a rotation of the secret, a delivery has two signatures for a day.
  return String(headers['webhook-signature'])
    .split(' ')
    .map((signature) => Buffer.from(signature))
    .some((given) => given.length === expected.length && timingSafeEqual(given, expected));
}

// Use your database instead: a table with the id as a unique key, and the body.
const handled = new Set<string>();

const server = createServer(async (request, response) => {
  // Null if the connection was closed before the end of the body.
  const body = await buffer(request).catch(() => null);
  if (body === null || !isSigned(request.headers, body)) {
    response.writeHead(400).end();
    return;
  }
  const id = String(request.headers['webhook-id']);
  const isNew = !handled.has(id);
  handled.add(id);
  response.writeHead(204).end();

  // Do the work after the answer. If your server stops before that, it finds the delivery in its table.
  if (isNew) {
    const { event, data } = JSON.parse(body.toString());
    console.log(`${id} ${event} ${data.status}`);
  }
});
server.listen(PORT, '127.0.0.1');
