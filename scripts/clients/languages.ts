import { PATCHES, type Patch } from './patches.ts';

/** What every client is called where a language wants a name for it. */
const NAME = 'centavo';

/** How the client of a language is generated. */
export interface Language {
  /** What openapi-generator calls it. */
  readonly generator: string;
  readonly options: Readonly<Record<string, string | boolean>>;
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
    options: { disallowAdditionalPropertiesIfNotPresent: false, packageName: NAME },
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
  },
  php: {
    generator: 'php',
    options: { composerPackageName: `${NAME}/${NAME}`, invokerPackage: 'Centavo' },
  },
  csharp: {
    generator: 'csharp',
    options: { packageName: 'Centavo' },
  },
};

/** The language of that name, with its patches. Any other word is taken as the name of a generator. */
export function languageOf(name: string): Language & { readonly patches: readonly Patch[] } {
  const language = LANGUAGES[name] ?? { generator: name, options: {} };
  const options = { ...EVERY_LANGUAGE, ...language.options };
  return { ...language, options, patches: PATCHES[name] ?? [] };
}
