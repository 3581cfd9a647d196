// Dark and light: as the system has it, or as the switch says.
import { sign } from './dom.js';
import { t } from './words.js';

const system = matchMedia('(prefers-color-scheme: dark)');
const chosen = () => {
  try {
    return localStorage.getItem('theme');
  } catch {
    return null;
  }
};

function show() {
  const theme = chosen() ?? (system.matches ? 'dark' : 'light');
  document.documentElement.dataset.theme = theme;
  const button = document.getElementById('theme');
  button.replaceChildren(sign(theme === 'dark' ? 'sun' : 'moon'));
  button.setAttribute('aria-label', theme === 'dark' ? t('Switch to light') : t('Switch to dark'));
}

export function begin() {
  show();
  system.addEventListener('change', show);
  document.getElementById('theme').addEventListener('click', () => {
    const next = document.documentElement.dataset.theme === 'dark' ? 'light' : 'dark';
    try {
      localStorage.setItem('theme', next);
    } catch {
      /* a private window */
    }
    show();
  });
}
