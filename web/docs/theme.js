// Runs before the page is drawn. The reference stores the reader's choice under the same name.
(() => {
  let chosen = null;
  try {
    chosen = localStorage.getItem('colorMode');
  } catch {
    // The browser blocks storage.
  }
  const isDark =
    chosen === 'dark' || (chosen !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches);
  document.documentElement.classList.add(isDark ? 'dark' : 'light');
})();
