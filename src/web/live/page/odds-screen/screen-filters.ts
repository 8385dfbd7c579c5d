/** Shows what is chosen without a button. Bookmakers are ticked one after the other, so their list has a button. */
export function applyFiltersAtOnce(): void {
  const form = document.querySelector<HTMLFormElement>('.screen-filters');
  if (!form) return;
  const books = form.querySelector<HTMLDetailsElement>('.screen-books');
  form.addEventListener('change', ({ target }) => {
    if (target instanceof Node && books?.contains(target)) return;
    // A day that is being typed is not whole.
    if (target instanceof HTMLInputElement && target.type === 'date' && target.value === '') return;
    form.requestSubmit();
  });
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    const query = new URLSearchParams();
    const chosen = new FormData(form);
    for (const name of ['league', 'date', 'books', 'market']) {
      const value = chosen.getAll(name).join(',');
      if (value !== '') query.set(name, value);
    }
    location.assign(`/odds?${query.toString().replaceAll('%2C', ',')}`);
  });
  if (!books) return;
  const show = form.querySelector<HTMLButtonElement>('button');
  show?.classList.add('screen-show');
  if (show) books.querySelector('fieldset')?.append(show);
  books.addEventListener('keydown', (key) => {
    if (key.key !== 'Escape' || !books.open) return;
    books.open = false;
    books.querySelector('summary')?.focus();
  });
  document.addEventListener('click', ({ target }) => {
    if (target instanceof Node && !books.contains(target)) books.open = false;
  });
}
