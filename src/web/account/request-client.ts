import type { IncomingMessage } from 'node:http';
import type { Client } from '../../accounts/users/user.ts';
import type { ClientAddress } from '../../api/http/client-address.ts';

const MOST_USER_AGENT = 300;

/** Where a browser's request came from. */
export const clientOf = (request: IncomingMessage, addressOf: ClientAddress): Client => ({
  ip: addressOf(request),
  userAgent: (request.headers['user-agent'] ?? '').slice(0, MOST_USER_AGENT),
});
