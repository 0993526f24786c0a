import type { Side } from './bounds.ts';
import { isBareReference, isNode, type Node } from './document.ts';
import { covers, requiredOf, typesOf, valuesOf } from './keywords.ts';

/** One of the schemas of an `anyOf` or `oneOf`. */
export interface Branch {
  /** `ErrorText` of a reference, the title, or `oneOf 2`, counted from 1. */
  readonly name: string;
  readonly isNamed: boolean;
  readonly position: number;
  readonly written: unknown;
  /** With its reference followed. */
  readonly schema: Node;
  /** With all references replaced, to see whether two are the same. */
  readonly text: string;
}

export interface Pairing {
  readonly pairs: readonly (readonly [Branch, Branch])[];
  readonly gone: readonly Branch[];
  readonly added: readonly Branch[];
}

/** The branches of a union; none where there is no union. */
export function branchesOf({ document, schema }: Side, key: 'anyOf' | 'oneOf'): Branch[] {
  const union = Array.isArray(schema[key]) ? (schema[key] as unknown[]) : [];
  return union.map((written, position) => {
    const followed = document.follow(written);
    const title = typeof followed.title === 'string' ? followed.title : undefined;
    const name = isBareReference(written) ? written.$ref.split('/').at(-1) : title;
    return {
      name: name ?? `${key} ${position + 1}`,
      isNamed: name !== undefined,
      position,
      written,
      schema: followed,
      text: document.written(written),
    };
  });
}

/** Which branch became which: the same one, else the one of that name, else the one most like it. */
export function pairBranches(was: readonly Branch[], is: readonly Branch[]): Pairing {
  const [gone, added] = [new Set(was), new Set(is)];
  const candidates = was
    .flatMap((old) => is.map((now) => ({ old, now, likeness: likeness(old, now) })))
    .filter((candidate) => candidate.likeness > 0)
    .sort((a, b) => b.likeness - a.likeness);
  const pairs: [Branch, Branch][] = [];
  for (const { old, now } of candidates) {
    if (!gone.has(old) || !added.has(now)) continue;
    gone.delete(old);
    added.delete(now);
    pairs.push([old, now]);
  }
  return { pairs, gone: [...gone], added: [...added] };
}

/** Whether something may fit two of the branches, for all that can be seen from their types and fields. */
export function mayOverlap(branches: readonly Branch[]): boolean {
  return branches.some((one, index) =>
    branches.slice(index + 1).some((other) => !areApart(one.schema, other.schema)),
  );
}

/** Greater is more alike; 0 for two that have nothing in common. */
function likeness(old: Branch, now: Branch): number {
  if (old.text === now.text) return Number.POSITIVE_INFINITY;
  if (old.isNamed && old.name === now.name) return Number.MAX_SAFE_INTEGER;
  if (!mayShareType(old.schema, now.schema)) return 0;
  const [was, is] = [fieldsOf(old.schema), fieldsOf(now.schema)];
  const shared = [...was].filter((field) => is.has(field)).length;
  if (shared === 0 && was.size > 0 && is.size > 0) return 0;
  return 1 + shared + (old.position === now.position ? 0.5 : 0);
}

function areApart(one: Node, other: Node): boolean {
  if (!mayShareType(one, other)) return true;
  if (typesOf(one).join() !== 'object' || typesOf(other).join() !== 'object') return false;
  return (
    isLackedBy(other, one) ||
    isLackedBy(one, other) ||
    [...requiredOf(one), ...requiredOf(other)].some((field) => differsIn(field, one, other))
  );
}

function mayShareType(one: Node, other: Node): boolean {
  const [was, is] = [typesOf(one), typesOf(other)];
  if (was.length === 0 || is.length === 0) return true;
  return was.some((type) => covers(is, type)) || is.some((type) => covers(was, type));
}

/** Whether `closed` takes listed fields only, and one that `schema` needs is not among them. */
function isLackedBy(closed: Node, schema: Node): boolean {
  if (closed.additionalProperties !== false || closed.patternProperties !== undefined) return false;
  const listed = isNode(closed.properties) ? closed.properties : {};
  return requiredOf(schema).some((field) => !Object.hasOwn(listed, field));
}

/** Whether the values that the two list for a field have none in common. */
function differsIn(field: string, one: Node, other: Node): boolean {
  const [was, is] = [listedValues(one, field), listedValues(other, field)];
  return was !== null && is !== null && was.every((value) => !is.includes(value));
}

function listedValues({ properties }: Node, field: string): string[] | null {
  const schema = isNode(properties) ? properties[field] : undefined;
  return isNode(schema) ? (valuesOf(schema)?.map((value) => JSON.stringify(value)) ?? null) : null;
}

/** Names by which an object is known. */
function fieldsOf(schema: Node): Set<string> {
  const listed = isNode(schema.properties) ? Object.keys(schema.properties) : [];
  return new Set([...listed, ...requiredOf(schema)]);
}
