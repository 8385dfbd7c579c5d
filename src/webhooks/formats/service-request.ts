import type { ServiceFormat } from '../../domain/alerts/alert-formats.ts';
import type { AlertText } from './alert.ts';
import { discordMessage } from './discord-message.ts';
import { ntfyMessage } from './ntfy-message.ts';
import { slackMessage } from './slack-message.ts';
import { telegramMessage } from './telegram-message.ts';

/** What is POSTed to a service. */
export interface ServiceRequest {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

const json = (value: unknown): ServiceRequest => ({
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(value),
});

const RENDERERS: Readonly<Record<ServiceFormat, (text: AlertText) => ServiceRequest>> = {
  discord: (text) => json(discordMessage(text)),
  slack: (text) => json(slackMessage(text)),
  telegram: (text) => json(telegramMessage(text)),
  ntfy(text) {
    const { headers, body } = ntfyMessage(text);
    return { headers: { ...headers, 'content-type': 'text/plain; charset=utf-8' }, body };
  },
};

/** The request that tells a service of an alert. The same alert gives the same bytes. */
export const serviceRequest = (format: ServiceFormat, text: AlertText): ServiceRequest => RENDERERS[format](text);

/**
 * The seconds that a service asks to wait for in the body of a 429, rounded up; undefined if it asks for none there.
 * Discord says `retry_after`, Telegram `parameters.retry_after`.
 */
export function requestedWait(format: string, body: string | undefined): number | undefined {
  if (body === undefined || (format !== 'discord' && format !== 'telegram')) return undefined;
  let answer: {
    readonly retry_after?: unknown;
    readonly parameters?: { readonly retry_after?: unknown } | null;
  } | null;
  try {
    answer = JSON.parse(body);
  } catch {
    return undefined;
  }
  const seconds = format === 'discord' ? answer?.retry_after : answer?.parameters?.retry_after;
  return typeof seconds === 'number' && seconds >= 0 && Number.isFinite(seconds) ? Math.ceil(seconds) : undefined;
}
