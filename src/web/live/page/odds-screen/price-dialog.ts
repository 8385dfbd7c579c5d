import { oddsFormat } from '../stores/preferences.ts';

/** Opens the history of a price over the screen, in place of its page. Another tab still gets the page. */
export function openHistories(screen: HTMLElement): void {
  screen.addEventListener('click', (event) => {
    if (event.button !== 0 || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
    const link = event.target instanceof Element ? event.target.closest<HTMLAnchorElement>('.screen-book a') : null;
    if (!link) return;
    event.preventDefault();
    void openHistory(link);
  });
}

async function openHistory(link: HTMLAnchorElement): Promise<void> {
  const content = await readMain(`${link.href}&format=${oddsFormat.value}`);
  // Without the history here, its page says what is wrong.
  if (!content) return location.assign(link.href);
  const dialog = document.createElement('dialog');
  dialog.className = 'price-dialog price-history';
  const form = document.createElement('form');
  form.method = 'dialog';
  form.innerHTML = '<button class="action">Close</button>';
  dialog.append(...content.childNodes, form);
  const heading = dialog.querySelector('h1');
  if (heading) {
    const title = document.createElement('h2');
    title.id = 'price-dialog-title';
    title.textContent = heading.textContent;
    heading.replaceWith(title);
    dialog.setAttribute('aria-labelledby', title.id);
  }
  dialog.querySelector('.price-back')?.remove();
  dialog.addEventListener('close', () => {
    dialog.remove();
    // The cell may have been drawn again meanwhile.
    document.querySelector<HTMLElement>(`.screen-book a[href="${CSS.escape(link.getAttribute('href')!)}"]`)?.focus();
  });
  dialog.addEventListener('click', ({ target }) => {
    if (target === dialog) dialog.close();
  });
  document.body.append(dialog);
  dialog.showModal();
}

/** The main part of a page of this server; null if it does not come. */
async function readMain(path: string): Promise<HTMLElement | null> {
  try {
    const answer = await fetch(path, { headers: { Accept: 'text/html' } });
    if (!answer.ok) return null;
    return new DOMParser().parseFromString(await answer.text(), 'text/html').querySelector('main');
  } catch {
    return null;
  }
}
