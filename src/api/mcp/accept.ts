import type { IncomingMessage } from 'node:http';
import Negotiator from 'negotiator';

/** What all clients send that go by the protocol: it need not be taken apart. */
const USUAL = 'application/json, text/event-stream';

/** Whether the client takes JSON. The protocol has clients name streams too; whoever does not gets its answer all the same. */
export const admitsJson = ({ headers }: IncomingMessage): boolean =>
  !headers.accept ||
  headers.accept === USUAL ||
  new Negotiator({ headers }).mediaType(['application/json']) !== undefined;

/** Whether the client asks for a stream of what the server would say by itself. */
export const asksForStream = ({ headers }: IncomingMessage): boolean =>
  /(?:^|,)\s*text\/event-stream\s*(?:[;,]|$)/i.test(headers.accept ?? '');
