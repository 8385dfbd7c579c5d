import { LRUCache } from 'lru-cache';
import type { Operation } from '../operation/operation.ts';
import type { Principal } from '../principal.ts';
import {
  createDependencyIndex,
  type DependencyIndex,
  type DependencyListener,
  type DependencyTracker,
} from './dependency-index.ts';

/**
 * Answers as bytes, each with the documents that it was made from, until one of these changes. Nothing expires: what is
 * kept is what would be made anew.
 *
 * The race that must not be lost: a request reads a document, the document changes and all answers made from it are
 * dropped, and only then the request has its answer, of the old document, ready to be kept. So an answer watches its
 * sources from before they are read, not from when it is kept, and one that was told of a change meanwhile is given to
 * its request but not kept. And between the moment in which a write becomes visible and the one in which the store says
 * so, the old state may be read and kept after the drop; so nobody can watch a document while it is being written, and
 * an answer that was made from it then is not kept either.
 */
export interface AnswerCache {
  /** @param isPlaced the call tells what its answer must show, which matters where others write the documents */
  get(key: string, isPlaced?: boolean): Answer | undefined;
  /** Makes an answer, and keeps it where all that it is made from is known, and has not changed meanwhile. */
  make(key: string, run: (sources: DependencyTracker) => Promise<Answer>): Promise<Answer>;
  /** These documents (undefined: all of the projection) are about to change; the returned function is called once,
   *  when they have, or have failed to. */
  beginChange(projection: string, keys: readonly string[] | undefined): () => void;
  /** What `size.bytes` may come to. */
  readonly maxBytes: number;
  /** Answers kept, their size in bytes (an estimate of all that they occupy), and the sources that they watch. */
  readonly size: { readonly answers: number; readonly bytes: number; readonly sources: number };
}

/** Beside the bytes of the body and the key: what an answer, its place in the cache, and each of its sources weigh. */
const ANSWER_BYTES = 700;
const SOURCE_BYTES = 400;
const SMALLEST = 1000;

/** @param maxBytes bound of `size.bytes`; 0 keeps nothing */
export function createAnswerCache(maxBytes: number): AnswerCache {
  const index = createDependencyIndex();
  const kept =
    maxBytes < SMALLEST
      ? undefined
      : new LRUCache<string, CachedAnswer>({
          max: Math.ceil(maxBytes / SMALLEST),
          maxSize: maxBytes,
          dispose: (one) => one.watch.end(),
        });

  return {
    maxBytes,
    get: (key) => kept?.get(key)?.answer,
    async make(key, run) {
      const watch = new AnswerDependencies(index);
      let answer: Answer;
      try {
        answer = await run(watch);
      } catch (error) {
        watch.end();
        throw error;
      }
      const size = ANSWER_BYTES + answer.bytes.length + 2 * key.length + SOURCE_BYTES * watch.count;
      if (kept === undefined || size > maxBytes || !watch.isCurrent) watch.end();
      else {
        watch.onChange = () => void kept.delete(key);
        kept.set(key, { answer, watch }, { size });
      }
      return answer;
    },
    beginChange: (projection, keys) => index.beginChange(projection, keys),
    get size() {
      return { answers: kept?.size ?? 0, bytes: kept?.calculatedSize ?? 0, sources: index.size };
    },
  };
}

interface CachedAnswer {
  readonly answer: Answer;
  readonly watch: AnswerDependencies;
}

/** One answer's eyes on its sources, from when it is begun to when it is dropped. */
class AnswerDependencies implements DependencyTracker, DependencyListener {
  readonly #index: DependencyIndex;
  readonly #seen: (readonly [projection: string, key: string | undefined])[] = [];
  isCurrent = true;
  onChange: () => void = () => this.end();

  constructor(index: DependencyIndex) {
    this.#index = index;
  }

  get count(): number {
    return this.#seen.length;
  }

  trackDocument(projection: string, key: string): void {
    this.#add(projection, key);
  }

  trackProjection(projection: string): void {
    this.#add(projection, undefined);
  }

  #add(projection: string, key: string | undefined): void {
    if (!this.isCurrent || this.#seen.some(([p, k]) => p === projection && k === key)) return;
    const isWatched =
      key === undefined
        ? this.#index.watchProjection(this, projection)
        : this.#index.watchDocument(this, projection, key);
    if (isWatched) this.#seen.push([projection, key]);
    else this.end();
  }

  markUncacheable(): void {
    this.end();
  }

  invalidate(): void {
    this.isCurrent = false;
    this.onChange();
  }

  /** Looks at nothing any more. */
  end(): void {
    this.isCurrent = false;
    for (const [projection, key] of this.#seen.splice(0)) this.#index.unwatch(this, projection, key);
  }
}

/** What a client is answered, made once and sent as often as it is asked for. */
export interface Answer {
  /** JSON in UTF-8, each byte a character (`latin1`): Node sends a head and such a text with one write, a head and a
   *  buffer with two. */
  readonly bytes: string;
  /** Strong entity tag of the bytes. */
  readonly entityTag: string;
  /** How long clients may keep it, in seconds; 0: not without asking again. */
  readonly maxAge: number;
  /** What a call that gets it costs. */
  readonly credits: number;
}

/** What is asked of an operation that reads. */
export interface OperationQuery {
  readonly input: any;
  /** The same for the same input: its JSON. */
  readonly text: string;
  /** The key of its answer as it was asked for last, and for which scopes. */
  cacheKey?: { readonly scopes: Principal['scopes']; readonly key: string } | undefined;
}

/** Under which the answer is kept. The scopes decide what a list holds, and what is refused. */
export function answerCacheKey({ name }: Operation, question: OperationQuery, { scopes }: Principal): string {
  if (question.cacheKey?.scopes !== scopes)
    question.cacheKey = { scopes, key: `${name} ${scopes.join()} ${question.text}` };
  return question.cacheKey.key;
}
