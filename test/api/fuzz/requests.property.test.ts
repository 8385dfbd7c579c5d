import { afterAll, beforeAll, expect, it } from 'vitest';
import { introductions, messageOf } from '../../system/properties/world.ts';
import { exchange, requestOf } from './http-requests.ts';
import { FUZZ_RUNS, FUZZ_SEED, randomOf } from './random.ts';
import { type ServedAll, serveAll } from './serving.ts';

let served: ServedAll;
beforeAll(async () => {
  served = await serveAll();
  const random = randomOf(1);
  const draws = Array.from({ length: 300 }, () => ({
    kind: random.below(20),
    event: random.below(6),
    source: random.below(5),
    at: random.below(14),
    variant: random.below(64),
    other: random.below(64),
    turned: random.chance(0.5),
  }));
  await served.server.accept([...introductions(), ...draws.map(messageOf)]);
  await served.server.projected();
});
afterAll(() => served.close());

const LONG = 60_000 + FUZZ_RUNS * 20;
/** Of statuses that Node gives before a request can be read; they have no body. */
const BARE = new Set([408, 413, 417, 431]);
const STATUS = /^HTTP\/1\.1 (\d{3}) /;

/** The first answer; whatever the rest of the bytes was taken for comes behind it. */
function firstAnswer(
  bytes: Buffer,
): { readonly status: number; readonly head: string; readonly body: string } | undefined {
  const text = bytes.toString('latin1').replace(/^(?:HTTP\/1\.1 (?:100 Continue|102 Processing)\r\n\r\n)+/, '');
  if (text === '') return undefined;
  const end = text.indexOf('\r\n\r\n') + 4;
  const head = text.slice(0, end);
  const length = Number(/\r\ncontent-length: (\d+)\r\n/i.exec(head)?.[1] ?? 0);
  const body = Buffer.from(text.slice(end, end + length), 'latin1').toString('utf8');
  return { status: Number(STATUS.exec(head)?.[1]), head, body };
}

function checkAnswer(method: string, bytes: Buffer): void {
  const answer = firstAnswer(bytes);
  // Nothing at all: the request ended before it was one, and nobody was there any more.
  if (answer === undefined) return;
  const { status, head, body } = answer;
  expect(status >= 200 && status < 500 ? 'typed' : head + body.slice(0, 300)).toBe('typed');
  if (status < 400 || method === 'HEAD' || (body === '' && BARE.has(status))) return;
  // Whoever asks for HTML at a path that nobody has is told in a page.
  if (/\r\ncontent-type: text\/html/i.test(head)) {
    const [, requestId] = /\r\nx-request-id: ([^\r]+)\r\n/i.exec(head)!;
    expect(body).toContain(`Status ${status}. Request ${requestId}.`);
    return;
  }
  const refusal = JSON.parse(body) as { error?: object; received?: number };
  if (refusal.error) {
    const text = expect.any(String);
    expect(refusal.error).toMatchObject({ status, code: text, message: text, request_id: text });
  } else {
    // The outcome report of a batch that was refused whole.
    expect(refusal).toMatchObject({
      received: expect.any(Number),
      rejected: refusal.received,
      errors: expect.any(Array),
    });
  }
}

it(
  'answers every request, however broken, with something typed, and goes on',
  async () => {
    let answered = 0;
    for (let run = 0; run < FUZZ_RUNS; run++) {
      const seed = FUZZ_SEED + run;
      const { method, bytes } = requestOf(randomOf(seed), served.key);
      const answer = await exchange(served.port, bytes);
      if (answer.length > 0) answered++;
      try {
        checkAnswer(method, answer);
        if (run % 250 === 0) expect(await served.known()).toBe(true);
      } catch (error) {
        throw new Error(`FUZZ_SEED=${seed} FUZZ_RUNS=1: ${bytes.subarray(0, 2000).toString('latin1')}`, {
          cause: error,
        });
      }
    }
    expect(await served.known()).toBe(true);
    expect(answered).toBeGreaterThan(FUZZ_RUNS * 0.9);
    expect(served.logged).toEqual([]);
  },
  LONG,
);
