import type { IncomingMessage } from 'node:http';
import { LEDGERLINE_POSITION } from '../calls/log-positions.ts';

const NAME = LEDGERLINE_POSITION.toLowerCase();

/** What the answer must show; several are joined by Node, as the client may do itself. */
export const positionIn = ({ headers }: IncomingMessage): string | undefined => headers[NAME] as string | undefined;
