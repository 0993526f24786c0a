// Puts the identifier that a request has just made into the forms of the requests that read or change the same thing:
// after an order, the payment's operations name its payment.

const API = '/api/v1/';

/** The last identifier of each kind; the kind is the part of a path that stands before it, such as `payments`. */
const made = new Map();

function noteWhatWasMade(path, body) {
  for (const [name, value] of Object.entries(body)) {
    if (typeof value?.id === 'string') made.set(`${name}s`, value.id);
  }
  if (typeof body.id === 'string') made.set(path.split('/').at(-1), body.id);
}

/** The kind of thing that a parameter names: `/payments/{identifier}` and the filter `payment_id` name payments. */
function kindOf({ in: place, name }, path) {
  if (place === 'query') return name.endsWith('_id') ? name.replace(/_id$/, 's') : undefined;
  if (place !== 'path') return undefined;
  const steps = path.split('/');
  return steps[steps.indexOf(`{${name}}`) - 1];
}

/** The parameters of a document, each with the path of its operation. */
function* parametersOf({ paths }) {
  for (const [path, operations] of Object.entries(paths)) {
    for (const { parameters = [] } of Object.values(operations)) {
      for (const parameter of parameters) yield [parameter['$ref-value'] ?? parameter, path];
    }
  }
}

function fillIn() {
  const { workspace } = dataDumpWorkspace();
  // The page and the form watch the same document through proxies of their own, and notice only what is written there.
  for (const document of [workspace.activeDocument, ...Object.values(workspace.documents)]) {
    for (const [parameter, path] of parametersOf(document)) {
      const id = made.get(kindOf(parameter, path));
      if (id === undefined) continue;
      // The renderer stores what the reader typed under `examples`.
      delete parameter.examples;
      // Deleted first, since writing an equal value through the second proxy would not count as a change.
      delete parameter.example;
      parameter.example = id;
    }
  }
}

/**
 * When a form is closed, the renderer loads the document again as it was before the form was opened. This fills it in
 * again afterwards.
 */
function fillInAfterClosing() {
  const store = dataDumpWorkspace();
  if (store.loadWorkspace.fillsIn) return;
  const load = store.loadWorkspace;
  store.loadWorkspace = (state) => {
    load(state);
    fillIn();
  };
  store.loadWorkspace.fillsIn = true;
}

async function learn(request, answer) {
  const { pathname, origin } = new URL(request.url);
  const isOurs = origin === location.origin && pathname.startsWith(API);
  if (!isOurs || request.method !== 'POST' || !answer.ok) return;
  noteWhatWasMade(pathname, await answer.json());
  fillInAfterClosing();
  fillIn();
}

const send = globalThis.fetch;
globalThis.fetch = async (...given) => {
  const request = new Request(...given);
  const answer = await send(request);
  // If the answer cannot be read, the forms stay as they are.
  learn(request, answer.clone()).catch(() => {});
  return answer;
};
