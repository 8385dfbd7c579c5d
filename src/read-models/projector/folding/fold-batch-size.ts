/** What a document costs beside its content. */
const OVERHEAD = 500;
/** So many documents are all measured, of those after them one in `SAMPLE`. */
const ALL_MEASURED = 256;
const SAMPLE = 32;

/** A document that is measured, and stands for so many (`weight`) that are not. */
interface Measured {
  readonly weight: number;
  characters: number;
  records: number;
  /** Records after which it is measured again. */
  nextAt: number;
}

/** About how much memory documents take, in characters of JSON. */
interface FoldBatchSize {
  readonly characters: number;
  /** A document is held from now on. @param document undefined: it comes into being with a record */
  add(key: string, document: unknown): void;
  /** A record was folded into a document that is held. */
  update(key: string, document: unknown): void;
  /** It is held no longer. */
  remove(key: string): void;
}

/** Made of a sample, each document of which is measured at its 1st, 2nd, 4th, 8th record: what grows by each of them is
 *  then known to within a half, and measuring costs little beside folding. */
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
