/**
 * What scripts add to the documentation: a search among the operations, and buttons that copy the examples. Without
 * scripts everything is readable.
 */
export const DOCS_SCRIPT = `'use strict';
const search = document.querySelector('.search');
if (search) {
  const input = search.querySelector('input');
  const count = search.querySelector('output');
  const found = [...document.querySelectorAll('[data-search]')];
  const groups = [...document.querySelectorAll('[data-group]')];
  const filter = () => {
    const words = input.value.toLowerCase().split(/\\s+/).filter(Boolean);
    for (const one of found) one.hidden = !words.every((word) => one.dataset.search.includes(word));
    for (const group of groups) group.hidden = !group.querySelector('[data-search]:not([hidden])');
    for (const rest of document.querySelectorAll('[data-rest]')) rest.hidden = words.length > 0;
    const shown = document.querySelectorAll('main [data-search]:not([hidden])').length;
    count.textContent = words.length === 0 ? '' : shown === 1 ? '1 operation' : shown + ' operations';
  };
  search.hidden = false;
  input.addEventListener('input', filter);
  input.addEventListener('keydown', (event) => {
    if (event.key !== 'Escape') return;
    input.value = '';
    filter();
  });
  document.addEventListener('keydown', (event) => {
    const isTyping = event.target instanceof HTMLInputElement;
    if (event.key !== '/' || isTyping || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    input.focus();
  });
  // A link to something that the search has hidden shows it again.
  addEventListener('hashchange', () => {
    const target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
    if (!target || !target.closest('[hidden]')) return;
    input.value = '';
    filter();
    target.scrollIntoView();
  });
}
if (navigator.clipboard) {
  for (const block of document.querySelectorAll('.copied')) {
    const button = document.createElement('button');
    button.type = 'button';
    button.textContent = 'Copy';
    button.addEventListener('click', async () => {
      try {
        await navigator.clipboard.writeText(block.querySelector('code').textContent);
        button.textContent = 'Copied';
      } catch {
        button.textContent = 'Not copied';
      }
      setTimeout(() => { button.textContent = 'Copy'; }, 2000);
    });
    block.append(button);
  }
}
const contents = document.querySelector('.contents details');
if (contents) {
  const wide = matchMedia('(min-width: 60rem)');
  const set = () => { contents.open = wide.matches; };
  wide.addEventListener('change', set);
  set();
  contents.addEventListener('click', (event) => {
    if (event.target.closest('a') && !wide.matches) contents.open = false;
  });
}
`;
