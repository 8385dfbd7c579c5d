import { LRUCache } from 'lru-cache';
import type { AnswerFormat, NextPage } from '../operation/answer-format.ts';
import type { Operation } from '../operation/operation.ts';
import type { Principal } from '../principal.ts';
import {
  createDependencyIndex,
  type DependencyIndex,
  type DependencyListener,
  type DependencyTracker,
} from './dependency-index.ts';

/**
 * Caches answers as bytes, each with the documents it was made from, until one of these changes. Nothing expires: a
 * cached answer equals a new one.
 *
 * The race to avoid: a request reads a document; the document changes, and all answers made from it are dropped; then
 * the request finishes its answer from the old document and caches it. So an answer listens to its documents from
 * before the read. If one of them changes meanwhile, the request gets its answer, but the answer is not cached.
 *
 * A write becomes visible a moment before the store reports it. In between, a reader may see the old state and would
 * cache it after the drop. So no answer can depend on a document while the document is being written: such an answer is
 * not cached either.
 */
export interface AnswerCache {
  /**
   * @param hasPosition the client sent a position that its answer must show; this matters if other processes write the
   * documents
   */
  get(key: string, hasPosition?: boolean): Answer | undefined;
  /** Makes an answer. Caches it if all its dependencies are known and none changed meanwhile. */
  make(key: string, run: (sources: DependencyTracker) => Promise<Answer>): Promise<Answer>;
  /**
   * These documents (undefined: all of the projection) are about to change. Call the returned function once, after the
   * change succeeded or failed.
   */
  beginChange(projection: string, keys: readonly string[] | undefined): () => void;
  /** Bound of `size.bytes`. */
  readonly maxBytes: number;
  /** Cached answers, an estimate of the memory they use in bytes, and the dependencies they listen to. */
  readonly size: { readonly answers: number; readonly bytes: number; readonly sources: number };
}

/** Estimated overhead in bytes of an answer and its cache entry, beside its body and key, and of each dependency. */
const OVERHEAD_BYTES = 700;
const SOURCE_BYTES = 400;
const SMALLEST = 1000;

/** @param maxBytes bound of `size.bytes`; 0 disables the cache */
export function createAnswerCache(maxBytes: number): AnswerCache {
  const index = createDependencyIndex();
  const cached =
    maxBytes < SMALLEST
      ? undefined
      : new LRUCache<string, CachedAnswer>({
          maxSize: maxBytes,
          dispose: (one) => one.watch.end(),
        });

  return {
    maxBytes,
    get: (key) => cached?.get(key)?.answer,
    async make(key, run) {
      const watch = new AnswerDependencies(index);
      let answer: Answer;
      try {
        answer = await run(watch);
      } catch (error) {
        watch.end();
        throw error;
      }
      const size = OVERHEAD_BYTES + answer.bytes.length + 2 * key.length + SOURCE_BYTES * watch.count;
      if (cached === undefined || size > maxBytes || !watch.isCurrent) watch.end();
      else {
        watch.onChange = () => void cached.delete(key);
        cached.set(key, { answer, watch }, { size });
      }
      return answer;
    },
    beginChange: (projection, keys) => index.beginChange(projection, keys),
    get size() {
      return { answers: cached?.size ?? 0, bytes: cached?.calculatedSize ?? 0, sources: index.size };
    },
  };
}

interface CachedAnswer {
  readonly answer: Answer;
  readonly watch: AnswerDependencies;
}

/** The dependencies of one answer, from the start of its making until it is dropped. */
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

  /** Stops listening. */
  end(): void {
    this.isCurrent = false;
    for (const [projection, key] of this.#seen.splice(0)) this.#index.unwatch(this, projection, key);
  }
}

/** The answer to a query, made once and sent many times. */
export interface Answer {
  /**
   * JSON or the format of the query in UTF-8, each byte as one character (`latin1`). Node sends headers and such a string in one write, but
   * headers and a buffer in two.
   */
  readonly bytes: string;
  /** Strong entity tag of the bytes. */
  readonly entityTag: string;
  /** How long clients may cache it, in seconds; 0: they must revalidate. */
  readonly maxAge: number;
  /** Cost of a call that gets it. */
  readonly credits: number;
  /** Of a list in pages. */
  readonly next?: NextPage | undefined;
}

/** The input of an operation that reads. */
export interface OperationQuery {
  readonly input: any;
  /** The same for the same input and format, and for these alone: see `queryOf`. */
  readonly text: string;
  /** Absent: JSON. */
  readonly format?: AnswerFormat | undefined;
  /** The last cache key computed for this query, and its scopes. */
  cacheKey?: { readonly scopes: Principal['scopes']; readonly key: string } | undefined;
}

/** The query for the answer to an input in a format. */
export function queryOf(input: unknown, format?: AnswerFormat): OperationQuery {
  const json = JSON.stringify(input);
  return { input, text: format ? `${format.name} ${json}` : json, format, cacheKey: undefined };
}

/** The scopes are part of the key: they decide what a list contains, and what is refused. */
export function answerCacheKey({ name }: Operation, query: OperationQuery, { scopes }: Principal): string {
  if (query.cacheKey?.scopes !== scopes) query.cacheKey = { scopes, key: `${name} ${scopes.join()} ${query.text}` };
  return query.cacheKey.key;
}
