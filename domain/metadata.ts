/** Free key-value data of the merchant. */
export type Metadata = Readonly<Record<string, string>>;

/** A null removes its key. */
export type MetadataChanges = Readonly<Record<string, string | null>>;

/** How many keys one record may have (contract row 1.16). */
export const METADATA_MAX_KEYS = 50;

/** The stored keys with the changes applied. A key may be any text, also `__proto__`: it never sets a prototype. */
export function mergeMetadata(stored: Metadata, changes: MetadataChanges): Metadata {
  const merged = new Map<string, string>(Object.entries(stored));
  for (const [key, value] of Object.entries(changes)) {
    if (value === null) merged.delete(key);
    else merged.set(key, value);
  }
  return Object.fromEntries(merged);
}
