import { compareForm } from './access.ts';
import { compareContents, type Tools } from './contents.ts';
import { entriesOf, isNode, type Node } from './document.ts';
import { schemaOf } from './keywords.ts';
import { parametersOf } from './parameters.ts';

/** Compares webhooks. The service sends them, so their bodies and headers are compared as answers. */
export function compareWebhooks(tools: Tools): void {
  const { before, after, report } = tools;
  const left = isNode(after.root.webhooks) ? after.root.webhooks : {};
  for (const [name, item] of entriesOf(before.root.webhooks)) {
    const [was, is] = [sentBy(before.follow(item)), sentBy(after.follow(left[name]))];
    if (was === null) continue;
    if (is === null) report('webhook-removed', name, 'is no longer sent');
    else {
      compareParameters(name, was, is, tools);
      compareBodies(name, was.requestBody, is.requestBody, tools);
    }
  }
}

/** The request, with the parameters of its path item. */
function sentBy(item: Node): Node | null {
  if (!isNode(item.post)) return null;
  return { ...item.post, parameters: [item.parameters ?? [], item.post.parameters ?? []].flat() };
}

function compareParameters(name: string, was: Node, is: Node, tools: Tools): void {
  const { before, after, shared, schemas, report } = tools;
  const left = parametersOf(after, is);
  for (const [key, old] of parametersOf(before, was)) {
    const now = left.get(key);
    const at = shared.placeOf(old.written, now?.written, `${name} ${key}`);
    if (now === undefined || (old.resolved.required === true && now.resolved.required !== true)) {
      report('answer-header-removed', at, 'cannot be relied upon');
    } else {
      compareForm(old.resolved, now.resolved, at, report);
      schemas.compare(schemaOf(old.resolved), schemaOf(now.resolved), 'answer', at);
    }
  }
}

function compareBodies(name: string, was: unknown, is: unknown, tools: Tools): void {
  const at = `${name} body`;
  const [old, now] = [tools.before.follow(was), tools.after.follow(is)];
  if (was !== undefined && is === undefined) tools.report('body-removed', at, 'is no longer sent');
  else {
    const isLess = old.required === true && now.required !== true;
    if (isLess) tools.report('field-optional', at, 'may be missing');
    compareContents(name, old, now, 'answer', tools);
  }
}
