import type { IncomingMessage } from 'node:http';
import type { ClientAddress } from '../http/client-address.ts';
import type { Client } from '../users/user.ts';

const MOST_USER_AGENT = 300;

/** Where a browser's request came from. */
export const clientOf = (request: IncomingMessage, addressOf: ClientAddress): Client => ({
  ip: addressOf(request),
  userAgent: (request.headers['user-agent'] ?? '').slice(0, MOST_USER_AGENT),
});
