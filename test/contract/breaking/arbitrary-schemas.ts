import fc from 'fast-check';

type Schema = Record<string, unknown>;

const NAMES = ['a', 'b', 'c'];
const small = fc.integer({ min: 0, max: 4 });
const word = fc.constantFrom('', 'x', 'xy', 'xyz', 'xyzw');

/** A bound that is there every other time. */
const bound = (name: string) =>
  fc.oneof(
    fc.constant({}),
    small.map((value) => ({ [name]: value })),
  );

const nullable = (schema: Schema, isNullable: boolean): Schema =>
  isNullable ? { ...schema, type: [schema.type, 'null'] } : schema;

const text = fc
  .tuple(bound('minLength'), bound('maxLength'), fc.option(fc.uniqueArray(word, { minLength: 1 })))
  .map(([lower, upper, values]) => ({
    type: 'string',
    ...lower,
    ...upper,
    ...(values === null ? {} : { enum: values }),
  }));
const number = fc
  .tuple(fc.constantFrom('integer', 'number'), bound('minimum'), bound('exclusiveMaximum'))
  .map(([type, lower, upper]) => ({ type, ...lower, ...upper }));
const scalar = fc
  .tuple(fc.oneof(text, number), fc.boolean())
  .map(([schema, isNullable]) => ('enum' in schema ? schema : nullable(schema as Schema, isNullable)));
const list = fc
  .tuple(scalar, bound('minItems'), bound('maxItems'))
  .map(([items, lower, upper]) => ({ type: 'array', items, ...lower, ...upper }));
const branch = fc.oneof(
  { weight: 2, arbitrary: scalar },
  { weight: 2, arbitrary: list },
  fc.constant({ type: 'null' }),
);
const union = fc
  .tuple(fc.constantFrom('anyOf', 'oneOf'), fc.array(branch, { minLength: 1, maxLength: 3 }))
  .map(([key, branches]): Schema => ({ [key]: branches }));

const field = fc.oneof(scalar, list, union);
const fields = fc.dictionary(fc.constantFrom(...NAMES), field, { maxKeys: 3 });

/** The same union, but that its first branch is gone, or is another, or that one is added. */
const changedUnion = fc
  .tuple(union, branch, fc.constantFrom(0, 1, 2))
  .map(([before, other, count]): [Schema, Schema] => {
    const [[key, branches]] = Object.entries(before) as [[string, Schema[]]];
    const after =
      count === 2 ? [...branches, other] : [...branches.slice(1), ...(count === 1 ? [other] : [])];
    return [before, after.length === 0 ? before : { [key]: after }];
  });

/** An object of scalars and lists, as bodies are. */
export const objectSchema: fc.Arbitrary<Schema> = fc
  .tuple(fields, fc.subarray(NAMES), fc.constantFrom(undefined, true, false, { type: 'string' }))
  .map(([properties, required, additionalProperties]) => ({
    type: 'object',
    properties,
    required,
    ...(additionalProperties === undefined ? {} : { additionalProperties }),
  }));

const scalarValue = fc.oneof(word, small, fc.constantFrom(0.5, 3.5, null, true));

/** Objects that such schemas may take. */
export const objectValue = fc.dictionary(
  fc.constantFrom(...NAMES, 'd'),
  fc.oneof({ weight: 3, arbitrary: scalarValue }, fc.array(scalarValue, { maxLength: 4 })),
  { maxKeys: 4 },
);

/** Two schemas of which the second is the first but for one field or keyword, or has nothing to do with it. */
export const schemaPair = fc.oneof(
  fc.tuple(objectSchema, objectSchema),
  fc
    .tuple(objectSchema, objectSchema, fc.constantFrom('properties', 'required', 'additionalProperties'))
    .map(([before, other, part]): [Schema, Schema] => [before, { ...before, [part]: other[part] ?? true }]),
  fc
    .tuple(objectSchema, fc.constantFrom(...NAMES), field)
    .map(([before, name, field]): [Schema, Schema] => [
      before,
      { ...before, properties: { ...(before.properties as Schema), [name]: field } },
    ]),
  fc
    .tuple(objectSchema, changedUnion)
    .map(([outer, [before, after]]): [Schema, Schema] => [withField(outer, before), withField(outer, after)]),
);

function withField(schema: Schema, a: Schema): Schema {
  return { ...schema, properties: { ...(schema.properties as Schema), a } };
}
