type Node = { readonly [key: string]: unknown };

/** Whether an operation's query, or the schema of its body, has a field; `*` in its dotted path stands for an index. */
export function requestHasField(document: Node, path: string, method: string, field: string): boolean {
  const operation = ((document.paths as Node)[path] as Node)[method] as Node;
  const parameters = ((operation.parameters ?? []) as Node[]).map((node) => resolve(document, node));
  if (parameters.some((parameter) => parameter.in === 'query' && parameter.name === field)) return true;
  const { content } = resolve(document, (operation.requestBody ?? {}) as Node) as { content?: Node };
  const { schema } = (content?.['application/json'] ?? {}) as { schema?: Node };
  return schema !== undefined && schemaHas(document, schema, field.split('.'));
}

/** The first example of an operation's body: one that the contract allows, so that the operation itself is asked. */
export function exampleBody(document: Node, path: string, method: string): unknown {
  const operation = ((document.paths as Node)[path] as Node)[method] as Node;
  const { content } = operation.requestBody as { content: { 'application/json': { examples: Node } } };
  const [example] = Object.values(content['application/json'].examples);
  return resolve(document, example as Node).value;
}

function schemaHas(document: Node, node: Node, names: readonly string[]): boolean {
  const schema = resolve(document, node);
  const [name, ...rest] = names;
  if (name === undefined) return true;
  const own = name === '*' ? schema.items : (schema.properties as Node | undefined)?.[name];
  if (own !== undefined && schemaHas(document, own as Node, rest)) return true;
  const branches = [schema.allOf, schema.anyOf, schema.oneOf, schema.then, schema.else].flat();
  return branches.some((branch) => branch !== undefined && schemaHas(document, branch as Node, names));
}

function resolve(document: Node, node: Node): Node {
  if (typeof node.$ref !== 'string') return node;
  let target: unknown = document;
  for (const part of node.$ref.slice(2).split('/')) target = (target as Node)[part];
  return target as Node;
}
