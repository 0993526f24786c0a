import { METADATA_MAX_KEYS, type Metadata, type MetadataChanges, mergeMetadata } from '../domain/metadata.ts';
import type { Violations } from './refusal.ts';

/** The record's metadata after an update (contract row 1.16). Adds a violation when too many keys would remain. */
export function updatedMetadata(
  violations: Violations,
  stored: Metadata,
  changes: MetadataChanges | undefined,
): Metadata {
  if (changes === undefined) return stored;
  const merged = mergeMetadata(stored, changes);
  if (Object.keys(merged).length > METADATA_MAX_KEYS) {
    violations.add('metadata', `Must have at most ${METADATA_MAX_KEYS} keys once merged.`);
  }
  return merged;
}
