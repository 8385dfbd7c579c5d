import { RefusedError } from '../../../domain/primitives/domain-errors.ts';
import { fieldText, parseWholeNumber } from '../form-values.ts';
import { creditsText } from '../formats.ts';

/** The longest number that `parseWholeNumber` reads. */
export const MAX_WHOLE_NUMBER = 999_999_999_999_999;

/** Reads the fields of a form. It collects all errors before it refuses the form. */
interface FormFieldReader {
  addError(field: string, message: string): void;
  /** Undefined if the field is wrong; `throwIfInvalid` reports the error. */
  number(field: string, min: number, max: number): number | undefined;
  /** The same; null if the field is empty. */
  numberOrNull(field: string, min: number, max: number): number | null | undefined;
  /** Accepts `true` or `false`. */
  flag(field: string): boolean | undefined;
  /** Between 1 and `max` characters. */
  text(field: string, max: number): string | undefined;
  /** @throws RefusedError 422, with the error of each field */
  throwIfInvalid(): void;
}

export function readFormFields(form: URLSearchParams): FormFieldReader {
  const wrong: Record<string, string> = {};
  const addError = (field: string, message: string) => {
    wrong[field] ??= message;
  };

  function number(field: string, min: number, max: number): number | undefined {
    const value = parseWholeNumber(fieldText(form, field));
    if (value !== undefined && value >= min && value <= max) return value;
    const bound =
      max === MAX_WHOLE_NUMBER ? `of at least ${creditsText(min)}` : `from ${creditsText(min)} to ${creditsText(max)}`;
    addError(field, `This must be a whole number ${bound}.`);
    return undefined;
  }

  return {
    addError,
    number,
    numberOrNull: (field, min, max) => (fieldText(form, field) === '' ? null : number(field, min, max)),
    flag(field) {
      const text = fieldText(form, field);
      if (text === 'true' || text === 'false') return text === 'true';
      addError(field, 'This must be true or false.');
      return undefined;
    },
    text(field, max) {
      const text = fieldText(form, field);
      const { length } = [...text];
      if (length >= 1 && length <= max) return text;
      addError(field, length === 0 ? 'This is needed.' : `This may have at most ${creditsText(max)} characters.`);
      return undefined;
    },
    throwIfInvalid() {
      const messages = Object.values(wrong);
      if (messages.length === 0) return;
      const message = messages.length === 1 ? messages[0]! : `${messages.length} fields are wrong.`;
      throw new RefusedError(422, message, { fields: wrong });
    },
  };
}
