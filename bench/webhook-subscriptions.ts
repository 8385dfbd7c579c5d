import type { Server } from './server.ts';

/** Makes these webhooks one after the other, each at an address of its own at the receivers. */
export async function subscribeWebhooks(
  { port, key }: Server,
  receivers: number,
  subscriptions: readonly object[],
): Promise<void> {
  for (const [n, one] of subscriptions.entries()) {
    const body = JSON.stringify({ ...one, url: `http://127.0.0.1:${receivers}/${n}` });
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
    const answer = await fetch(`http://127.0.0.1:${port}/v1/webhooks`, { method: 'POST', headers, body });
    if (answer.status !== 201) throw new Error(`${answer.status}: ${await answer.text()}`);
    await answer.arrayBuffer();
  }
}
