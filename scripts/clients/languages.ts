/** What every client is called where a language wants a name for it. */
const NAME = 'centavo';

/** How the client of a language is generated. */
export interface Language {
  /** What openapi-generator calls it. */
  readonly generator: string;
  readonly options: Readonly<Record<string, string | boolean>>;
  readonly mend?: Mend;
}

/** What the generator gets wrong and no option mends: in files that end so, a text and what stands in its place. */
export interface Mend {
  readonly files: string;
  readonly wrong: RegExp;
  readonly right: string;
}

/** A value that a later version of the service sends must not break a client of today. */
const EVERY_LANGUAGE = { enumUnknownDefaultCase: true, hideGenerationTimestamp: true };

/** The languages whose clients are proven, or made by `make clients` without a word about which. */
export const LANGUAGES: Readonly<Record<string, Language>> = {
  typescript: {
    generator: 'typescript-fetch',
    options: {
      npmName: NAME,
      importFileExtension: '.js',
      stringEnums: true,
      supportsES6: true,
      useSingleRequestParameter: true,
    },
  },
  python: {
    generator: 'python',
    options: { packageName: NAME },
    mend: {
      files: '.py',
      wrong: /^( +)UNKNOWN_DEFAULT_OPEN_API = .*\n/m,
      right: [
        '$&',
        '$1@classmethod',
        '$1def _missing_(cls, value):',
        '$1    return cls.UNKNOWN_DEFAULT_OPEN_API if isinstance(value, str) else None\n',
      ].join('\n'),
    },
  },
  java: {
    generator: 'java',
    options: {
      apiPackage: 'com.centavo.api',
      artifactId: 'centavo',
      // Else what the caller leaves out is sent as an empty list, which no order takes.
      containerDefaultToNull: true,
      dateLibrary: 'java8',
      disallowAdditionalPropertiesIfNotPresent: false,
      groupId: 'com.centavo',
      invokerPackage: 'com.centavo',
      library: 'native',
      modelPackage: 'com.centavo.model',
      useSingleRequestParameter: true,
    },
  },
  go: {
    generator: 'go',
    options: {
      disallowAdditionalPropertiesIfNotPresent: false,
      enumClassPrefix: true,
      generateInterfaces: true,
      packageName: NAME,
      structPrefix: true,
    },
  },
  rust: {
    generator: 'rust',
    options: { library: 'reqwest', packageName: NAME },
    mend: {
      files: '.rs',
      wrong: /#\[serde\(rename = "unknown_default_open_api"\)\]/,
      right: '#[serde(rename = "unknown_default_open_api", other)]',
    },
  },
  php: {
    generator: 'php',
    options: { composerPackageName: `${NAME}/${NAME}`, invokerPackage: 'Centavo' },
    mend: {
      files: 'ObjectSerializer.php',
      wrong: /\$imploded = implode\("', '", \$class::getAllowableEnumValues\(\)\);\n *throw new [^\n]+/,
      right: 'return $$class::UNKNOWN_DEFAULT_OPEN_API;',
    },
  },
  csharp: {
    generator: 'csharp',
    options: { packageName: 'Centavo' },
    mend: {
      files: '.cs',
      wrong: /(public static (\w+)\? \w*FromStringOrDefault\(string value\)\s*\{[^}]*)return null;/g,
      right: '$1return $2.UnknownDefaultOpenApi;',
    },
  },
};

/** Generators that are asked for by their name, and throw at a value that is new. */
const MENDS: Readonly<Record<string, Mend>> = {
  dart: {
    files: '.dart',
    wrong: /((\w+)\? decode\(dynamic data[\s\S]*?default:\n *)if \(!allowNull\) \{[^}]*\}/g,
    right: '$1return $2.unknownDefaultOpenApi;',
  },
  ruby: { files: '.rb', wrong: /raise "Invalid ENUM value .*/, right: 'UNKNOWN_DEFAULT_OPEN_API' },
};

/** The language of that name; any other word is taken for the name of a generator. */
export function languageOf(name: string): Language {
  const mend = MENDS[name];
  const language = LANGUAGES[name] ?? { generator: name, options: {}, ...(mend && { mend }) };
  return { ...language, options: { ...EVERY_LANGUAGE, ...language.options } };
}
