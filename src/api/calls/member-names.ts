import { jsonSchemaOf } from './json-schema.ts';
import type { Operation } from './operation.ts';

interface JsonSchema {
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly additionalProperties?: boolean | JsonSchema;
  readonly anyOf?: readonly JsonSchema[];
  readonly oneOf?: readonly JsonSchema[];
  readonly allOf?: readonly JsonSchema[];
}

/** Names of the members that an object of this schema may have. */
interface Members {
  readonly names: ReadonlySet<string>;
  /** Any other one comes through too. */
  readonly isOpen: boolean;
}

/**
 * The parts of an input become one object: two parts with a member of one name would leave the client's word for one
 * of them unheard, and a path's id could be another one than that of the address.
 * @throws Error that names the member
 */
export function refuseSharedNames(input: Operation['input']): void {
  const before = new Map<string, string>();
  let openPart: string | undefined;
  for (const part of ['path', 'query', 'body'] as const) {
    const schema = input[part];
    if (!schema) continue;
    const { names, isOpen } = membersOf(jsonSchemaOf(schema, 'input') as JsonSchema);
    for (const name of names) {
      const other = before.get(name) ?? openPart;
      if (other !== undefined) throw new Error(`${name} can stand in the ${other} and in the ${part} of one input`);
      before.set(name, part);
    }
    if (!isOpen) continue;
    const [shared] = [...before].filter(([, other]) => other !== part);
    if (shared)
      throw new Error(`${shared[0]} of the ${shared[1]} can stand in the ${part} too, which takes any member`);
    openPart = part;
  }
}

function membersOf({ properties = {}, additionalProperties, anyOf, oneOf, allOf }: JsonSchema): Members {
  const inner = [...(anyOf ?? []), ...(oneOf ?? []), ...(allOf ?? [])].map(membersOf);
  const isOpen = additionalProperties !== undefined && additionalProperties !== false;
  return {
    names: new Set([...Object.keys(properties), ...inner.flatMap(({ names }) => [...names])]),
    isOpen: isOpen || inner.some((one) => one.isOpen),
  };
}
