// Runs before anything is drawn. The reference keeps the reader's choice under the same name.
(() => {
  let chosen = null;
  try {
    chosen = localStorage.getItem('colorMode');
  } catch {
    // Kept back by the reader's settings.
  }
  const isDark =
    chosen === 'dark' || (chosen !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches);
  document.documentElement.classList.add(isDark ? 'dark' : 'light');
})();
