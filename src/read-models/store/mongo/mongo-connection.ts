import { type Db, MongoClient } from 'mongodb';
import { realTimer, withTimeout } from '../../../platform/async/timer.ts';
import { ReadStoreUnavailable, toStoreError } from './read-store-unavailable.ts';

export interface MongoAddress {
  /** `mongodb://[USER:PASSWORD@]HOST[:PORT][,...]/[DATABASE][?OPTIONS]`, or `mongodb+srv://` */
  readonly url: string;
  /** Called for each command that is sent. */
  readonly onRoundTrip?: (() => void) | undefined;
}

export interface MongoConnection {
  readonly client: MongoClient;
  readonly database: Db;
  /**
   * What the driver answers. It looks for a server, waits, and tries again, each with a bound of its own; here is the
   * bound of all that. What is not waited for any longer may still take effect.
   * @throws ReadStoreAway where the driver throws anything, or does not answer in time
   */
  request<T>(work: () => Promise<T>): Promise<T>;
  /** Called where a connection has broken: what stands there now may be another server, or an empty one. */
  onDisconnected(listener: () => void): void;
}

const DEFAULT_DATABASE = 'ledgerline';
const ADDRESS = /^mongodb(?:\+srv)?:\/\/[^/?]+(?:\/([^?]*))?(?:\?.*)?$/;
/** Milliseconds: a request is told within five seconds that its store is away. */
const REQUEST_TIMEOUT_MS = 4500;
/** Milliseconds, each of a step of the driver. */
const CONNECT_TIMEOUT_MS = 2000;
const ANSWER_TIMEOUT_MS = 4000;
const HEARTBEAT_MS = 1000;

/**
 * Nothing is connected before something is asked, so that the server may be away at the start.
 * @throws where the address is none; the error does not repeat it, for it may hold a password
 */
export function connectToMongo({ url, onRoundTrip }: MongoAddress): MongoConnection {
  const form = ADDRESS.exec(url);
  if (!form) throw new Error('not an address of a MongoDB server: mongodb://HOST:PORT/DATABASE');
  const client = createClient(url, onRoundTrip !== undefined);
  if (onRoundTrip) client.on('commandStarted', onRoundTrip);
  let connecting: Promise<unknown> | undefined;

  /** The driver gives up for good where its first look finds no server; a second `connect` begins anew. */
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
    ...{ client, request: ask },
    database: client.db(decodeURIComponent(form[1] || DEFAULT_DATABASE)),
    onDisconnected(listener) {
      client.on('connectionPoolCleared', listener);
      // A server that ended and is back before the driver looks again: only its closed connections tell.
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
      // What a minority holds may be undone by the election of another primary.
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
