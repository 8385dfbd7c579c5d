import { escapeHtml } from '../../domain/primitives/html-text.ts';
import type { Mail } from '../../platform/mail/mail.ts';
import type { AlertText } from './alert.ts';
import { clipText } from './clip-text.ts';

/** Characters. */
const MAX_SUBJECT = 150;
const MAX_TEXT = 20_000;

interface MailTerms {
  /** The account's own verified address. */
  readonly to: string;
  /** Ends the alert: a page for people, and one click for their mail programs (RFC 8058). */
  readonly endUrl: string;
}

/** An alert as a mail, in text and in HTML. */
export function alertMail({ title, lines, link }: AlertText, { to, endUrl }: MailTerms): Mail {
  const text = clipText(lines.join('\n'), MAX_TEXT);
  return {
    to,
    subject: clipText(`${title}: ${lines[0]}`, MAX_SUBJECT),
    text: `${title}\n\n${text}\n\n${link}\n\n-- \nLedgerline\nEnd this alert: ${endUrl}\n`,
    html: `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>${escapeHtml(title)}</title></head><body>
<h1>${escapeHtml(title)}</h1>
<p>${text.split('\n').map(escapeHtml).join('<br>\n')}</p>
<p><a href="${escapeHtml(link)}">Open the event</a></p>
<p><a href="${escapeHtml(endUrl)}">End this alert</a></p>
</body></html>
`,
    oneClickEnd: endUrl,
  };
}
