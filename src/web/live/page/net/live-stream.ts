import type { LiveStreamEvent } from '../../answers/live-page-answers.ts';
import {
  CONNECTING,
  type ConnectionInput,
  type ConnectionState,
  nextConnection,
  retryDelay,
} from '../view-model/connection.ts';

interface StreamListener<Shown> {
  /** The stream is open. From this moment of the server's clock it sends all changes of its day. */
  opened(hello: { readonly generated_at: string; readonly date: string }): void;
  event(event: Shown): void;
  connection(state: ConnectionState): void;
}

/** What a page hears of beside the day: the name of its messages, and how it asks for them. */
interface Followed {
  readonly message: LiveStreamEvent;
  readonly query: Readonly<Record<string, string>>;
}

/** A page hidden for longer reconnects its stream: the machine may have slept. */
const MAX_HIDDEN_MS = 60_000;

/**
 * The page's only stream. It reconnects by itself, with growing delays, and at once if the network returns or the page
 * becomes visible.
 */
export class LiveStream<Shown> {
  #listener: StreamListener<Shown>;
  #followed: Followed;
  #source: EventSource | null = null;
  /** Null for the nearest day with events; undefined until a day is followed. */
  #date: string | null | undefined;
  #state: ConnectionState = CONNECTING;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #hiddenAt: number | null = null;

  constructor(listener: StreamListener<Shown>, followed: Followed = { message: 'board', query: {} }) {
    this.#listener = listener;
    this.#followed = followed;
    addEventListener('online', () => this.#hope());
    addEventListener('offline', () => this.#failed());
    document.addEventListener('visibilitychange', () => this.#visibilityChanged());
  }

  /**
   * Follows a day in place of the present one; null for the nearest day with events. False if that day is followed
   * already.
   */
  follow(date: string | null): boolean {
    if (date === this.#date) return false;
    this.#date = date;
    this.#connect();
    return true;
  }

  #connect(): void {
    clearTimeout(this.#timer);
    this.#source?.close();
    if (this.#date === undefined) return;
    const query = new URLSearchParams({
      ...(this.#date === null ? {} : { date: this.#date }),
      ...this.#followed.query,
    }).toString();
    const source = new EventSource(query === '' ? '/live/stream' : `/live/stream?${query}`);
    this.#source = source;
    const on = (type: LiveStreamEvent, listener: (data: string) => void) =>
      source.addEventListener(type, (message) => {
        if (source === this.#source) listener((message as MessageEvent<string>).data);
      });
    on('hello', (data) => {
      const hello = JSON.parse(data) as { generated_at: string; date: string };
      this.#date = hello.date;
      this.#move({ type: 'opened' });
      this.#listener.opened(hello);
    });
    on(this.#followed.message, (data) => this.#listener.event(JSON.parse(data) as Shown));
    on('reconnect', () => this.#again({ type: 'asked to reconnect' }));
    source.addEventListener('error', () => {
      if (source === this.#source) this.#failed();
    });
  }

  #failed(): void {
    this.#again({ type: 'failed', online: navigator.onLine });
  }

  #again(input: ConnectionInput): void {
    this.#source?.close();
    this.#source = null;
    this.#move(input);
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#connect(), retryDelay(this.#state, Math.random()));
  }

  #hope(): void {
    if (this.#state.connection !== 'live') this.#connect();
  }

  #visibilityChanged(): void {
    if (document.hidden) {
      this.#hiddenAt = Date.now();
      return;
    }
    const hidden = this.#hiddenAt === null ? 0 : Date.now() - this.#hiddenAt;
    this.#hiddenAt = null;
    if (hidden > MAX_HIDDEN_MS) this.#connect();
    else this.#hope();
  }

  #move(input: ConnectionInput): void {
    this.#state = nextConnection(this.#state, input);
    this.#listener.connection(this.#state);
  }
}
