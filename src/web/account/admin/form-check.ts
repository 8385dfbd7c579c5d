import { Refused } from '../../../domain/refused-act.ts';
import { creditsText } from '../formats.ts';
import { textOf, wholeNumber } from '../values.ts';

/** The longest number that `wholeNumber` reads. */
export const MOST = 999_999_999_999_999;

/** Reads the fields of a form, and finds everything that is wrong with them before it refuses the form. */
export interface FormCheck {
  wrong(field: string, message: string): void;
  /** Undefined: it is wrong, and `done` will say so. */
  number(field: string, least: number, most: number): number | undefined;
  /** The same; null where the field is empty. */
  numberOrNone(field: string, least: number, most: number): number | null | undefined;
  /** `true` or `false`. */
  flag(field: string): boolean | undefined;
  /** At least one character, at most so many. */
  text(field: string, most: number): string | undefined;
  /** @throws Refused 422, with what is wrong with each field */
  done(): void;
}

export function checkForm(form: URLSearchParams): FormCheck {
  const wrong: Record<string, string> = {};
  const say = (field: string, message: string) => {
    wrong[field] ??= message;
  };

  function number(field: string, least: number, most: number): number | undefined {
    const value = wholeNumber(textOf(form, field));
    if (value !== undefined && value >= least && value <= most) return value;
    const bound =
      most === MOST ? `of at least ${creditsText(least)}` : `from ${creditsText(least)} to ${creditsText(most)}`;
    say(field, `This must be a whole number ${bound}.`);
    return undefined;
  }

  return {
    wrong: say,
    number,
    numberOrNone: (field, least, most) => (textOf(form, field) === '' ? null : number(field, least, most)),
    flag(field) {
      const text = textOf(form, field);
      if (text === 'true' || text === 'false') return text === 'true';
      say(field, 'This must be true or false.');
      return undefined;
    },
    text(field, most) {
      const text = textOf(form, field);
      const { length } = [...text];
      if (length >= 1 && length <= most) return text;
      say(field, length === 0 ? 'This is needed.' : `This may have at most ${creditsText(most)} characters.`);
      return undefined;
    },
    done() {
      const messages = Object.values(wrong);
      if (messages.length === 0) return;
      const message = messages.length === 1 ? messages[0]! : `${messages.length} fields are wrong.`;
      throw new Refused(422, message, { fields: wrong });
    },
  };
}
