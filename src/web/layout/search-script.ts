/**
 * What scripts add to the search: `/` goes to the field, and suggestions come as one types. The list is one of ARIA's
 * comboboxes: the arrows choose, Enter opens, Escape closes.
 */
export const SEARCH_SCRIPT = `{
  const isTyping = (target) => target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName);
  document.addEventListener('keydown', (event) => {
    if (event.key !== '/' || event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return;
    // The reference of the API and the board have a search of their own.
    if (document.querySelector('.contents .search, #board-search')) return;
    const field = [...document.querySelectorAll('.site-search input')].find((one) => one.checkVisibility());
    event.preventDefault();
    if (field) field.focus();
    else document.querySelector('.search-link')?.click();
  });

  const addSuggestions = (form) => {
    const input = form.querySelector('input');
    const list = document.createElement('ul');
    list.id = input.id + '-suggestions';
    list.className = 'suggestions';
    list.setAttribute('role', 'listbox');
    list.setAttribute('aria-label', 'Suggestions');
    list.hidden = true;
    form.append(list);
    input.setAttribute('role', 'combobox');
    input.setAttribute('aria-autocomplete', 'list');
    input.setAttribute('aria-controls', list.id);
    input.setAttribute('aria-expanded', 'false');
    let chosen = -1;
    let asked = '';
    let timer;
    let request;
    const options = () => [...list.children];
    const choose = (at) => {
      options()[chosen]?.removeAttribute('aria-selected');
      chosen = at;
      const option = options()[at];
      if (option) {
        option.setAttribute('aria-selected', 'true');
        option.scrollIntoView({ block: 'nearest' });
        input.setAttribute('aria-activedescendant', option.id);
      } else input.removeAttribute('aria-activedescendant');
    };
    const show = (isOpen) => {
      list.hidden = !isOpen;
      input.setAttribute('aria-expanded', String(isOpen));
      choose(-1);
    };
    const ask = async (text) => {
      request?.abort();
      request = new AbortController();
      const answer = await fetch('/search/suggestions?q=' + encodeURIComponent(text), { signal: request.signal });
      if (!answer.ok) return show(false);
      const suggestions = await answer.text();
      if (input.value.trim() !== text) return;
      list.innerHTML = suggestions;
      options().forEach((option, at) => { option.id = list.id + '-' + at; });
      show(list.children.length > 0 && document.activeElement === input);
    };
    input.addEventListener('input', () => {
      const text = input.value.trim();
      if (text === asked) return;
      asked = text;
      clearTimeout(timer);
      request?.abort();
      if (text.length < 2) return show(false);
      // An answer that was aborted, or did not come, shows nothing.
      timer = setTimeout(() => { ask(text).catch(() => {}); }, 150);
    });
    input.addEventListener('keydown', (event) => {
      if (event.isComposing) return;
      const count = list.children.length;
      if (event.key === 'Escape' && !list.hidden) {
        event.preventDefault();
        event.stopPropagation();
        return show(false);
      }
      if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
        if (count === 0) return;
        event.preventDefault();
        if (list.hidden) return show(true);
        const by = event.key === 'ArrowDown' ? 1 : -1;
        choose(chosen === -1 && by === -1 ? count - 1 : (chosen + by + count) % count);
      }
      if (event.key === 'Enter' && !list.hidden && chosen >= 0) {
        event.preventDefault();
        location.assign(options()[chosen].dataset.to);
      }
    });
    input.addEventListener('blur', () => show(false));
    input.addEventListener('focus', () => { if (list.children.length > 0 && input.value.trim() === asked) show(asked.length >= 2); });
    // Before the field loses the focus, which closes the list.
    list.addEventListener('pointerdown', (event) => event.preventDefault());
    list.addEventListener('click', (event) => {
      const option = event.target.closest('[role=option]');
      if (option) location.assign(option.dataset.to);
    });
  };
  for (const form of document.querySelectorAll('.site-search')) addSuggestions(form);
}
`;
