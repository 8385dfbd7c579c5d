import { describe, expect, it } from 'vitest';
import { newWorld, SECOND, scriptedClient, status } from './dispatcher-harness.ts';

describe('a delivery of an account that is suspended', () => {
  it('is skipped, which says nothing of the endpoint; those of later, when it is active again, are sent', async () => {
    const world = await newWorld();
    const id = await world.subscribe({ accountId: 1, eventTypes: ['injury'] });
    const other = await world.subscribe({ accountId: 2, eventTypes: ['injury'] });
    const { client, sent } = scriptedClient(world.clock, () => status(200));
    let suspended = 1;
    world.dispatch({ client, isSuspended: async (accountId) => accountId === suspended });
    await world.publish(id, { eventType: 'injury', webhookId: 'a' });
    await world.publish(other, { eventType: 'injury', webhookId: 'b' });
    await world.clock.pass(3600 * SECOND);
    suspended = 0;
    await world.publish(id, { eventType: 'injury', webhookId: 'c' });
    await world.clock.pass(3600 * SECOND);
    expect(sent.map(({ webhookId }) => webhookId)).toEqual(['b', 'c']);
    const [skipped] = await world.rows(id);
    expect(skipped).toMatchObject({ success: false, error: 'account_suspended', givenUp: false, nextRetryAt: null });
    expect(await world.store.find(id)).toMatchObject({ failingSince: null });
  });
});
