import type { Patch } from './patch.ts';

// Clients must not drop a misspelt field. For example, a refund without its amount refunds the whole payment.

/** Constructors accept a misspelt field and drop it. */
const PYTHON_CONSTRUCTORS: Patch = {
  files: '.py',
  wrong: /^( +)protected_namespaces=\(\),\n/m,
  right: '$&$1extra="forbid",\n',
};

/** So does `from_dict` of bodies that are only sent. Answers keep such fields in `additional_properties`. */
const PYTHON_DICTIONARIES: Patch = {
  files: '.py',
  wrong: /^(?![\s\S]*additional_properties)([\s\S]*\n)( +)_obj = cls\.model_validate\(\{\n/,
  right: [
    '$1$2for _key in obj:',
    '$2    if _key not in cls.__properties:',
    '$2        raise ValueError(f"{cls.__name__} has no field {_key}")',
    '$2_obj = cls.model_validate({\n',
  ].join('\n'),
};

/** The same in PHP. Answers are not affected: the client creates them without data and uses the setters. */
const PHP_CONSTRUCTORS: Patch = {
  files: '.php',
  wrong: /public function __construct\(\?array \$data = null\)\n( +)\{\n/,
  right: [
    '$&$1    foreach (array_keys(array_diff_key($data ?? [], self::$attributeMap)) as $name) {',
    '$1        throw new \\InvalidArgumentException(self::class . " has no field $name");',
    '$1    }\n',
  ].join('\n'),
};

/** `$refund['amunt'] = …` is stored, and not sent. */
const PHP_OFFSETS: Patch = {
  files: '.php',
  wrong: /public function offsetSet\(\$offset, \$value\): void\n( +)\{\n/,
  right: [
    "$&$1    if (!array_key_exists($offset ?? '', self::$attributeMap)) {",
    '$1        throw new \\InvalidArgumentException(self::class . " has no field $offset");',
    '$1    }\n',
  ].join('\n'),
};

/** `$refund->amount = …` creates a property that is not sent. Only setters and offsets write fields. */
const PHP_PROPERTIES: Patch = {
  files: '.php',
  wrong: /^( +)\/\*\*\n +\* Returns true if offset exists\./m,
  right: [
    '',
    '$1/** Only setters and offsets write fields. A property would not be sent. */',
    '$1public function __set(string $name, mixed $value): void',
    '$1{',
    '$1    throw new \\InvalidArgumentException(self::class . " has no property $name");',
    '$1}',
    '',
    '$&',
  ].join('\n'),
};

/**
 * TypeScript's types refuse unknown fields, but JavaScript callers have no types: `allowOnly` refuses them at run time.
 */
const TYPESCRIPT_RUNTIME: Patch = {
  files: 'runtime.ts',
  wrong: /^export function mapValues/m,
  right: `/** Throws on a field that is not in names. It would not be sent. */
export function allowOnly(what: string, given: unknown, names: string[]): void {
    if (typeof given !== 'object' || given === null || Array.isArray(given)) {
        throw new TypeError(\`\${what} wants an object\`);
    }
    for (const name of Object.keys(given)) {
        if (names.indexOf(name) < 0) throw new TypeError(\`\${what} has no field \${name}\`);
    }
}

$&`,
};

const TYPESCRIPT_BODIES: Patch = {
  files: '.ts',
  wrong:
    /import \{ (mapValues[\s\S]*export function (\w+)ToJSONTyped\(value\?.*\n( +)if \(value == null\) \{\n.*\n +\}\n)([\s\S]*)/,
  right: (_whole, head, model, indent, fields) =>
    `import { allowOnly, ${head}${indent}allowOnly('${model}', value, ${namesIn('value', fields!)});\n${fields}`,
};

/** A misspelt name of the body sends no body, and a misspelt filter finds everything. */
const TYPESCRIPT_REQUESTS: Patch = {
  files: 'Api.ts',
  wrong: /^( +)(async (\w+)RequestOpts\(requestParameters.*\n)([\s\S]*?^\1\}\n)/gm,
  right: (_whole, indent, head, operation, uses) =>
    `${indent}${head}${indent}${indent}runtime.allowOnly(` +
    `'${operation}', requestParameters, ${namesIn('requestParameters', uses!)});\n${uses}`,
};

/** The fields that generated code reads from this variable, as a list in TypeScript. */
function namesIn(variable: string, code: string): string {
  const names = [...code.matchAll(/(\w+)\['(\w+)'\]/g)].filter(([, of]) => of === variable);
  return `[${[...new Set(names.map(([, , name]) => `'${name}'`))].join(', ')}]`;
}

/** Patches by language that refuse unknown fields before they are sent. */
export const UNKNOWN_FIELDS = {
  typescript: [TYPESCRIPT_RUNTIME, TYPESCRIPT_BODIES, TYPESCRIPT_REQUESTS],
  python: [PYTHON_CONSTRUCTORS, PYTHON_DICTIONARIES],
  php: [PHP_CONSTRUCTORS, PHP_OFFSETS, PHP_PROPERTIES],
} satisfies Record<string, readonly Patch[]>;
