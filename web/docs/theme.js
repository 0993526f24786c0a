// Runs before anything is drawn. The reference keeps the reader's choice under the same name.
(() => {
  const chosen = localStorage.getItem('colorMode');
  const isDark =
    chosen === 'dark' || (chosen !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches);
  document.documentElement.classList.add(isDark ? 'dark' : 'light');
})();
