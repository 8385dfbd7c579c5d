import { signal } from '@preact/signals';
import type { BoardEvent } from '../../live-answers.ts';
import { AnswerError, fetchBoard } from '../net/answers.ts';
import { LiveStream } from '../net/live-stream.ts';
import {
  type BoardState,
  EMPTY_BOARD,
  isUnknownTo,
  whileAsking,
  withBoard,
  withEvent,
  withoutOldMarks,
} from '../state/board-state.ts';
import { CONNECTING, type ConnectionState } from '../state/connection.ts';
import type { Filter } from '../state/sections.ts';
import { noteChange } from './announcements.ts';

export const boardState = signal<BoardState>(EMPTY_BOARD);
export const connection = signal<ConnectionState>(CONNECTING);
export const filter = signal<Filter>('all');
export const asking = signal(false);
/** Why there is no board; null while there is one, or while the first is awaited. */
export const boardError = signal<string | null>(null);

/** The day that is shown or asked for; null for the nearest one, until the answer tells which that is. */
let day: string | null = null;
let isNearest = false;
let request: AbortController | null = null;

const stream = new LiveStream({
  opened: () => void ask(),
  event: take,
  connection: (state) => {
    connection.value = state;
  },
});

/** Shows a day: asks for its board at once, and again when the stream of that day is open. */
export function openDay(date: string | null): void {
  const shown = boardState.value.board?.date;
  if (date === null ? isNearest : date === shown) return;
  isNearest = date === null;
  day = date;
  if (date !== null) stream.follow(date);
  void ask();
}

export function askAgain(): void {
  void ask();
}

async function ask(): Promise<void> {
  request?.abort();
  const own = new AbortController();
  request = own;
  asking.value = true;
  boardState.value = whileAsking(boardState.value);
  try {
    const board = await fetchBoard(day, own.signal);
    if (own.signal.aborted) return;
    day = board.date;
    boardState.value = withBoard(boardState.value, board, Date.now());
    boardError.value = null;
    stream.follow(board.date);
  } catch (error) {
    if (own.signal.aborted) return;
    boardError.value = error instanceof AnswerError ? error.message : String(error);
  } finally {
    if (request === own) asking.value = false;
  }
}

function take(event: BoardEvent): void {
  const state = boardState.value;
  const before = state.events.get(event.id)?.event;
  const next = withEvent(state, event, Date.now());
  boardState.value = next;
  const after = next.events.get(event.id)?.event;
  if (before && after && before !== after) noteChange(before, after);
  if (next.events.has(event.id) && isUnknownTo(state.board, event)) void ask();
}

/** Lets marks that have been shown long enough go. */
export function startFading(): void {
  setInterval(() => {
    boardState.value = withoutOldMarks(boardState.value, Date.now());
  }, 500);
}
