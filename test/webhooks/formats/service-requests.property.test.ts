import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { WEBHOOK_EVENT_TYPES } from '../../../src/domain/webhook-types.ts';
import { type Alert, type AlertLine, textOf } from '../../../src/webhooks/formats/alert.ts';
import { alertMail } from '../../../src/webhooks/formats/alert-mail.ts';
import { encodeHeaderText } from '../../../src/webhooks/formats/header-text.ts';
import { requestedWait, serviceRequest } from '../../../src/webhooks/formats/service-request.ts';
import { alertBody, mergeBodies, parseAlertBody } from '../../../src/webhooks/formats/stored-alert.ts';
import {
  DISCORD_PATH,
  decodeHeader,
  isTelegramHtml,
  judgeDiscord,
  judgeNtfy,
  judgeSlack,
  judgeTelegram,
  NTFY_PATH,
  SLACK_PATH,
  TELEGRAM_PATH,
} from '../../support/alerts/service-doubles.ts';

const hostile = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc.constantFrom(
    '<b>&"\'',
    '@everyone <@1> <!channel>',
    '\r\nBcc: x@y.example',
    '=?UTF-8?B?x?=',
    '*_~`|>',
    '\ud800x',
    '🏈',
  ),
  fc.nat(6000).map((length) => '&'.repeat(length)),
  fc.nat(3000).map((length) => '🏈'.repeat(length)),
  fc.nat(9000).map((length) => 'ä'.repeat(length)),
);
const text = fc.array(hostile, { maxLength: 4 }).map((parts) => parts.join(''));
const line: fc.Arbitrary<AlertLine> = fc.record({
  type: fc.constantFrom(...WEBHOOK_EVENT_TYPES, 'test' as const),
  event: fc.option(text),
  eventId: fc.option(fc.nat()),
  text,
  at: fc.constant('2026-11-28T18:04:05.000Z'),
  isUrgent: fc.boolean(),
});
const alert: fc.Arbitrary<Alert> = fc
  .tuple(fc.array(line, { minLength: 1, maxLength: 10 }), fc.nat(500))
  .map(([lines, more]) => ({ lines, count: lines.length + more }));

const BASE = 'https://sports.example';
const received = (url: string, { headers, body }: ReturnType<typeof serviceRequest>) => ({
  method: 'POST',
  url,
  headers: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value])),
  body: Buffer.from(body),
});

describe('whatever a change says, a service takes it', () => {
  it.each([
    ['discord', judgeDiscord, DISCORD_PATH],
    ['slack', judgeSlack, SLACK_PATH],
    ['telegram', judgeTelegram, TELEGRAM_PATH],
    ['ntfy', judgeNtfy, NTFY_PATH],
  ] as const)('%s', (format, judge, path) => {
    fc.assert(
      fc.property(alert, (given) => {
        const request = serviceRequest(format, textOf(given, BASE));
        expect(judge(received(path, request))).toBeUndefined();
        // The same alert is the same bytes in every attempt.
        expect(serviceRequest(format, textOf(given, BASE))).toEqual(request);
      }),
    );
  });

  it('Discord notifies nobody by a name', () => {
    fc.assert(
      fc.property(alert, (given) => {
        const { body } = serviceRequest('discord', textOf(given, BASE));
        expect(JSON.parse(body).allowed_mentions).toEqual({ parse: [] });
      }),
    );
  });

  it('Slack and Telegram read no markup in what a change says', () => {
    fc.assert(
      fc.property(alert, (given) => {
        const text = textOf(given, BASE);
        const { text: ofSlack } = JSON.parse(serviceRequest('slack', text).body);
        // The only link is that of the event.
        expect(ofSlack.match(/</g)).toHaveLength(1);
        const { text: ofTelegram } = JSON.parse(serviceRequest('telegram', text).body);
        expect(ofTelegram.match(/</g)).toHaveLength(4);
      }),
    );
  });
});

describe('a mail', () => {
  it('has one line of subject, escaped HTML, and both ways to end it', () => {
    fc.assert(
      fc.property(alert, (given) => {
        const mail = alertMail(textOf(given, BASE), { to: 'ann@a.example', endUrl: `${BASE}/alerts/end?token=v1.x&y` });
        expect(mail.subject).not.toMatch(/[\r\n]/);
        expect(mail.subject.length).toBeLessThanOrEqual(150);
        expect(mail.html!.match(/<(?!\/?(?:html|head|meta|title|body|h1|p|a|br)\b|!doctype)/)).toBeNull();
        expect(mail.oneClickEnd).toBe(`${BASE}/alerts/end?token=v1.x&y`);
        expect(mail.text).toContain(mail.oneClickEnd);
        expect(mail.html).toContain('token=v1.x&amp;y');
      }),
    );
  });
});

describe('a header', () => {
  it('holds any text in ASCII, in words of 75 characters at most, and reads as it was', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 100 }), (given) => {
        const encoded = encodeHeaderText(given);
        expect(encoded).toMatch(/^[\x20-\x7e]*$/);
        expect(decodeHeader(encoded)).toBe(given);
      }),
    );
  });
});

describe('several changes', () => {
  it('are counted, and the first ones are told', () => {
    fc.assert(
      fc.property(fc.array(line, { minLength: 1, maxLength: 30 }), (lines) => {
        const bodies = lines.map((one) => alertBody(one));
        const merged = parseAlertBody(bodies.reduce(mergeBodies));
        expect(merged).toEqual({ lines: JSON.parse(JSON.stringify(lines.slice(0, 10))), count: lines.length });
      }),
    );
  });

  it('say how many they are: "3 changes:"', () => {
    const one: AlertLine = { ...fc.sample(line, 1)[0]!, event: 'A at B', text: 'x → y' };
    const told = textOf({ lines: [one, one, one], count: 12 }, BASE).lines;
    expect(told).toEqual(['12 changes:', ...Array(3).fill('• x → y (18:04 UTC)'), '… and 9 more']);
  });

  it('for a program are one message with all of them', () => {
    const body = (n: number) => JSON.stringify({ type: 'score', timestamp: `t${n}`, data: { event_id: 5, n } });
    const merged = JSON.parse([1, 2, 3].map(body).reduce(mergeBodies));
    expect(merged).toEqual({
      type: 'changes',
      timestamp: 't3',
      data: { event_id: 5, count: 3, changes: [1, 2, 3].map((n) => JSON.parse(body(n))) },
    });
  });
});

describe('the wait of a 429', () => {
  it.each([
    ['discord', '{"message":"You are being rate limited.","retry_after":64.57,"global":false}', 65],
    ['telegram', '{"ok":false,"error_code":429,"parameters":{"retry_after":14}}', 14],
    ['slack', '{"retry_after":9}', undefined],
    ['discord', 'not json', undefined],
    ['discord', 'null', undefined],
    ['telegram', '{"parameters":null}', undefined],
    ['discord', '{"retry_after":"9"}', undefined],
    ['discord', '{"retry_after":-1}', undefined],
  ])('of %s in %s is %s seconds', (format, body, seconds) => {
    expect(requestedWait(format, body)).toBe(seconds);
  });
});

it('the double of Telegram knows wrong HTML', () => {
  expect(['<b>x', 'a < b', '&nbsp;', '<i>x</b>'].map(isTelegramHtml)).toEqual([false, false, false, false]);
});
