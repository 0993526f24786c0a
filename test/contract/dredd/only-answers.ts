interface Operation {
  readonly operationId: string;
  readonly responses: Record<string, unknown>;
}

/** The bundled contract with only these answers (`createCustomer 201`), to keep a test short. */
export function onlyAnswers(document: string, kept: readonly string[]): string {
  const smaller = JSON.parse(document);
  delete smaller.webhooks;
  for (const [path, item] of Object.entries<Record<string, Operation>>(smaller.paths)) {
    for (const [method, { operationId, responses }] of Object.entries(item)) {
      for (const status of Object.keys(responses)) {
        if (!kept.includes(`${operationId} ${status}`)) delete responses[status];
      }
      if (Object.keys(responses).length === 0) delete item[method];
    }
    if (Object.keys(item).length === 0) delete smaller.paths[path];
  }
  return JSON.stringify(smaller);
}
