import type { IncomingMessage } from 'node:http';
import { ANONYMOUS_PRINCIPAL, type Principal, type Visitor } from '../../calls/principal.ts';
import { createClientAddressReader, type ReadClientAddress } from './client-address.ts';

const MAX_USER_AGENT_LENGTH = 300;

/** The address and user agent that a request came from. */
export const readVisitor = (request: IncomingMessage, addressOf: ReadClientAddress): Visitor => ({
  ip: addressOf(request),
  userAgent: (request.headers['user-agent'] ?? '').slice(0, MAX_USER_AGENT_LENGTH),
});

/** The caller of an operation that needs no key. @param trustProxy as `createClientAddressReader` has it */
export function createVisitorReader(trustProxy: readonly string[]): (request: IncomingMessage) => () => Principal {
  const addressOf = createClientAddressReader(trustProxy);
  return (request) => () => ({ ...ANONYMOUS_PRINCIPAL, visitor: readVisitor(request, addressOf) });
}
