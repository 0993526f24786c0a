// Encrypts the form with the global Centavo of /lib/centavo.js, and stores the card in the sandbox.
const form = document.querySelector('form.card');
const demo = globalThis.centavoDemo;

async function call(path, body) {
  const response = await fetch(`/api/v1${path}`, {
    method: body === undefined ? 'GET' : 'POST',
    headers: { Authorization: `Bearer ${demo.apiKey}`, 'Content-Type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  return response.json();
}

/** Resets the results of the previous card. */
function clearPlaces() {
  for (const place of ['#encrypted', '#answer']) document.querySelector(place).textContent = 'Nothing yet.';
}

function showProblems(problems) {
  for (const box of form.querySelectorAll('[role="alert"]')) {
    const problem = problems.find(({ field }) => box.id === `${field}-problem`);
    box.textContent = problem?.message ?? '';
    box.parentElement.querySelector('input').setAttribute('aria-invalid', String(problem !== undefined));
  }
}

async function encryptAndStore(show) {
  const { form: chosen, ...card } = Object.fromEntries(new FormData(form));
  const key = chosen === 'aes' ? demo.encryptionKey : await call('/cards/encryption-key');
  const encrypted = await Centavo.encryptCard(card, key);
  show('#encrypted', encrypted);
  const customer = await call('/customers', {
    name: card.holder,
    email: `demo-${crypto.randomUUID()}@example.com`,
  });
  const answer = await call('/cards', { customer_id: customer.id, encrypted });
  show('#answer', JSON.stringify(answer, null, 2));
}

document.getElementById('encrypt-element').addEventListener('click', async () => {
  const place = document.getElementById('element-answer');
  try {
    const key = await call('/cards/encryption-key');
    place.textContent = await document.querySelector('centavo-card').encrypt(key);
  } catch (error) {
    place.textContent = error.message;
  }
});

let latest;

form.addEventListener('submit', async (event) => {
  event.preventDefault();
  latest = event;
  /** Shows a result, unless a later card was submitted. */
  const show = (place, text) => {
    if (event === latest) document.querySelector(place).textContent = text;
  };
  showProblems([]);
  clearPlaces();
  try {
    if (demo === null) throw new Error('This sandbox has no demo merchant, so there is no key for the demo.');
    await encryptAndStore(show);
  } catch (error) {
    if (event !== latest) return;
    if (error instanceof Centavo.CardError) showProblems(error.problems);
    else show('#answer', error.message);
  }
});
