import fc from 'fast-check';

type Schema = Readonly<Record<string, any>>;

/** Texts that are hard for CSV among ordinary ones. */
const text = fc.oneof(
  fc.constantFrom('=1+1', '+x', '-x', '@x', '\tx', '\rx', '-110', '+2.5', 'a,b', 'a"b', 'a\r\nb', '', ' a ', 'é…🏈'),
  fc.string({ unit: 'grapheme', maxLength: 6 }),
);
const number = fc.oneof(fc.integer({ min: -1000, max: 1000 }), fc.double({ noNaN: true, noDefaultInfinity: true }));

/** JSON that a schema of an answer allows. */
export function jsonOf(schema: Schema, root: Schema = schema): fc.Arbitrary<unknown> {
  const { $ref, anyOf, enum: words, type, items, properties, additionalProperties, required = [] } = schema;
  if ($ref !== undefined) return jsonOf(root['$defs'][$ref.split('/').at(-1)], root);
  if (anyOf) return fc.oneof(...anyOf.map((choice: Schema) => jsonOf(choice, root)));
  if (Array.isArray(type)) return fc.oneof(...type.map((one) => jsonOf({ ...schema, type: one }, root)));
  if ('const' in schema) return fc.constant(schema['const']);
  if (words) return fc.constantFrom(...words);
  switch (type) {
    case 'null':
      return fc.constant(null);
    case 'string':
      return text;
    case 'integer':
      return fc.integer({ min: -1_000_000, max: 1_000_000 });
    case 'number':
      return number;
    case 'boolean':
      return fc.boolean();
    case 'array': {
      const maxLength = Math.min(schema['maxItems'] ?? 3, 3);
      // An event has one participant of each role.
      if (items.properties?.role) {
        return fc.uniqueArray(jsonOf(items, root), { selector: (one) => (one as Schema)['role'], maxLength });
      }
      return fc.array(jsonOf(items, root), { minLength: schema['minItems'] ?? 0, maxLength });
    }
    case 'object': {
      const members = Object.entries((properties ?? {}) as Record<string, Schema>);
      const known = fc.record(Object.fromEntries(members.map(([name, one]) => [name, jsonOf(one, root)])), {
        requiredKeys: required,
      });
      if (members.length > 0 || typeof additionalProperties !== 'object') return known;
      return fc.dictionary(fc.constantFrom('pinnacle', 'fanduel', '10', 'x'), jsonOf(additionalProperties, root));
    }
    default:
      return fc.constantFrom(null, 1, 'x', true);
  }
}
