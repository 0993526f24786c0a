// Inserts this service's address and, in a sandbox, the demo key into the samples, copies samples, and closes the list
// of guides on narrow pages.
const wide = matchMedia('(min-width: 56rem)');
const list = document.querySelector('.side details');
if (list) list.open = wide.matches;
wide.addEventListener('change', () => {
  if (list) list.open = wide.matches;
});

// Samples are for a sandbox. In production, only the address of the card library is replaced.
const ownAddress = globalThis.centavoIsSandbox
  ? /http:\/\/127\.0\.0\.1:3000|https:\/\/YOUR-CENTAVO-HOST/g
  : /https:\/\/YOUR-CENTAVO-HOST/g;
const keys = globalThis.centavoDemo;
for (const code of document.querySelectorAll('main pre code')) {
  const isEnvironment = code.textContent.startsWith('export BASE_URL=');
  const texts = document.createTreeWalker(code, NodeFilter.SHOW_TEXT);
  while (texts.nextNode()) {
    const node = texts.currentNode;
    let text = node.data.replaceAll(ownAddress, location.origin);
    if (keys) text = text.replace('pay_test_…', keys.apiKey);
    if (keys && isEnvironment) text = text.replace('_KEY=…', `_KEY=${keys.encryptionKey}`);
    if (text !== node.data) node.data = text;
  }
}

for (const button of document.querySelectorAll('button.copy')) {
  button.addEventListener('click', async () => {
    const code = button.closest('.code').querySelector('code');
    try {
      await navigator.clipboard.writeText(code.textContent);
      button.textContent = 'Copied';
    } catch {
      // The browser does not allow it, or the page is not secure: the reader copies the selected text.
      getSelection().selectAllChildren(code);
      button.textContent = 'Selected';
    }
    setTimeout(() => {
      button.textContent = 'Copy';
    }, 1500);
  });
}
