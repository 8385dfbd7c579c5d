import { connect } from 'node:net';
import { expect } from 'vitest';
import { chargesIn } from '../../accounts/recorded-calls.ts';
import type { Answer } from '../spec/server.ts';
import type { AgentServer } from './serving.ts';

type Headed = { readonly headers: Headers };

const numberOf = ({ headers }: Headed, name: string): number | null => {
  const value = headers.get(name);
  return value === null ? null : Number(value);
};

/** What the headers of an answer tell of limits and credits; null where one is not there. */
export const metersOf = (answer: Headed) => ({
  limit: numberOf(answer, 'x-ratelimit-limit'),
  left: numberOf(answer, 'x-ratelimit-remaining'),
  /** Seconds. */
  reset: numberOf(answer, 'x-ratelimit-reset'),
  used: numberOf(answer, 'x-credits-used'),
  credits: numberOf(answer, 'x-credits-remaining'),
  retryAfter: numberOf(answer, 'retry-after'),
});

/** Status and code of an error, 200 and such alone. */
export const outcomeOf = ({ status, body }: Pick<Answer, 'status' | 'body'>): string =>
  status < 400 ? String(status) : `${status} ${body?.error?.code}`;

/** What is left of a key's window and of its account's credits. The look counts in the window, and costs nothing. */
export async function look(server: AgentServer, key: string) {
  const { body, ...answer } = await server.ask('/api/agent/credits', { key });
  expect(answer.status).toBe(200);
  return { left: metersOf(answer).left, credits: body.total_remaining as number | null };
}

/** What the ledger of an account holds of a request: its charges. */
export async function chargesOf(server: AgentServer, accountId: number, requestId: string): Promise<number[]> {
  await server.credits.flush();
  const records = await server.log.readStream(`account-${accountId}`);
  const charges = chargesIn(records).filter((charge) => charge.requestId === requestId);
  return charges.map(({ credits }) => credits);
}

/** Two invoices of the account are declined. */
export async function declineInvoices(
  server: AgentServer,
  accountId: number,
  hostedInvoiceUrl: string | null = null,
): Promise<void> {
  for (const number of [1, 2]) {
    const invoice = `invoice-${accountId}-${number}`;
    await server.billing.invoices.record(accountId, { kind: 'declined', invoice, hostedInvoiceUrl });
  }
}

/** Puts a card of the development adapter on file. */
export const putCard = (server: AgentServer, accountId: number, card: 'ok' | 'declined'): Promise<void> =>
  server.billingRegistry.putOnFile(accountId, 'development', {
    customer: `development-${accountId}`,
    paymentMethod: card,
  });

/** Buys a pack of 5,000 credits. */
export async function buyPack(server: AgentServer, key: string, accountId: number): Promise<void> {
  await putCard(server, accountId, 'ok');
  const { status } = await server.post('/api/agent/credits/topup', { pack_id: 1 }, { key });
  expect(status).toBe(200);
}

export interface HeldRequest {
  /** Sends the body, and gives back the status. */
  finish(): Promise<number>;
  /** Goes away without a word. */
  leave(): void;
}

const BODY = '{"event_ids":[987654]}';

/**
 * A request whose head the server has read, and whose body is still to come: the server has said that it may. By then
 * it has its place, since the server has asked nobody else: the key must have been used just before.
 */
export function holdRequest(server: AgentServer, key: string): Promise<HeldRequest> {
  return new Promise((resolve, reject) => {
    const socket = connect(server.port, '127.0.0.1');
    let received = '';
    let told: (status: number) => void;
    const status = new Promise<number>((done) => {
      told = done;
    });
    const held: HeldRequest = {
      finish() {
        socket.write(BODY);
        return status;
      },
      leave: () => void socket.destroy(),
    };
    socket.on('data', (chunk) => {
      received += chunk.toString('latin1');
      if (received === 'HTTP/1.1 100 Continue\r\n\r\n') return resolve(held);
      const answered = /^HTTP\/1.1 (\d+)/m.exec(received.replace(/^HTTP\/1.1 100[^\r]*\r\n\r\n/, ''));
      if (!answered) return;
      resolve(held);
      told(Number(answered[1]));
    });
    socket.on('error', reject);
    socket.write(
      [
        'POST /v1/events/batch HTTP/1.1',
        'Host: x',
        `Authorization: Bearer ${key}`,
        'Content-Type: application/json',
        `Content-Length: ${BODY.length}`,
        'Expect: 100-continue',
        'Connection: close',
        '\r\n',
      ].join('\r\n'),
    );
  });
}
