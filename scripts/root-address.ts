/**
 * Reads the origin of a service: `http://127.0.0.1:3000`. Throws a sentence for people when the text has another scheme
 * than http or https, a path, a query or credentials.
 */
export function rootAddress(text: string): string {
  const address = URL.canParse(text) ? new URL(text) : null;
  const isRoot =
    address !== null && /^https?:$/.test(address.protocol) && address.href === `${address.origin}/`;
  if (!isRoot) {
    throw new Error(`The upstream must be the root of a service such as http://127.0.0.1:3000, not ${text}.`);
  }
  return address.origin;
}
