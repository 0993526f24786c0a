/** The preferences of a `Prefer` header by name: `code=404, example="not_found"`. The last one with a name wins. */
export function parsePrefer(header: string): Map<string, string> {
  const preferences = header
    .split(/[,;\s]+/)
    .filter((part) => part !== '')
    .map((part): [string, string] => {
      const [name = '', ...value] = part.split('=');
      return [name.toLowerCase(), value.join('=').replaceAll('"', '')];
    });
  return new Map(preferences);
}

export function formatPrefer(preferences: ReadonlyMap<string, string>): string {
  return [...preferences].map(([name, value]) => `${name}=${value}`).join(', ');
}
