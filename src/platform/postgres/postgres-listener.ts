import { Client } from 'pg';

const CONNECT_MS = 1500;
const RECONNECT_AFTER_MS = 1000;

interface ListenerParts {
  /** With the parameters that the driver accepts. */
  readonly url: string;
  /** Only letters and underscores. */
  readonly channel: string;
  /** The payload of a notification; undefined: a new connection, so notifications may have been missed. */
  readonly onNotification: (payload: string | undefined) => void;
}

/**
 * Listens to notifications on a connection of its own, which reconnects after a loss. Notifications may be missed: they
 * only speed up what polling would find.
 * @returns ends it; resolves when its connection is closed
 */
export function listenToChannel({ url, channel, onNotification }: ListenerParts): () => Promise<void> {
  let isClosed = false;
  let client: Client | undefined;
  let cancelTimer = (): void => {};

  async function connect(): Promise<void> {
    const made = new Client({
      connectionString: url,
      application_name: 'ledgerline',
      connectionTimeoutMillis: CONNECT_MS,
      keepAlive: true,
      query_timeout: CONNECT_MS,
    });
    client = made;
    let isOver = false;
    const lost = (): void => {
      if (isOver) return;
      isOver = true;
      void made.end().catch(() => {});
      again();
    };
    made.on('error', lost);
    made.on('end', lost);
    made.on('notification', ({ payload }) => onNotification(payload ?? ''));
    try {
      await made.connect();
      await made.query(`listen ${channel}`);
      if (!isClosed) onNotification(undefined);
    } catch {
      lost();
    }
  }

  function again(): void {
    if (isClosed) return;
    const timer = setTimeout(() => void connect(), RECONNECT_AFTER_MS);
    timer.unref();
    cancelTimer = () => clearTimeout(timer);
  }

  void connect();
  return async () => {
    isClosed = true;
    cancelTimer();
    await client?.end().catch(() => {});
  };
}
