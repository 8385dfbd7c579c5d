/** Memory that a document takes in addition to its content. */
const OVERHEAD = 500;
/** The first `ALL_MEASURED` documents are all measured; after them, one in `SAMPLE`. */
const ALL_MEASURED = 256;
const SAMPLE = 32;

/** A measured document. It stands for `weight` documents, itself included. */
interface Measured {
  readonly weight: number;
  characters: number;
  records: number;
  /** The document is measured again after this many records. */
  nextAt: number;
}

/** Estimates the memory that documents take, in characters of JSON. */
interface FoldBatchSize {
  readonly characters: number;
  /** The batch holds this document from now on. @param document undefined: the first record will create it */
  add(key: string, document: unknown): void;
  /** A record was folded into a document of the batch. */
  update(key: string, document: unknown): void;
  /** The batch holds this document no longer. */
  remove(key: string): void;
}

/** Measures a sample of the documents, each at its 1st, 2nd, 4th, 8th record. A document that grows with each record is
 *  then known to within a half, and measuring costs little compared with folding. */
export function createFoldBatchSize(): FoldBatchSize {
  const sample = new Map<string, Measured>();
  let characters = 0;
  let documents = 0;

  function measure(one: Measured, document: unknown): void {
    const now = (JSON.stringify(document)?.length ?? 0) * one.weight;
    characters += now - one.characters;
    one.characters = now;
  }

  return {
    get characters() {
      return characters;
    },
    add(key, document) {
      characters += OVERHEAD;
      const weight = documents < ALL_MEASURED ? 1 : documents % SAMPLE === 0 ? SAMPLE : 0;
      documents++;
      if (weight === 0) return;
      const one = { weight, characters: 0, records: 0, nextAt: 1 };
      sample.set(key, one);
      if (document !== undefined) measure(one, document);
    },
    remove(key) {
      const one = sample.get(key);
      sample.delete(key);
      characters -= OVERHEAD + (one?.characters ?? 0);
    },
    update(key, document) {
      const one = sample.get(key);
      if (one === undefined || ++one.records < one.nextAt) return;
      one.nextAt *= 2;
      measure(one, document);
    },
  };
}
