import { signal } from '@preact/signals';
import type { BoardEvent } from '../../answers/live-page-answers.ts';
import { LiveStream } from '../net/live-stream.ts';
import { fetchBoard, ServerError } from '../net/server-api.ts';
import {
  type BoardState,
  EMPTY_BOARD,
  lacksLeagueOf,
  withBoard,
  withEvent,
  withoutExpiredHighlights,
  withRequestStarted,
} from '../view-model/board-state.ts';
import { CONNECTING, type ConnectionState } from '../view-model/connection.ts';
import { announceChange } from './announcements.ts';

export const boardState = signal<BoardState>(EMPTY_BOARD);
export const connection = signal<ConnectionState>(CONNECTING);
export const isLoadingBoard = signal(false);
/** Why there is no board; null if there is one, or while the first one loads. */
export const boardError = signal<string | null>(null);

/** The displayed or requested day; null for the nearest day with events, until the answer names it. */
let day: string | null = null;
let isNearest = false;
let request: AbortController | null = null;

/** The first message of the open stream: its day, and since when it sends every change. */
let hello: { readonly date: string; readonly generated_at: string } | null = null;

const stream = new LiveStream<BoardEvent>({
  opened(message) {
    hello = message;
    if (!isLoadingBoard.value) reloadIfStale();
  },
  event: applyEvent,
  connection: (state) => {
    connection.value = state;
  },
});

/** Shows a day: opens its stream and loads its board, both at once. */
export function openDay(date: string | null): void {
  const shown = boardState.value.board?.date;
  if (date === null ? isNearest : date === shown) return;
  isNearest = date === null;
  day = date;
  if (stream.follow(date)) hello = null;
  void loadBoard();
}

/**
 * A board older than the stream may miss changes. If the nearest days of board and stream differ, the stream's day is
 * shown.
 */
function reloadIfStale(): void {
  const { board } = boardState.value;
  if (hello === null) return;
  if (board?.date === hello.date && Date.parse(board.generated_at) >= Date.parse(hello.generated_at)) return;
  day = hello.date;
  void loadBoard();
}

export function reloadBoard(): void {
  void loadBoard();
}

async function loadBoard(): Promise<void> {
  request?.abort();
  const own = new AbortController();
  request = own;
  const helloBefore = hello;
  isLoadingBoard.value = true;
  boardState.value = withRequestStarted(boardState.value);
  try {
    const board = await fetchBoard(day, own.signal);
    if (own.signal.aborted) return;
    day = board.date;
    boardState.value = withBoard(boardState.value, board, Date.now());
    boardError.value = null;
  } catch (error) {
    if (own.signal.aborted) return;
    boardError.value = error instanceof ServerError ? error.message : String(error);
  } finally {
    if (request === own) isLoadingBoard.value = false;
  }
  // Only a stream that opened meanwhile is a problem: one that was open before has sent everything that the answer may
  // miss.
  if (hello !== helloBefore) reloadIfStale();
}

function applyEvent(event: BoardEvent): void {
  const state = boardState.value;
  const before = state.events.get(event.id)?.event;
  const next = withEvent(state, event, Date.now());
  boardState.value = next;
  const after = next.events.get(event.id)?.event;
  if (before && after && before !== after) announceChange(before, after);
  if (next.events.has(event.id) && lacksLeagueOf(state.board, event)) void loadBoard();
}

/** Removes highlights whose time is over. */
export function startHighlightExpiry(): void {
  setInterval(() => {
    boardState.value = withoutExpiredHighlights(boardState.value, Date.now());
  }, 500);
}
