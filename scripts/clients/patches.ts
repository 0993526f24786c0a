import type { Patch } from './patch.ts';
import { UNKNOWN_FIELDS } from './unknown-fields.ts';

/** Patches by language or generator. Most make clients accept a new enum value instead of throwing. */
export const PATCHES: Readonly<Record<string, readonly Patch[]>> = {
  typescript: [
    {
      files: 'README.md',
      wrong: /^A TypeScript SDK client for the \S+ API\.$/m,
      right: 'A TypeScript client of the Centavo payments API.',
    },
    ...UNKNOWN_FIELDS.typescript,
  ],
  python: [
    {
      files: '.py',
      wrong: /^( +)UNKNOWN_DEFAULT_OPEN_API = .*\n/m,
      right: [
        '$&',
        '$1@classmethod',
        '$1def _missing_(cls, value):',
        '$1    return cls.UNKNOWN_DEFAULT_OPEN_API if isinstance(value, str) else None\n',
      ].join('\n'),
    },
    ...UNKNOWN_FIELDS.python,
  ],
  // The next three clients send `null` when a body is left out.
  java: [
    {
      files: 'Api.java',
      wrong: /= (memberVarObjectMapper\.writeValueAsBytes\((\w+)\));/g,
      right: '= $2 == null ? new byte[0] : $1;',
    },
  ],
  go: [
    {
      files: '.go',
      wrong: /^\tlocalVarPostBody = (r\.\w+)$/gm,
      right: '\tif $1 != nil {\n\t\tlocalVarPostBody = $1\n\t}',
    },
  ],
  rust: [
    {
      files: '.rs',
      wrong: /(\w+)(: Option<models::[\s\S]*?)req_builder = req_builder\.json\(&p_body_\1\);/g,
      right: '$1$2if let Some(ref body) = p_body_$1 {\n        req_builder = req_builder.json(body);\n    }',
    },
    {
      files: '.rs',
      wrong: /#\[serde\(rename = "unknown_default_open_api"\)\]/,
      right: '#[serde(rename = "unknown_default_open_api", other)]',
    },
    {
      // In an update, null removes a key of metadata.
      files: '_update.rs',
      wrong: /(pub metadata: .*)HashMap<String, String>/,
      right: '$1HashMap<String, Option<String>>',
    },
  ],
  php: [
    {
      files: 'ObjectSerializer.php',
      wrong: /\$imploded = implode\("', '", \$class::getAllowableEnumValues\(\)\);\n *throw new [^\n]+/,
      right: 'return $$class::UNKNOWN_DEFAULT_OPEN_API;',
    },
    ...UNKNOWN_FIELDS.php,
  ],
  csharp: [
    {
      files: '.cs',
      wrong: /(public static (\w+)\? \w*FromStringOrDefault\(string value\)\s*\{[^}]*)return null;/g,
      right: '$1return $2.UnknownDefaultOpenApi;',
    },
  ],
  ruby: [{ files: '.rb', wrong: /raise "Invalid ENUM value .*/, right: 'UNKNOWN_DEFAULT_OPEN_API' }],
};
