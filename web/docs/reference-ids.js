// Copies the identifier of an answer into the forms of other requests about the same object: after an order, the forms
// of payment operations have the identifier of its payment.

const API = '/api/v1/';

/** The last identifier of each kind. The kind is the segment before it in a path, such as `payments`. */
const made = new Map();

function noteWhatWasMade(path, body) {
  for (const [name, value] of Object.entries(body)) {
    if (typeof value?.id === 'string') made.set(`${name}s`, value.id);
  }
  if (typeof body.id === 'string') made.set(path.split('/').at(-1), body.id);
}

/**
 * The kind of object that a parameter identifies: `/payments/{identifier}` and the filter `payment_id` identify
 * payments.
 */
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
  // The page and the form watch the same document through two proxies, and each sees only its own writes.
  for (const document of [workspace.activeDocument, ...Object.values(workspace.documents)]) {
    for (const [parameter, path] of parametersOf(document)) {
      const id = made.get(kindOf(parameter, path));
      if (id === undefined) continue;
      // The renderer stores what the reader typed under `examples`.
      delete parameter.examples;
      // Deleted first, because writing an equal value through the second proxy is not seen as a change.
      delete parameter.example;
      parameter.example = id;
    }
  }
}

/** When a form is closed, the renderer restores the document from before. This fills in the identifiers again. */
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
  // If the answer cannot be read, the forms are not changed.
  learn(request, answer.clone()).catch(() => {});
  return answer;
};
