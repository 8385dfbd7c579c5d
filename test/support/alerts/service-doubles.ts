import type { IncomingHttpHeaders, ServerResponse } from 'node:http';
import { type Endpoint, type Received, serve } from '../../webhooks/local-endpoint.ts';

/**
 * Doubles of Discord, Slack, Telegram and ntfy on this machine: no real service is asked. They refuse what the
 * documentation of each service says that it refuses.
 */

export const DISCORD_PATH = '/api/webhooks/123456789012345678/aBcDeFgHiJkLmNoPqRsTuVwXyZ';
export const SLACK_PATH = '/services/T0001/B0001/XXXXyyyyZZZZ0123';
export const TELEGRAM_PATH = '/bot1234567:AAtoken-of_a_bot0123456789/sendMessage?chat_id=-100200300';
export const NTFY_PATH = '/my-secret-topic-77';

/** Says why the service would refuse the request; undefined: it takes it. */
type Judge = (received: Pick<Received, 'method' | 'url' | 'headers' | 'body'>) => Refusal | undefined;
interface Refusal {
  readonly status: number;
  readonly text: string;
}

const bad = (text: string): Refusal => ({ status: 400, text });
const isText = (value: unknown): value is string => typeof value === 'string';

function jsonOf({ headers, body }: { readonly headers: IncomingHttpHeaders; readonly body: Buffer }): any {
  if (!/^application\/json\b/.test(headers['content-type'] ?? '')) return undefined;
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body));
  } catch {
    return undefined;
  }
}

export const judgeDiscord: Judge = (received) => {
  if (received.url.split('?')[0] !== DISCORD_PATH)
    return { status: 404, text: '{"message":"Unknown Webhook","code":10015}' };
  const sent = jsonOf(received);
  if (!sent) return bad('{"message":"The request body contains invalid JSON.","code":50109}');
  const { content, embeds = [], allowed_mentions: mentions } = sent;
  if (content === undefined && embeds.length === 0) return bad('{"message":"Cannot send an empty message"}');
  if (content !== undefined && (!isText(content) || content.length > 2000))
    return bad('{"content":["Must be 2000 or fewer"]}');
  if (!Array.isArray(embeds) || embeds.length > 10) return bad('{"embeds":["Must be 10 or fewer in length"]}');
  let total = 0;
  for (const { title = '', description = '', url, timestamp } of embeds) {
    if (title.length > 256 || description.length > 4096) return bad('{"embeds":["Must be fewer in length"]}');
    if (url !== undefined && !URL.canParse(url)) return bad('{"embeds":["Not a well formed URL"]}');
    if (timestamp !== undefined && Number.isNaN(Date.parse(timestamp))) return bad('{"embeds":["timestamp"]}');
    total += title.length + description.length;
  }
  if (total > 6000) return bad('{"embeds":["Embed size exceeds maximum size of 6000"]}');
  if (mentions !== undefined && !Array.isArray(mentions.parse)) return bad('{"allowed_mentions":["parse"]}');
  return undefined;
};

export const judgeSlack: Judge = (received) => {
  if (received.url !== SLACK_PATH) return { status: 404, text: 'no_service' };
  const sent = jsonOf(received);
  if (!sent) return bad('invalid_payload');
  if (!isText(sent.text) || sent.text === '') return bad('no_text');
  if (sent.text.length > 40_000) return bad('msg_too_long');
  const { blocks = [] } = sent;
  if (!Array.isArray(blocks) || blocks.length > 50) return bad('invalid_blocks');
  for (const { type, text, elements = [] } of blocks) {
    for (const one of [...(text ? [text] : []), ...elements]) {
      if (!['mrkdwn', 'plain_text'].includes(one.type) || !isText(one.text)) return bad('invalid_blocks');
      if (one.text.length < 1 || one.text.length > 3000) return bad('invalid_blocks');
    }
    if (!['section', 'context'].includes(type)) return bad('invalid_blocks');
  }
  return undefined;
};

const TAG = /<(\/?)(b|i|a|code)(?: href="([^"<>]*)")?>/g;

/** Whether Telegram can parse it as HTML: known tags, closed in order, and only the entities that it knows. */
export function isTelegramHtml(text: string): boolean {
  const open: string[] = [];
  for (const [, isEnd, name, href] of text.matchAll(TAG)) {
    if (isEnd && open.pop() !== name) return false;
    if (!isEnd) open.push(name!);
    if (name === 'a' && !isEnd && !URL.canParse(href ?? '')) return false;
  }
  const rest = text.replaceAll(TAG, '');
  return open.length === 0 && !/[<>]/.test(rest) && !/&(?!(?:lt|gt|amp|quot|#\d+);)/.test(rest);
}

export const judgeTelegram: Judge = (received) => {
  const url = new URL(received.url, 'http://x');
  if (`${url.pathname}${url.search}` !== TELEGRAM_PATH)
    return { status: 404, text: '{"ok":false,"error_code":404,"description":"Not Found"}' };
  const wrong = (description: string) => bad(JSON.stringify({ ok: false, error_code: 400, description }));
  const sent = jsonOf(received);
  if (!sent || !isText(sent.text)) return wrong('Bad Request: message text is empty');
  if (!(sent.chat_id ?? url.searchParams.get('chat_id'))) return wrong('Bad Request: chat_id is empty');
  if (sent.text.trim() === '') return wrong('Bad Request: message text is empty');
  if (sent.text.length > 4096) return wrong('Bad Request: message is too long');
  if (sent.parse_mode === 'HTML' && !isTelegramHtml(sent.text)) return wrong("Bad Request: can't parse entities");
  return undefined;
};

/** The text of a header in encoded words (RFC 2047, base64 alone), as ntfy reads it; undefined if it cannot. */
export function decodeHeader(value: string): string | undefined {
  if (!/^[\x20-\x7e]*$/.test(value)) return undefined;
  let wrong = false;
  const joined = value.replaceAll(/\?=\s+=\?/g, '?==?');
  const text = joined.replaceAll(/=\?([^?]+)\?([BQ])\?([^?]*)\?=/gi, (word, charset, encoding, given) => {
    if (word.length > 75 || charset.toUpperCase() !== 'UTF-8' || encoding.toUpperCase() !== 'B') wrong = true;
    try {
      return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.from(given, 'base64'));
    } catch {
      wrong = true;
      return '';
    }
  });
  return wrong ? undefined : text;
}

export const judgeNtfy: Judge = ({ method, url, headers, body }) => {
  if (url !== NTFY_PATH) return { status: 404, text: '{"code":40401,"http":404,"error":"page not found"}' };
  if (method !== 'POST' && method !== 'PUT') return { status: 405, text: '' };
  // A longer message becomes an attachment, which a server without a cache for them refuses.
  if (body.length > 4096) return bad('{"code":40014,"http":400,"error":"attachments not allowed"}');
  const title = headers['title'];
  if (title !== undefined && decodeHeader(String(title)) === undefined) return bad('{"code":40000,"error":"title"}');
  if (!/^([1-5]|min|low|default|high|max|urgent)$/.test(String(headers['priority'] ?? '3')))
    return bad('{"code":40007,"http":400,"error":"invalid request: priority"}');
  return undefined;
};

export interface ServiceDouble extends Endpoint {
  /** Requests that the service took. */
  readonly taken: readonly Received[];
  readonly refused: readonly { readonly received: Received; readonly refusal: Refusal }[];
  /** Answers so instead, as long as it is set. */
  outage: ((response: ServerResponse) => void) | undefined;
}

const JUDGES = {
  discord: { judge: judgeDiscord, path: DISCORD_PATH, status: 204, text: '' },
  slack: { judge: judgeSlack, path: SLACK_PATH, status: 200, text: 'ok' },
  telegram: { judge: judgeTelegram, path: TELEGRAM_PATH, status: 200, text: '{"ok":true}' },
  ntfy: { judge: judgeNtfy, path: NTFY_PATH, status: 200, text: '{"event":"message"}' },
} as const;

/** A double of a service; its `url` is that of the one webhook, chat or topic that it has. */
export async function serviceDouble(service: keyof typeof JUDGES): Promise<ServiceDouble> {
  const { judge, path, status, text } = JUDGES[service];
  const taken: Received[] = [];
  const refused: { received: Received; refusal: Refusal }[] = [];
  const double: { outage: ServiceDouble['outage'] } = { outage: undefined };
  const endpoint = await serve((response) => {
    const received = endpoint.received.at(-1)!;
    if (double.outage) return double.outage(response);
    const refusal = judge(received);
    if (refusal) refused.push({ received, refusal });
    else taken.push(received);
    response.writeHead(refusal?.status ?? status, { 'content-type': 'application/json' }).end(refusal?.text ?? text);
  });
  return Object.assign(double, endpoint, { url: `http://127.0.0.1:${endpoint.port}${path}`, taken, refused });
}
