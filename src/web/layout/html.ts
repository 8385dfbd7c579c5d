import { escapeHtml } from '../../domain/primitives/html-text.ts';

/** HTML that is safe to insert into a page. */
export interface Html {
  readonly html: string;
}

type Piece = Html | string | number | false | null | undefined | readonly Piece[];

/** A template that escapes its values, unless they are Html. Null and false become nothing. */
export function html(parts: TemplateStringsArray, ...values: readonly Piece[]): Html {
  return { html: parts.reduce((text, part, index) => text + renderPiece(values[index - 1]) + part) };
}

/** Text with `code` in backticks. */
export const prose = (text: string): Html =>
  html`${text.split('`').map((part, index) => (index % 2 === 1 ? html`<code>${part}</code>` : part))}`;

/** A list of the items; empty if there are none. */
export const bulletList = (items: readonly Piece[]): Html =>
  items.length === 0 ? html`` : html`<ul>${items.map((item) => html`<li>${item}</li>`)}</ul>`;

type Heading = string | readonly [text: string, kind: 'number'];

/**
 * A table that may be wider than the page. It has a tabindex so that the keyboard can scroll it, and therefore needs a
 * name.
 */
export const dataTable = (name: string, headings: readonly Heading[], rows: readonly Html[]): Html =>
  html`<div class="table" tabindex="0" role="group" aria-label="${name}"><table>
<thead><tr>${headings.map((heading) =>
    typeof heading === 'string'
      ? html`<th scope="col">${heading}</th>`
      : html`<th scope="col" class="${heading[1]}">${heading[0]}</th>`,
  )}</tr></thead>
<tbody>${rows}</tbody></table></div>`;

/**
 * A block of code. It may be wider than the page. It has a tabindex so that the keyboard can scroll it, and therefore
 * needs a name.
 */
export const codeBlock = (code: string, name: string): Html =>
  html`<pre tabindex="0" role="group" aria-label="${name}"><code>${code}</code></pre>`;

/** A block of code with a copy button if scripts run. */
export const commandBlock = (command: string, name: string): Html =>
  html`<div class="copied">${codeBlock(command, name)}</div>`;

function renderPiece(value: Piece): string {
  if (value === null || value === undefined || value === false) return '';
  if (typeof value === 'string') return escapeHtml(value);
  if (typeof value === 'number') return String(value);
  if ('html' in value) return value.html;
  return value.map(renderPiece).join('');
}
