/** Runs before the page is drawn: sets the theme that was chosen, otherwise the system's. */
export const THEME_SCRIPT = `'use strict';
(() => {
  const root = document.documentElement;
  const dark = matchMedia('(prefers-color-scheme: dark)');
  const chosen = () => {
    try {
      const look = localStorage.getItem('ledgerline.look');
      return look === 'light' || look === 'dark' ? look : null;
    } catch {
      return null;
    }
  };
  const show = () => { root.dataset.look = chosen() ?? (dark.matches ? 'dark' : 'light'); };
  dark.addEventListener('change', show);
  addEventListener('storage', show);
  root.dataset.scripts = '';
  show();
})();
`;

/**
 * What scripts add to every page: the switch of the theme, the menu on a phone, one's own menu, and times in the zone of
 * the browser.
 */
export const SITE_SCRIPT = `'use strict';
{
  const root = document.documentElement;
  const theme = document.querySelector('.theme-switch');
  const nameTheme = () => {
    const words = 'Switch to the ' + (root.dataset.look === 'dark' ? 'light' : 'dark') + ' look';
    theme.title = words;
    theme.querySelector('.hidden-text').textContent = words;
  };
  theme.hidden = false;
  nameTheme();
  new MutationObserver(nameTheme).observe(root, { attributeFilter: ['data-look'] });
  theme.addEventListener('click', () => {
    root.dataset.look = root.dataset.look === 'dark' ? 'light' : 'dark';
    try {
      localStorage.setItem('ledgerline.look', root.dataset.look);
    } catch {
      // Without storage the choice lasts until the page is left.
    }
  });

  const button = document.querySelector('.menu-button');
  const setMenu = (isOpen) => button.setAttribute('aria-expanded', String(isOpen));
  button.hidden = false;
  button.addEventListener('click', () => setMenu(button.getAttribute('aria-expanded') !== 'true'));

  const account = document.querySelector('.account');
  const closeAccount = () => account.querySelector('details')?.removeAttribute('open');
  document.addEventListener('click', (event) => {
    if (!account.contains(event.target)) closeAccount();
  });
  // Whoever goes on with the keyboard would have the menu over what he goes to.
  account.addEventListener('focusout', ({ relatedTarget }) => {
    if (relatedTarget && !account.contains(relatedTarget)) closeAccount();
  });
  document.querySelector('.site-header').addEventListener('keydown', (event) => {
    if (event.key !== 'Escape') return;
    const menu = account.querySelector('details[open]');
    if (menu) {
      closeAccount();
      menu.querySelector('summary').focus();
    } else if (button.getAttribute('aria-expanded') === 'true') {
      setMenu(false);
      button.focus();
    } else return;
    event.stopPropagation();
  });

  const clock = (more) => new Intl.DateTimeFormat('en-GB', {
    hour: '2-digit', minute: '2-digit', ...more, timeZoneName: 'short',
  });
  const day = { day: 'numeric', month: 'short', year: 'numeric' };
  const clocks = { minute: clock(day), second: clock({ ...day, second: '2-digit' }), clock: clock({}) };
  const otherDay = clock({ weekday: 'short' });
  for (const time of document.querySelectorAll('time[data-local]')) {
    const at = new Date(time.dateTime);
    const isOther = time.dataset.local === 'clock' && at.getDate() !== at.getUTCDate();
    time.title = time.textContent;
    time.textContent = (isOther ? otherDay : clocks[time.dataset.local]).format(at);
  }

  const decimal = () => {
    try {
      return localStorage.getItem('ledgerline.odds') === 'decimal';
    } catch {
      return false;
    }
  };
  // The choice of the live page holds on every page.
  if (decimal()) for (const price of document.querySelectorAll('[data-price]')) {
    const american = Number(price.dataset.price);
    price.textContent = (american > 0 ? 1 + american / 100 : 1 - 100 / american).toFixed(2);
  }

  // On a phone the tabs scroll: the one that is shown comes into sight.
  const shown = document.querySelector('.tabs [aria-current]');
  const row = shown?.closest('.tabs');
  if (row) {
    const [tab, all] = [shown.getBoundingClientRect(), row.getBoundingClientRect()];
    row.scrollLeft += tab.left - all.left - (all.width - tab.width) / 2;
  }

  const skip = document.querySelector('.skip-link');
  skip.addEventListener('click', (event) => {
    event.preventDefault();
    document.getElementById('content')?.focus();
  });

  if ('unknown' in account.dataset) {
    const fill = async () => {
      const answer = await fetch('/account/menu', { headers: { Accept: 'text/html' } });
      if (!answer.ok) return;
      const had = account.contains(document.activeElement);
      account.innerHTML = await answer.text();
      if (had) account.querySelector('a, summary').focus();
    };
    // The link to the account stays if the menu does not come.
    fill().catch(() => {});
  }
}
`;
