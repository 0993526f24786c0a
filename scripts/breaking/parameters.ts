import { compareForm } from './access.ts';
import type { Tools } from './contents.ts';
import type { Document, Node } from './document.ts';
import { schemaOf } from './keywords.ts';
import { isSamePart } from './shared.ts';

interface Parameter {
  /** As the operation has it, before a reference was followed. */
  readonly written: unknown;
  readonly said: Node;
}

/** Parameters by place and name: `query per_page`. */
export function parametersOf(document: Document, operation: Node): Map<string, Parameter> {
  const written = (operation.parameters ?? []) as unknown[];
  const parameters = written.map((one) => ({ written: one, said: document.follow(one) }));
  return new Map(parameters.map((one) => [`${one.said.in} ${one.said.name}`, one]));
}

/** What a request that sends the old parameters, and no others, can no longer rely on. */
export function compareParameters(
  before: Map<string, Parameter>,
  after: Map<string, Parameter>,
  operation: string,
  { shared, schemas, report }: Tools,
): void {
  for (const [key, was] of before) {
    const is = after.get(key) ?? samePart(was, after);
    const at = shared.placeOf(was.written, is?.written, `${operation} ${key}`);
    if (!after.has(key)) report('parameter-removed', at, 'is gone');
    else {
      compareForm(was.said, is!.said, at, report);
      schemas.compare(schemaOf(was.said), schemaOf(is!.said), 'request', at);
    }
  }
  for (const [key, is] of after) {
    const was = before.get(key) ?? samePart(is, before);
    const at = shared.placeOf(was?.written, is.written, `${operation} ${key}`);
    const isKnown = before.get(key)?.said.required === true;
    if (is.said.required === true && !isKnown) report('parameter-required', at, 'is required');
  }
}

/** The same shared parameter under another name or in another place. */
function samePart(one: Parameter, others: Map<string, Parameter>): Parameter | undefined {
  return [...others.values()].find(({ written }) => isSamePart(one.written, written));
}
