import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Message } from './messages.ts';
import { startServer } from './server.ts';
import { minute, RESOURCES, story } from './story.ts';

/** What the server answers in the end, but for when it learned it. */
async function answersAfter(...batches: readonly (readonly Message[])[]): Promise<unknown> {
  const server = await startServer({ now: minute(400) });
  for (const batch of batches) {
    const { rejected, errors } = await server.report(batch);
    expect([rejected, errors]).toEqual([0, []]);
  }
  const id = await server.eventId('feed', 's');
  const answers = await Promise.all(
    RESOURCES.map(async (path) => {
      const { status, body } = await server.ask(`/v1/events/${id}${path}`);
      return [path, status, body.error ? null : { ...body, updated_at: null }];
    }),
  );
  const directory = await Promise.all(['/v1/teams', '/v1/players'].map((path) => server.get(path)));
  await server.close();
  return { answers, directory };
}

describe('Same message, same log', () => {
  const [first, ...rest] = story('s', 'Story Home', 'Story Away');

  it('whatever the order of arrival, the final state is that of the order of at', async () => {
    const expected = await answersAfter([first!, ...rest]);
    await fc.assert(
      fc.asyncProperty(fc.shuffledSubarray(rest, { minLength: rest.length }), async (shuffled) => {
        expect(await answersAfter([first!, ...shuffled])).toEqual(expected);
      }),
      { numRuns: 8, seed: 7 },
    );
  });

  it('sending a file twice leaves the log as sending it once does', async () => {
    const server = await startServer({ now: minute(400) });
    const messages = [first!, ...rest];
    await server.report(messages);
    const before = (await server.get('/v1/health')).log.position;
    const { received, unchanged } = await server.report(messages);
    expect([unchanged, (await server.get('/v1/health')).log.position]).toEqual([received, before]);
    await server.close();
  });

  it('batches make no difference', async () => {
    const whole = await answersAfter([first!, ...rest]);
    expect(await answersAfter([first!], ...rest.map((message) => [message]))).toEqual(whole);
  });
});
