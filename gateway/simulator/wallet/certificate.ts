import { generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto';
import { DAY_MS } from '../../../domain/durations.ts';
import { bitString, der, integer, oid, sequence, utcTime } from './der.ts';

/** A certificate and its private key. */
export interface Identity {
  /** In PEM. */
  readonly certificate: string;
  /** In PEM. */
  readonly privateKey: string;
  readonly key: KeyObject;
  /** The certificate, its issuer and its serial number, in DER. */
  readonly der: { readonly certificate: Buffer; readonly issuer: Buffer; readonly serial: Buffer };
}

const VALID_DAYS = 3_650;

/** Object identifiers in DER (X.690, 8.19). */
const OID = {
  commonName: '550403',
  userId: '0992268993f22c640101',
  ecdsaWithSha256: '2a8648ce3d040302',
  subjectAltName: '551d11',
} as const;

/**
 * Makes a self-signed certificate with a new P-256 key (RFC 5280), valid for ten years from `now`. Node can read
 * certificates, but not make them. `id` is the merchant identifier of a client, `dnsNames` are the hosts of a server.
 */
export function selfSignedIdentity(
  { name, id = name, dnsNames = [] }: { name: string; id?: string; dnsNames?: readonly string[] },
  now: Date,
): Identity {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'prime256v1' });
  const algorithm = sequence(oid(OID.ecdsaWithSha256));
  const subject = sequence(attribute(OID.userId, id), attribute(OID.commonName, name));
  const serial = integer(Buffer.concat([Buffer.from([1]), randomBytes(15)]));
  const body = sequence(
    der(0xa0, integer(Buffer.from([2]))),
    serial,
    algorithm,
    subject,
    sequence(
      utcTime(new Date(now.getTime() - DAY_MS)),
      utcTime(new Date(now.getTime() + VALID_DAYS * DAY_MS)),
    ),
    subject,
    publicKey.export({ format: 'der', type: 'spki' }),
    ...(dnsNames.length === 0 ? [] : [der(0xa3, sequence(subjectAltName(dnsNames)))]),
  );
  const certificate = sequence(body, algorithm, bitString(sign('sha256', body, privateKey)));
  return {
    certificate: pem(certificate),
    privateKey: privateKey.export({ format: 'pem', type: 'pkcs8' }) as string,
    key: privateKey,
    der: { certificate, issuer: subject, serial },
  };
}

function subjectAltName(dnsNames: readonly string[]): Buffer {
  const names = dnsNames.map((dnsName) => der(0x82, Buffer.from(dnsName)));
  return sequence(oid(OID.subjectAltName), der(0x04, sequence(...names)));
}

function attribute(type: string, value: string): Buffer {
  return der(0x31, sequence(oid(type), der(0x0c, Buffer.from(value))));
}

function pem(bytes: Buffer): string {
  const lines = bytes.toString('base64').match(/.{1,64}/g)!;
  return ['-----BEGIN CERTIFICATE-----', ...lines, '-----END CERTIFICATE-----', ''].join('\n');
}
