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
  /** With all references replaced, to compare two branches. */
  readonly text: string;
}

export interface Pairing {
  readonly pairs: readonly (readonly [Branch, Branch])[];
  readonly removed: readonly Branch[];
  readonly added: readonly Branch[];
}

/** The branches of a union; empty without a union. */
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

/** Pairs old branches with new ones: an identical one, else one with the same name, else the most similar one. */
export function pairBranches(was: readonly Branch[], is: readonly Branch[]): Pairing {
  const [removed, added] = [new Set(was), new Set(is)];
  const candidates = was
    .flatMap((old) => is.map((now) => ({ old, now, similarity: similarity(old, now) })))
    .filter((candidate) => candidate.similarity > 0)
    .sort((a, b) => b.similarity - a.similarity);
  const pairs: [Branch, Branch][] = [];
  for (const { old, now } of candidates) {
    if (!removed.has(old) || !added.has(now)) continue;
    removed.delete(old);
    added.delete(now);
    pairs.push([old, now]);
  }
  return { pairs, removed: [...removed], added: [...added] };
}

/** Whether a value may fit two of the branches, judged by their types and fields. */
export function mayOverlap(branches: readonly Branch[]): boolean {
  return branches.some((one, index) =>
    branches.slice(index + 1).some((other) => !areDisjoint(one.schema, other.schema)),
  );
}

/** How similar two branches are; 0 for two that have nothing in common. */
function similarity(old: Branch, now: Branch): number {
  if (old.text === now.text) return Number.POSITIVE_INFINITY;
  if (old.isNamed && old.name === now.name) return Number.MAX_SAFE_INTEGER;
  if (!mayShareType(old.schema, now.schema)) return 0;
  const [was, is] = [fieldsOf(old.schema), fieldsOf(now.schema)];
  const shared = [...was].filter((field) => is.has(field)).length;
  if (shared === 0 && was.size > 0 && is.size > 0) return 0;
  return 1 + shared + (old.position === now.position ? 0.5 : 0);
}

function areDisjoint(one: Node, other: Node): boolean {
  if (!mayShareType(one, other)) return true;
  if (typesOf(one).join() !== 'object' || typesOf(other).join() !== 'object') return false;
  return (
    refusesRequiredField(other, one) ||
    refusesRequiredField(one, other) ||
    [...requiredOf(one), ...requiredOf(other)].some((field) => differsIn(field, one, other))
  );
}

function mayShareType(one: Node, other: Node): boolean {
  const [was, is] = [typesOf(one), typesOf(other)];
  if (was.length === 0 || is.length === 0) return true;
  return was.some((type) => covers(is, type)) || is.some((type) => covers(was, type));
}

/** Whether `closed` takes only listed fields, and a field that `schema` requires is not listed. */
function refusesRequiredField(closed: Node, schema: Node): boolean {
  if (closed.additionalProperties !== false || closed.patternProperties !== undefined) return false;
  const listed = isNode(closed.properties) ? closed.properties : {};
  return requiredOf(schema).some((field) => !Object.hasOwn(listed, field));
}

/** Whether both list the values of a field, and no value is in both lists. */
function differsIn(field: string, one: Node, other: Node): boolean {
  const [was, is] = [listedValues(one, field), listedValues(other, field)];
  return was !== null && is !== null && was.every((value) => !is.includes(value));
}

function listedValues({ properties }: Node, field: string): string[] | null {
  const schema = isNode(properties) ? properties[field] : undefined;
  return isNode(schema) ? (valuesOf(schema)?.map((value) => JSON.stringify(value)) ?? null) : null;
}

/** The fields of an object, listed or required. */
function fieldsOf(schema: Node): Set<string> {
  const listed = isNode(schema.properties) ? Object.keys(schema.properties) : [];
  return new Set([...listed, ...requiredOf(schema)]);
}
