/** What the generator gets wrong and no option mends: in files that end so, a text and what stands in its place. */
export interface Mend {
  readonly files: string;
  readonly wrong: RegExp;
  readonly right: string;
}

/** Constructors take a misspelt field and drop it: a refund whose amount is dropped gives all back. */
const PYTHON_CONSTRUCTORS: Mend = {
  files: '.py',
  wrong: /^( +)protected_namespaces=\(\),\n/m,
  right: '$&$1extra="forbid",\n',
};

/** So does `from_dict` of what is only sent; what is read keeps such fields in `additional_properties`. */
const PYTHON_DICTIONARIES: Mend = {
  files: '.py',
  wrong: /^(?![\s\S]*additional_properties)([\s\S]*\n)( +)_obj = cls\.model_validate\(\{\n/,
  right: [
    '$1$2for _key in obj:',
    '$2    if _key not in cls.__properties:',
    '$2        raise ValueError(f"{cls.__name__} has no field {_key}")',
    '$2_obj = cls.model_validate({\n',
  ].join('\n'),
};

/** The same in PHP; what is read is put into an object that was made without data. */
const PHP_CONSTRUCTORS: Mend = {
  files: '.php',
  wrong: /public function __construct\(\?array \$data = null\)\n( +)\{\n/,
  right: [
    '$&$1    foreach (array_keys(array_diff_key($data ?? [], self::$attributeMap)) as $name) {',
    '$1        throw new \\InvalidArgumentException(self::class . " has no field $name");',
    '$1    }\n',
  ].join('\n'),
};

/** By language, or by a generator that is asked for by its name. What throws at a value that is new is to read it. */
export const MENDS: Readonly<Record<string, readonly Mend[]>> = {
  typescript: [
    {
      files: 'README.md',
      wrong: /^A TypeScript SDK client for the \S+ API\.$/m,
      right: 'A TypeScript client of the Centavo payments API.',
    },
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
    PYTHON_CONSTRUCTORS,
    PYTHON_DICTIONARIES,
  ],
  // These three send `null` where a body is left out.
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
  ],
  php: [
    {
      files: 'ObjectSerializer.php',
      wrong: /\$imploded = implode\("', '", \$class::getAllowableEnumValues\(\)\);\n *throw new [^\n]+/,
      right: 'return $$class::UNKNOWN_DEFAULT_OPEN_API;',
    },
    PHP_CONSTRUCTORS,
  ],
  csharp: [
    {
      files: '.cs',
      wrong: /(public static (\w+)\? \w*FromStringOrDefault\(string value\)\s*\{[^}]*)return null;/g,
      right: '$1return $2.UnknownDefaultOpenApi;',
    },
  ],
  dart: [
    {
      files: '.dart',
      wrong: /((\w+)\? decode\(dynamic data[\s\S]*?default:\n *)if \(!allowNull\) \{[^}]*\}/g,
      right: '$1return $2.unknownDefaultOpenApi;',
    },
  ],
  ruby: [{ files: '.rb', wrong: /raise "Invalid ENUM value .*/, right: 'UNKNOWN_DEFAULT_OPEN_API' }],
};
