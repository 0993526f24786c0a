import type { Patch } from './patch.ts';
import { PATCHES } from './patches.ts';

/** The package name of every client. */
const NAME = 'centavo';

/** How the client of a language is generated. */
export interface Language {
  /** Its name in openapi-generator. */
  readonly generator: string;
  readonly options: Readonly<Record<string, string | boolean>>;
  /** Parameter of the contract → its name in the client, where the language does not allow the first. */
  readonly parameterNames?: Readonly<Record<string, string>>;
}

/** An enum value of a later version of the service must not break today's clients. */
const EVERY_LANGUAGE = { enumUnknownDefaultCase: true, hideGenerationTimestamp: true };

/** The languages of `make clients` without a name. */
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
      // Otherwise a list that the caller leaves out is sent as an empty list, which orders refuse.
      containerDefaultToNull: true,
      dateLibrary: 'java8',
      disallowAdditionalPropertiesIfNotPresent: false,
      groupId: 'com.centavo',
      invokerPackage: 'com.centavo',
      library: 'native',
      modelPackage: 'com.centavo.model',
      useSingleRequestParameter: true,
    },
    // `wait()` is a final method of every object.
    parameterNames: { wait: 'waitSeconds' },
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

/** The language with this name and its patches. Any other name is used as the name of a generator. */
export function languageOf(name: string): Language & { readonly patches: readonly Patch[] } {
  const language = LANGUAGES[name] ?? { generator: name, options: {} };
  const options = { ...EVERY_LANGUAGE, ...language.options };
  return { ...language, options, patches: PATCHES[name] ?? [] };
}
