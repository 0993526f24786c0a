import type { Direction } from '../../../scripts/breaking/bounds.ts';
import { Document } from '../../../scripts/breaking/document.ts';
import { SchemaComparison } from '../../../scripts/breaking/schemas.ts';

/** What breaks when the schema `Pay` becomes another: kind and place. */
export function found(direction: Direction, was: unknown, is: unknown): string[] {
  const said: string[] = [];
  const document = new Document({});
  const report = (kind: string, where: string) => said.push(`${kind} ${where}`);
  new SchemaComparison(document, document, report).compare(was, is, direction, 'Pay');
  return said;
}
