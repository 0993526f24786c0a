import { compareBounds, type Direction } from './bounds.ts';
import type { Report } from './change.ts';
import { type Document, entriesOf, isBareReference, isNode, type Node } from './document.ts';
import { covers, requiredOf, typesOf, valuesOf } from './keywords.ts';
import { withoutNull } from './nulls.ts';
import { Pairs } from './pairs.ts';
import { compareUnions } from './unions.ts';

/** The branch of a new union that refers to the schema which the union replaces; undefined if no branch does. */
function keptBranch(was: unknown, { oneOf, anyOf }: Node): unknown {
  const branches: unknown = oneOf ?? anyOf;
  if (!isBareReference(was) || !Array.isArray(branches)) return undefined;
  return branches.find((branch) => isBareReference(branch) && branch.$ref === was.$ref);
}

/** The schema that accepts everything. One object, as it is compared by identity. */
const ANYTHING: Node = {};

/** Compares the schemas of two documents, each pair of named schemas once in each direction. */
export class SchemaComparison {
  readonly #before: Document;
  readonly #after: Document;
  readonly #report: Report;
  readonly #pairs: Pairs;

  constructor(before: Document, after: Document, report: Report) {
    this.#before = before;
    this.#after = after;
    this.#report = report;
    this.#pairs = new Pairs(before, after);
  }

  /** Reports the breaking changes between two schemas. `where` names the place of an unnamed schema. */
  compare(was: unknown, is: unknown, direction: Direction, where: string): void {
    const named = this.#pairs.placeOf(was, is, where);
    if (this.#before.takesNothing(was) || this.#after.takesNothing(is)) {
      this.#compareNothing(was, is, direction, named);
      return;
    }
    const before = withoutNull(this.#before, was);
    const after = withoutNull(this.#after, is);
    const narrower = before.isNullable && !after.isNullable;
    const wider = !before.isNullable && after.isNullable;
    if ((before.hadNull || after.hadNull) && (direction === 'request' ? narrower : wider)) {
      this.#report('type-changed', named, narrower ? 'null is refused' : 'may be null');
    }
    const kept = direction === 'answer' ? keptBranch(before.written, after.schema) : undefined;
    if (kept !== undefined) {
      this.#report('rule-changed', named, 'is now one of several');
      this.compare(before.written, kept, direction, where);
      return;
    }
    this.#pairs.visit(before.written, after.written, direction, where, (place) =>
      this.#compareParts(before.schema, after.schema, direction, place),
    );
  }

  /** When one side accepts nothing, its other keywords have no meaning. */
  #compareNothing(was: unknown, is: unknown, direction: Direction, where: string): void {
    const [took, takes] = [!this.#before.takesNothing(was), !this.#after.takesNothing(is)];
    if (took && direction === 'request') this.#report('bound-tightened', where, 'nothing is accepted');
    if (took && direction === 'answer') this.#report('field-removed', where, 'holds nothing');
    if (takes && direction === 'answer') this.#report('bound-loosened', where, 'held nothing');
  }

  #compareParts(before: Node, after: Node, direction: Direction, where: string): void {
    this.#compareTypes(before, after, direction, where);
    this.#compareValues(before, after, direction, where);
    const old = { document: this.#before, schema: before };
    const now = { document: this.#after, schema: after };
    compareBounds(old, now, direction, where, this.#report);
    compareUnions(old, now, direction, where, {
      report: this.#report,
      compare: (...pair) => this.compare(...pair),
    });
    this.#compareFields(before, after, direction, where);
    this.#compareOtherFields(before, after, direction, where);
    if (before.items !== undefined || after.items !== undefined) {
      this.compare(before.items ?? ANYTHING, after.items ?? ANYTHING, direction, `${where}[]`);
    }
  }

  #compareTypes(before: Node, after: Node, direction: Direction, where: string): void {
    const [was, is] = [typesOf(before), typesOf(after)];
    const [whole, part] = direction === 'request' ? [is, was] : [was, is];
    const isCovered = whole.length === 0 || (part.length > 0 && part.every((type) => covers(whole, type)));
    if (!isCovered) this.#report('type-changed', where, `${namesOf(was)} → ${namesOf(is)}`);
  }

  #compareValues(before: Node, after: Node, direction: Direction, where: string): void {
    const [was, is] = [valuesOf(before), valuesOf(after)];
    if (was !== null && is !== null) {
      const left = new Set(is.map((value) => JSON.stringify(value)));
      for (const value of was.map((one) => JSON.stringify(one))) {
        if (!left.has(value)) this.#report('enum-value-removed', `${where} ${value}`, `${value} is removed`);
      }
    } else if (is !== null && direction === 'request') {
      this.#report('bound-tightened', where, `only ${is.join(', ')}`);
    } else if (was !== null && direction === 'answer') {
      this.#report('bound-loosened', where, `no longer only ${was.join(', ')}`);
    }
    const left = this.#before.written(before.default, 'default');
    const right = this.#after.written(after.default, 'default');
    if (direction === 'request' && left !== right)
      this.#report('default-changed', where, `${left} → ${right}`);
  }

  #compareFields(before: Node, after: Node, direction: Direction, where: string): void {
    const [was, needed] = fieldsOf(this.#before, before, direction);
    const [left, needs] = fieldsOf(this.#after, after, direction);
    for (const [field, schema] of Object.entries(was)) {
      const at = `${where}.${field}`;
      if (Object.hasOwn(left, field)) this.compare(schema, left[field], direction, at);
      else this.#report('field-removed', at, isListed(after, field) ? `is in no ${direction}` : 'is removed');
    }
    for (const field of direction === 'request' ? needs : needed) {
      const at = `${where}.${field}`;
      if (direction === 'request' && !needed.includes(field))
        this.#report('field-required', at, 'is required');
      const isLeft = Object.hasOwn(left, field) || !Object.hasOwn(was, field);
      if (direction === 'answer' && !needs.includes(field) && isLeft)
        this.#report('field-optional', at, 'may be missing');
    }
    // An open object accepts any value under a name that is not listed. A new field of that name restricts it.
    if (direction === 'request' && othersOf(before) !== false) {
      for (const [field, schema] of entriesOf(after.properties)) {
        const isSent = Object.hasOwn(left, field) || this.#after.takesNothing(schema);
        if (isSent && !isListed(before, field))
          this.compare(othersOf(before), schema, direction, `${where}.${field}`);
      }
    }
  }

  /** Fields that have no schema of their own. */
  #compareOtherFields(before: Node, after: Node, direction: Direction, where: string): void {
    const [was, is] = [othersOf(before), othersOf(after)];
    const isClosing = is === false && was !== false;
    if (direction === 'request' && isClosing)
      this.#report('unknown-fields-refused', where, 'takes only listed fields');
    if ([was, is].some((others) => isNode(others) && others !== ANYTHING)) {
      if (was !== false && is !== false) {
        this.compare(was, is, direction, `${where}.*`);
      } else if (direction === 'answer' && isClosing) {
        this.#report('field-removed', `${where}.*`, 'holds only listed fields');
      }
    }
  }
}

/** The fields that a request or an answer may have, and the names of the required ones. */
function fieldsOf(document: Document, schema: Node, direction: Direction): [Node, string[]] {
  const mark = direction === 'request' ? 'readOnly' : 'writeOnly';
  const isTaken = (field: unknown) => document.follow(field)[mark] !== true && !document.takesNothing(field);
  const fields = entriesOf(schema.properties).filter(([, field]) => isTaken(field));
  const isFor = (field: string) => !isListed(schema, field) || fields.some(([name]) => name === field);
  return [Object.fromEntries(fields), requiredOf(schema).filter(isFor)];
}

/** The schema of fields that are not listed. */
function othersOf({ additionalProperties, unevaluatedProperties }: Node): unknown {
  const others = additionalProperties ?? unevaluatedProperties ?? true;
  return others === true ? ANYTHING : others;
}

function isListed({ properties }: Node, field: string): boolean {
  return isNode(properties) && Object.hasOwn(properties, field);
}

function namesOf(types: readonly string[]): string {
  return types.length === 0 ? 'anything' : types.join(' or ');
}
