import { type Html, html } from '../../layout/html.ts';
import { checkboxField, postButton, postForm, refusalBox, submitButton, textField } from '../form-fields.ts';
import { fieldText } from '../form-values.ts';
import type { Refusal, SignedInRequest } from '../page-route.ts';

export const MY_BOOKS_PATH = '/account/books';
/** The field of the button that ends the list. */
export const END_FIELD = 'end';

interface MyBooksView {
  /** Null: there is no list. */
  readonly books: readonly string[] | null;
  /** Display names by slug. */
  readonly names: Readonly<Record<string, string>>;
  /** Whether there is an odds screen to lead to. */
  readonly hasOdds: boolean;
}

/** The slugs that were typed, beside those that are ticked. */
export const typedBooks = (form: URLSearchParams): string[] => [
  ...form.getAll('book'),
  ...fieldText(form, 'others')
    .toLowerCase()
    .split(/[\s,]+/)
    .filter((slug) => slug !== ''),
];

/** The books where the owner can bet. A refused form keeps what was chosen. */
export function myBooksPage(visit: SignedInRequest, { books, names, hasOdds }: MyBooksView, refusal?: Refusal): Html {
  const chosen = new Set(refusal ? typedBooks(visit.form) : (books ?? []));
  const others = [...chosen].filter((slug) => !Object.hasOwn(names, slug));
  return html`
${refusalBox(refusal)}
<p>Where you can bet. The scans, the summary of odds and your alerts then name these books alone, with prices of the last 15 minutes, and say how many others have a better price. A call that names its own <code>books</code> is answered by those. What is known of an event is the same for everybody.</p>
<p>${books === null ? 'You have no list: every book counts.' : html`Your list has ${books.length} ${books.length === 1 ? 'book' : 'books'}.${hasOdds && books.length > 0 && html` <a href="/odds?books=mine">The odds at your books alone</a>`}`}</p>
<section><h2>Choose your books</h2>${postForm(
    visit,
    MY_BOOKS_PATH,
    html`<fieldset><legend>Books</legend><div class="leagues">${Object.entries(names).map(([slug, name]) =>
      checkboxField({ name: 'book', value: slug, label: name, isChecked: chosen.has(slug) }),
    )}</div></fieldset>
${textField({
  name: 'others',
  label: 'Others',
  value: others.join(', '),
  error: refusal?.fields['my_books'],
  maxlength: 2000,
  hint: 'As feeds name them, such as william_hill, with commas between them.',
  autocomplete: 'off',
})}
${submitButton('Save')}`,
  )}</section>
${
  books !== null &&
  html`<section><h2>No list</h2><p>Then every book counts again.</p>${postButton(visit, MY_BOOKS_PATH, 'End the list', 'danger', { [END_FIELD]: '1' })}</section>`
}`;
}
