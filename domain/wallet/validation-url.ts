/**
 * Reads the URL from which a wallet session is requested. Null unless it is an https URL without credentials whose
 * host, with its port, is one of `hosts`: a hostile page could otherwise make the service call any server.
 */
export function readValidationUrl(text: string, hosts: readonly string[]): URL | null {
  // The URL parser drops or replaces some characters, so that two programs could read different hosts.
  if (!/^https:\/\/[!#-;=?-[\]_a-z~]*$/i.test(text) || /[@\\]/.test(text) || !URL.canParse(text)) return null;
  const url = new URL(text);
  return url.protocol === 'https:' && hosts.includes(url.host) ? url : null;
}
