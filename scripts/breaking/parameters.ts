import { compareForm } from './access.ts';
import type { Tools } from './contents.ts';
import type { Document, Node } from './document.ts';
import { schemaOf } from './keywords.ts';
import { isSamePart } from './shared.ts';

interface Parameter {
  /** As in the operation, before a reference is resolved. */
  readonly written: unknown;
  readonly resolved: Node;
}

/** Parameters by place and name: `query per_page`. */
export function parametersOf(document: Document, operation: Node): Map<string, Parameter> {
  const written = (operation.parameters ?? []) as unknown[];
  const parameters = written.map((one) => ({ written: one, resolved: document.follow(one) }));
  return new Map(parameters.map((one) => [`${one.resolved.in} ${one.resolved.name}`, one]));
}

/** Reports changes that break a request with the old parameters. */
export function compareParameters(
  before: Map<string, Parameter>,
  after: Map<string, Parameter>,
  operation: string,
  { shared, schemas, report }: Tools,
): void {
  for (const [key, was] of before) {
    const is = after.get(key) ?? samePart(was, after);
    const at = shared.placeOf(was.written, is?.written, `${operation} ${key}`);
    if (!after.has(key)) report('parameter-removed', at, 'is removed');
    else {
      compareForm(was.resolved, is!.resolved, at, report);
      schemas.compare(schemaOf(was.resolved), schemaOf(is!.resolved), 'request', at);
    }
  }
  for (const [key, is] of after) {
    const was = before.get(key) ?? samePart(is, before);
    const at = shared.placeOf(was?.written, is.written, `${operation} ${key}`);
    const isKnown = before.get(key)?.resolved.required === true;
    if (is.resolved.required === true && !isKnown) report('parameter-required', at, 'is required');
  }
}

/** The same shared parameter under another name or in another place. */
function samePart(one: Parameter, others: Map<string, Parameter>): Parameter | undefined {
  return [...others.values()].find(({ written }) => isSamePart(one.written, written));
}
