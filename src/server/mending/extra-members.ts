import { z } from 'zod';
import { MESSAGE_SCHEMAS, type MessageKind } from '../../domain/feed/feed-messages.ts';

const MAX_MEMBERS = 20;
/** Of a list, such as that of the markets. */
const MAX_ITEMS = 4;
const MAX_VALUE = 500;

/**
 * What messages say beyond the feed contract, by the path of the member, such as a note that says which game of a day is
 * meant. The first message that has a member decides. What is long is cut.
 */
export function extraMembers(messages: readonly unknown[]): Readonly<Record<string, unknown>> {
  const found = new Map<string, unknown>();
  for (const message of messages) {
    const kind = (message as { kind?: unknown })?.kind;
    if (typeof kind === 'string' && Object.hasOwn(MESSAGE_SCHEMAS, kind)) {
      collect(MESSAGE_SCHEMAS[kind as MessageKind], message, '', found);
    }
  }
  return Object.fromEntries(found);
}

function collect(schema: z.core.$ZodType, value: unknown, path: string, found: Map<string, unknown>): void {
  if (schema instanceof z.ZodOptional) {
    collect(schema.unwrap(), value, path, found);
    return;
  }
  if (schema instanceof z.ZodArray && Array.isArray(value)) {
    for (const [index, item] of value.slice(0, MAX_ITEMS).entries()) {
      collect(schema.element, item, `${path}${index}.`, found);
    }
  }
  if (!(schema instanceof z.ZodObject) || typeof value !== 'object' || value === null) return;
  for (const [name, member] of Object.entries(value)) {
    if (found.size >= MAX_MEMBERS) return;
    if (Object.hasOwn(schema.shape, name)) collect(schema.shape[name], member, `${path}${name}.`, found);
    else if (!found.has(path + name)) found.set(path + name, cut(member));
  }
}

function cut(value: unknown): unknown {
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
  return text.length > MAX_VALUE ? `${text.slice(0, MAX_VALUE)}…` : value;
}
