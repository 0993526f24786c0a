/** The public half of a merchant's key pair, a JSON Web Key (RFC 7517): what encrypts a card as JWE. */
export interface CardPublicKey {
  readonly kty: 'RSA';
  readonly use: 'enc';
  readonly alg: 'RSA-OAEP-256';
  readonly kid: string;
  readonly n: string;
  readonly e: string;
}
