import { type Db, MongoClient } from 'mongodb';
import { realTimer, withTimeout } from '../../../platform/async/timer.ts';
import { ReadStoreUnavailable, toStoreError } from './read-store-unavailable.ts';

export interface MongoAddress {
  /** `mongodb://[USER:PASSWORD@]HOST[:PORT][,...]/[DATABASE][?OPTIONS]`, or `mongodb+srv://` */
  readonly url: string;
  /** Called for each command. */
  readonly onRoundTrip?: (() => void) | undefined;
}

export interface MongoConnection {
  readonly client: MongoClient;
  readonly database: Db;
  /**
   * Runs a request with a timeout over all of it: the driver selects a server, waits and retries, each with a timeout
   * of its own. A request that timed out may still take effect.
   * @throws ReadStoreUnavailable if the driver throws, or does not answer in time
   */
  request<T>(work: () => Promise<T>): Promise<T>;
  /** Called if a connection has broken: the server may be another one now, or empty. */
  onDisconnected(listener: () => void): void;
}

const DEFAULT_DATABASE = 'ledgerline';
const ADDRESS = /^mongodb(?:\+srv)?:\/\/[^/?]+(?:\/([^?]*))?(?:\?.*)?$/;
/** Milliseconds: a client learns within five seconds that the store is unavailable. */
const REQUEST_TIMEOUT_MS = 4500;
/** Milliseconds; timeouts of single steps of the driver. */
const CONNECT_TIMEOUT_MS = 2000;
const ANSWER_TIMEOUT_MS = 4000;
const HEARTBEAT_MS = 5000;
/**
 * After so many milliseconds the server gives up too, before the driver does: it would repeat the command, and the server
 * would go on with one that nobody waits for, beside the next attempt.
 */
export const SERVER_TIMEOUT_MS = 3500;

/**
 * Connects with the first request, so that the server may be unavailable at the start.
 * @throws if the address is invalid; the error does not repeat it, since it may contain a password
 */
export function connectToMongo({ url, onRoundTrip }: MongoAddress): MongoConnection {
  const form = ADDRESS.exec(url);
  if (!form) throw new Error('not an address of a MongoDB server: mongodb://HOST:PORT/DATABASE');
  const client = createClient(url, onRoundTrip !== undefined);
  if (onRoundTrip) client.on('commandStarted', onRoundTrip);
  let connecting: Promise<unknown> | undefined;

  /** The driver gives up for good if its first attempt finds no server; a second `connect` starts again. */
  function connected(): Promise<unknown> {
    connecting ??= client.connect().catch((error: unknown) => {
      connecting = undefined;
      throw error;
    });
    return connecting;
  }

  async function ask<T>(work: () => Promise<T>): Promise<T> {
    try {
      const late = () => new ReadStoreUnavailable('no answer in time');
      return await withTimeout(realTimer, REQUEST_TIMEOUT_MS, connected().then(work), late);
    } catch (error) {
      throw toStoreError(error);
    }
  }

  return {
    client,
    request: ask,
    database: client.db(decodeURIComponent(form[1] || DEFAULT_DATABASE)),
    onDisconnected(listener) {
      client.on('connectionPoolCleared', listener);
      // If a server restarts before the driver checks again, only the closed connections show it.
      client.on('connectionClosed', ({ reason }) => {
        if (reason === 'error') listener();
      });
    },
  };
}

function createClient(url: string, monitorCommands: boolean): MongoClient {
  try {
    return new MongoClient(url, {
      appName: 'ledgerline',
      useBigInt64: true,
      retryReads: true,
      retryWrites: true,
      // Data on a minority of the members may be lost when another primary is elected.
      readPreference: 'primary',
      readConcern: { level: 'majority' },
      writeConcern: { w: 'majority', wtimeoutMS: ANSWER_TIMEOUT_MS },
      connectTimeoutMS: CONNECT_TIMEOUT_MS,
      serverSelectionTimeoutMS: CONNECT_TIMEOUT_MS,
      heartbeatFrequencyMS: HEARTBEAT_MS,
      waitQueueTimeoutMS: CONNECT_TIMEOUT_MS,
      socketTimeoutMS: ANSWER_TIMEOUT_MS,
      monitorCommands,
    });
  } catch (error) {
    const reason = error instanceof Error ? error.name : 'unknown';
    throw new Error(`not an address of a MongoDB server: its options are not understood (${reason})`);
  }
}
