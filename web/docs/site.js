// Puts this service's address and, in a sandbox, the demo key into the samples, copies them, folds the list of guides on
// narrow pages, and lets the reader choose light or dark.
const wide = matchMedia('(min-width: 56rem)');
const list = document.querySelector('.side details');
if (list) list.open = wide.matches;
wide.addEventListener('change', () => {
  if (list) list.open = wide.matches;
});

// Samples are run against a sandbox: production's own address stands only where a shop loads something.
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
    if (keys && isEnvironment)
      text = text.replace('=pay_test_…', `=${keys.apiKey}`).replace('_KEY=…', `_KEY=${keys.encryptionKey}`);
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
      // Not allowed, or a page that came by http from elsewhere: the reader copies what is selected.
      getSelection().selectAllChildren(code);
      button.textContent = 'Selected';
    }
    setTimeout(() => {
      button.textContent = 'Copy';
    }, 1500);
  });
}

const toggle = document.createElement('button');
toggle.type = 'button';
toggle.className = 'theme';
const name = () => {
  const isDark = document.documentElement.classList.contains('dark');
  toggle.textContent = isDark ? 'Light' : 'Dark';
  toggle.setAttribute('aria-label', isDark ? 'Show light colours' : 'Show dark colours');
};
toggle.addEventListener('click', () => {
  const isDark = document.documentElement.classList.toggle('dark');
  document.documentElement.classList.toggle('light', !isDark);
  name();
  try {
    localStorage.setItem('colorMode', isDark ? 'dark' : 'light');
  } catch {
    // Kept back: the choice is for this page.
  }
});
name();
document.querySelector('.bar').append(toggle);
