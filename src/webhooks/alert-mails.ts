import type { SecretBox } from '../api/calls/secret-box.ts';
import type { Mail, Outbox } from '../platform/mail/mail.ts';
import type { MailAlert } from './dispatching/deliver-message.ts';
import { alertMail } from './formats/alert-mail.ts';
import { maskAddress } from './formats/service-address.ts';
import { failedDelivery } from './http/delivery-outcome.ts';
import type { EndedSubscription, EndReason, WebhookStore } from './store/webhook-store.ts';

interface AlertMailsParts {
  readonly store: Pick<WebhookStore, 'find' | 'end' | 'endedToMail' | 'markTold'>;
  /** Opened after the webhooks. */
  readonly outbox: () => Outbox;
  /** The verified address of the account's user; undefined: there is none. */
  readonly addressOf: (accountId: number) => Promise<string | undefined>;
  /** Seals the tokens that end mails. */
  readonly secrets: SecretBox;
  /** The server's public address, without a trailing slash. */
  readonly baseUrl: () => string;
  /** Milliseconds. */
  readonly now: () => number;
  readonly onError: (error: unknown) => void;
}

/** Mails of subscriptions: alerts themselves, and what owners are told of their subscriptions. */
export interface AlertMails {
  readonly mail: MailAlert;
  /** Mails owners of subscriptions that have ended by themselves. Never rejects: what failed is done the next time. */
  mailOwnersOfEnded(): Promise<void>;
  /** Ends the subscription of a link in a mail. @returns whether the token is one of this server */
  endByToken(token: string): Promise<boolean>;
  /** Whether a token is one of this server. */
  isToken(token: string): boolean;
}

export const MAILTO = 'mailto:';
const TOLD_AT_ONCE = 100;
const TOKEN_USE = 'the end of an alert';

export function createAlertMails(parts: AlertMailsParts): AlertMails {
  const { store, outbox, addressOf, secrets, baseUrl, now, onError } = parts;
  let telling: Promise<void> = Promise.resolve();

  /** @returns the subscription's id; undefined for a token of another server, or none at all */
  function read(token: string): number | undefined {
    try {
      return Number(secrets.open(token, TOKEN_USE));
    } catch {
      return undefined;
    }
  }

  async function tell(): Promise<void> {
    for (;;) {
      const ended = await store.endedToMail(TOLD_AT_ONCE);
      for (const subscription of ended) {
        const to = await addressOf(subscription.accountId);
        // With the same id: after a crash in between the mail is not added twice while it waits.
        if (to !== undefined) await outbox().add(endedMail(to, subscription, baseUrl()), `ended-${subscription.id}`);
        await store.markTold([subscription.id], now());
      }
      if (ended.length < TOLD_AT_ONCE) return;
    }
  }

  return {
    async mail({ id, accountId, url }, { webhookId }, text) {
      const to = await addressOf(accountId);
      if (to === undefined || url !== MAILTO + to) {
        return failedDelivery('no_address', 'the address is not the verified one of the account any more');
      }
      const endUrl = `${baseUrl()}/alerts/end?token=${secrets.seal(String(id), TOKEN_USE)}`;
      await outbox().add(alertMail(text, { to, endUrl }), webhookId);
      return { kind: 'mailed' };
    },
    mailOwnersOfEnded() {
      // One after the other: what ends while one run reads is found by the next one.
      telling = telling.then(tell).catch(onError);
      return telling;
    },
    isToken: (token) => read(token) !== undefined,
    async endByToken(token) {
      const id = read(token);
      if (id === undefined) return false;
      await store.end(id, 'unsubscribed', now());
      return true;
    },
  };
}

const REASONS: Readonly<Record<EndReason, string>> = {
  refused: 'Its service has refused three messages in a row: the address, or its token, is no longer good.',
  gone: 'Its address has answered that it is gone (410).',
  failing: 'Its address has taken no message for five days.',
  unsubscribed: 'It was ended by a link in one of its mails.',
};

function endedMail(to: string, { id, format, url, reason }: EndedSubscription, baseUrl: string): Mail {
  const [name, again] =
    format === 'ledgerline'
      ? [
          'webhook',
          'Once the address answers again, make it again with POST /v1/webhooks; GET /v1/changes has what it missed.',
        ]
      : ['alert', `Make it again here:\n\n${baseUrl}/alerts/new`];
  return {
    to,
    subject: `${name === 'alert' ? 'An alert' : 'A webhook'} has ended`,
    text: `Your ${name} ${id} has ended, and sends nothing more.

${format}: ${maskAddress(format, url)}

${REASONS[reason]}

${again}

-- 
Ledgerline
`,
  };
}
