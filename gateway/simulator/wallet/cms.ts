import { createHash, sign } from 'node:crypto';
import type { Identity } from './certificate.ts';
import { der, integer, oid, sequence, utcTime } from './der.ts';

/** Object identifiers in DER (X.690, 8.19). */
const OID = {
  data: '2a864886f70d010701',
  signedData: '2a864886f70d010702',
  contentType: '2a864886f70d010903',
  messageDigest: '2a864886f70d010904',
  signingTime: '2a864886f70d010905',
  sha256: '608648016503040201',
  ecdsaWithSha256: '2a8648ce3d040302',
} as const;

/** Tags (X.690, 8.1.2). */
const SET = 0x31;
const OCTET_STRING = 0x04;
const FIRST_OF_CONTEXT = 0xa0;

/**
 * A signature as Cryptographic Message Syntax (RFC 5652) in DER: signed data that has the signer's certificate and the
 * time, but not the content. It is the form of the signatures of Apple Pay sessions. `at`: the time of the signature.
 */
export function detachedSignature(content: Buffer, signer: Identity, at: Date): Buffer {
  const digest = createHash('sha256').update(content).digest();
  // A set is sorted by its bytes (X.690, 11.6), which the lengths decide here.
  const attributes = [
    attribute(OID.contentType, oid(OID.data)),
    attribute(OID.signingTime, utcTime(at)),
    attribute(OID.messageDigest, der(OCTET_STRING, digest)),
  ];
  // The set itself is signed, and stands in the message with another tag (RFC 5652, 5.4).
  const signature = sign('sha256', der(SET, ...attributes), signer.key);
  const sha256 = sequence(oid(OID.sha256));
  const version = integer(Buffer.from([1]));
  const signerInfo = sequence(
    version,
    sequence(signer.der.issuer, signer.der.serial),
    sha256,
    der(FIRST_OF_CONTEXT, ...attributes),
    sequence(oid(OID.ecdsaWithSha256)),
    der(OCTET_STRING, signature),
  );
  const signedData = sequence(
    version,
    der(SET, sha256),
    sequence(oid(OID.data)),
    der(FIRST_OF_CONTEXT, signer.der.certificate),
    der(SET, signerInfo),
  );
  return sequence(oid(OID.signedData), der(FIRST_OF_CONTEXT, signedData));
}

function attribute(type: string, value: Buffer): Buffer {
  return sequence(oid(type), der(SET, value));
}
