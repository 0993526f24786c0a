/** Signatures of deliveries. The judge is the library that receivers use. */
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { describe, it } from 'node:test';
import { Webhook } from 'standardwebhooks';
import {
  newSecret,
  secretBytes,
  signatureHeaders,
  signingKeys,
} from '../../../services/webhooks/signature.ts';

const body = '{"id":"1","event":"payment.updated","data":{"name":"São João","emoji":"🧾"}}';
const message = () => ({ id: 'msg_1', timestamp_s: Math.floor(Date.now() / 1_000), body });

describe('a signature', () => {
  it('is accepted over the exact bytes', () => {
    const secret = newSecret(randomBytes);
    const headers = signatureHeaders(signingKeys([secret]), message());
    assert.deepEqual(new Webhook(secret).verify(body, headers), JSON.parse(body));
  });

  it('is refused for a body that differs in one byte, for another secret, and for an old message', () => {
    const secret = newSecret(randomBytes);
    const webhook = new Webhook(secret);
    const headers = signatureHeaders(signingKeys([secret]), message());
    assert.throws(() => webhook.verify(`${body} `, headers));
    assert.throws(() => new Webhook(newSecret(randomBytes)).verify(body, headers));
    const old = signatureHeaders(signingKeys([secret]), {
      ...message(),
      timestamp_s: Date.now() / 1_000 - 600,
    });
    assert.throws(() => webhook.verify(body, old));
  });

  it('of two secrets is accepted under either', () => {
    const secrets = [newSecret(randomBytes), newSecret(randomBytes)];
    const headers = signatureHeaders(signingKeys(secrets), message());
    for (const secret of secrets) new Webhook(secret).verify(body, headers);
  });

  it('is left out without a secret', () => assert.deepEqual(signatureHeaders([], message()), {}));

  it('is the same as the one of the standard', () => {
    // From the reference implementation's tests.
    const headers = signatureHeaders(signingKeys(['whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw']), {
      id: 'msg_p5jXN8AQM9LWM0D4loKWxJek',
      timestamp_s: 1_614_265_330,
      body: '{"test": 2432232314}',
    });
    assert.equal(headers['webhook-signature'], 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=');
  });
});

describe('a secret', () => {
  const ofBytes = (count: number) => `whsec_${randomBytes(count).toString('base64')}`;

  it('is whsec_ and 24 to 64 bytes in base64', () => {
    for (const count of [24, 32, 64]) assert.equal(secretBytes(ofBytes(count))?.length, count);
    assert.equal(secretBytes(newSecret(randomBytes))?.length, 32);
  });

  for (const [what, secret] of [
    ['too short', ofBytes(23)],
    ['too long', ofBytes(65)],
    ['without its prefix', randomBytes(32).toString('base64')],
    ['not base64', 'whsec_not base64, but long enough to be one'],
    ['without its padding', ofBytes(25).replace(/=+$/, '')],
    ['empty', ''],
  ] as const)
    it(`is refused where it is ${what}`, () => assert.equal(secretBytes(secret), undefined));
});
