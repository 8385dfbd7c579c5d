import { type IncomingHttpHeaders, request } from 'node:http';
import { expect } from 'vitest';
import type { GradingPageParts } from '../../../src/web/grade/grading-routes.ts';
import { type Message, NFL, schedule, score } from '../../api/spec/messages.ts';
import { type ComposedOptions, composed } from '../../support/composed.ts';

/** Sunday evening, while the Chiefs play. */
export const NOW = '2026-03-01T20:00:00Z';
export const DAY = 24 * 60 * 60 * 1000;
/** A visitor, as a proxy tells of him. */
export const ONE = '203.0.113.1';
export const OTHER = '203.0.113.2';

/** Of a game that is over, one under way and one ahead. */
export const SLIP = 'Eagles -3.5\nChiefs ML\nCowboys -1.5';

export interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  readonly body: any;
}

export interface Asking {
  readonly from?: string;
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  /** The length is not told before. */
  readonly isChunked?: boolean;
}

const MATCHES: readonly Message[] = [
  schedule(NFL, 'over', ['Philadelphia Eagles', 'New York Giants'], '2026-03-01T15:00:00Z'),
  schedule(NFL, 'now', ['Kansas City Chiefs', 'Buffalo Bills'], '2026-03-01T19:00:00Z'),
  schedule(NFL, 'ahead', ['Dallas Cowboys', 'Chicago Bears'], '2026-03-02T01:20:00Z'),
  score('over', 'final', ['27', '20'], { at: '2026-03-01T18:30:00Z' }),
  score('now', 'inprogress', ['10', '7'], { at: '2026-03-01T19:50:00Z' }),
];

/** The grading page of the server that ships, behind a proxy on this machine. */
export async function serveSheet(options: ComposedOptions & { readonly gradingPage?: Partial<GradingPageParts> } = {}) {
  const { gradingPage, settings, ...more } = options;
  const opened = await composed({
    time: Date.parse(NOW),
    baseUrl: (port) => `http://127.0.0.1:${port}`,
    ...more,
    settings: { trustProxy: ['127.0.0.1'], gradeSheet: true, ...settings },
    replacements: { gradingPage },
  });
  const { core, url } = opened;
  await core.runner.start();

  const feed = async (...messages: readonly Message[]): Promise<void> => {
    const { outcomes } = await core.intake.accept(messages.map((value, index) => ({ line: index + 1, value })));
    expect(outcomes.filter(({ status }) => status !== 'accepted')).toEqual([]);
    await core.projected();
  };

  const ask = (path: string, { from = ONE, method = 'GET', headers = {}, body, isChunked }: Asking = {}) =>
    new Promise<Answer>((resolve, reject) => {
      const length = body === undefined || isChunked ? {} : { 'content-length': String(Buffer.byteLength(body)) };
      const given = { 'x-forwarded-for': from, ...length, ...headers };
      const asked = request(url + path, { method, headers: given, agent: false }, (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('end', () => {
          const text = Buffer.concat(chunks).toString();
          const isJson = response.headers['content-type']?.startsWith('application/json') && text !== '';
          resolve({
            status: response.statusCode!,
            headers: response.headers,
            text,
            body: isJson ? JSON.parse(text) : undefined,
          });
        });
      });
      asked.on('error', reject);
      if (body !== undefined && isChunked) asked.write(body);
      asked.end(isChunked ? undefined : body);
    });

  return {
    ...opened,
    feed,
    feedMatches: () => feed(...MATCHES),
    ask,
    /** As a program asks. */
    post: (body: unknown, asking: Asking = {}) =>
      ask('/grade', {
        method: 'POST',
        body: JSON.stringify(body),
        ...asking,
        headers: { 'content-type': 'application/json', ...asking.headers },
      }),
    /** As the form asks. */
    show: (text: string, asking: Asking = {}) => ask(`/grade?${new URLSearchParams({ text })}`, asking),
  };
}
export type SheetServer = Awaited<ReturnType<typeof serveSheet>>;
