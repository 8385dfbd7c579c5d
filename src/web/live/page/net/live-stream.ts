import type { BoardEvent, LiveStreamEvent } from '../../answers/live-page-answers.ts';
import {
  CONNECTING,
  type ConnectionInput,
  type ConnectionState,
  nextConnection,
  retryDelay,
} from '../view-model/connection.ts';

interface StreamListener {
  /** The stream is open: whatever changes on its day after this moment (of the server's clock) is told. */
  opened(hello: { readonly generated_at: string; readonly date: string }): void;
  event(event: BoardEvent): void;
  connection(state: ConnectionState): void;
}

/** How long a page may have been hidden before its stream is not trusted any more: machines sleep. */
const MAX_HIDDEN_MS = 60_000;

/** The one stream of the page. It comes back by itself, with more patience each time, and at once when there is hope. */
export class LiveStream {
  #listener: StreamListener;
  #source: EventSource | null = null;
  /** Null for the day that the server finds nearest; undefined before there is one to follow. */
  #date: string | null | undefined;
  #state: ConnectionState = CONNECTING;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #hiddenAt: number | null = null;

  constructor(listener: StreamListener) {
    this.#listener = listener;
    addEventListener('online', () => this.#hope());
    addEventListener('offline', () => this.#failed());
    document.addEventListener('visibilitychange', () => this.#visibilityChanged());
  }

  /** Follows a day, in place of the one that it followed; null for the nearest one. False where it does so already. */
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
    const source = new EventSource(this.#date === null ? '/live/stream' : `/live/stream?date=${this.#date}`);
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
    on('board', (data) => this.#listener.event(JSON.parse(data) as BoardEvent));
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
