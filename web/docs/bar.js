// Adds the button in the bar that switches between light and dark colours. The button is created here because it needs
// scripts.
const toggle = document.createElement('button');
toggle.type = 'button';
toggle.className = 'theme';
toggle.innerHTML =
  '<svg viewBox="0 0 16 16" aria-hidden="true"><circle cx="8" cy="8" r="5.5"/><path class="half" d="M8 2.5a5.5 5.5 0 0 1 0 11z"/></svg>';

function showState() {
  const isDark = document.documentElement.classList.contains('dark');
  toggle.setAttribute('aria-label', isDark ? 'Show light colours' : 'Show dark colours');
}

toggle.addEventListener('click', () => {
  const isDark = document.documentElement.classList.toggle('dark');
  document.documentElement.classList.toggle('light', !isDark);
  showState();
  try {
    localStorage.setItem('colorMode', isDark ? 'dark' : 'light');
  } catch {
    // The browser blocks storage, so the choice is valid for this page only.
  }
  showInReference(isDark);
});
/** The renderer of the reference has its own state; a class of the body decides its colours. */
function showInReference(isDark) {
  if (globalThis.dataDumpWorkspace === undefined) return;
  dataDumpWorkspace().update('x-scalar-color-mode', isDark ? 'dark' : 'light');
  document.body.classList.toggle('dark-mode', isDark);
  document.body.classList.toggle('light-mode', !isDark);
}

showState();
document.querySelector('.bar').append(toggle);
