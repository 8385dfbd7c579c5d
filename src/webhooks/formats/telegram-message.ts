import { escapeHtml } from '../../domain/primitives/html-text.ts';
import type { AlertText } from './alert.ts';
import { clipText } from './clip-text.ts';

/** Characters, counted before Telegram reads the markup: https://core.telegram.org/bots/api#sendmessage */
const MAX_TEXT = 4096;
const MAX_TITLE = 256;

/** The body for `sendMessage`; the address names the chat. */
export function telegramMessage({ title, lines, link }: AlertText) {
  const head = `<b>${clipText(title, MAX_TITLE, undefined, escapeHtml)}</b>`;
  const end = `<a href="${escapeHtml(link)}">Open the event</a>`;
  const room = MAX_TEXT - head.length - end.length - 2;
  const text = clipText(lines.join('\n'), room, undefined, escapeHtml);
  return { text: `${head}\n${text}\n${end}`, parse_mode: 'HTML' };
}
