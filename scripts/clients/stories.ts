import { OTHER_GENERATORS } from './other-generators.ts';
import type { Story } from './story.ts';

const PYTHON = 'clients/.tools/python/bin/python';
const JARS = 'clients/java/target';
const GO_STORY = 'clients/.tools/go/story';
const RUST_BUILD = 'clients/.tools/rust';

/** By language. The slowest without a cache comes first. */
const LANGUAGE_STORIES: Readonly<Record<string, Story>> = {
  rust: {
    source: 'test/clients/rust/src/main.rs',
    tools: [{ command: 'cargo', asks: ['--version'], what: 'Rust 1.85 or newer' }],
    build: [`cargo build -q --manifest-path test/clients/rust/Cargo.toml --target-dir ${RUST_BUILD}`],
    run: `${RUST_BUILD}/debug/story`,
    check: `cargo test -q --manifest-path test/clients/rust/Cargo.toml --target-dir ${RUST_BUILD}`,
  },
  java: {
    source: 'test/clients/java/Story.java',
    tools: [
      { command: 'javac', asks: ['-version'], what: 'a Java development kit, 17 or newer' },
      { command: 'mvn', asks: ['-version'], what: 'Maven' },
    ],
    build: [
      'mvn -q -B -f clients/java package -Dmaven.test.skip -Dmaven.javadoc.skip -Dmaven.source.skip ' +
        'dependency:copy-dependencies -DincludeScope=runtime -DoutputDirectory=target/lib',
    ],
    run: `java -cp '${JARS}/*:${JARS}/lib/*' test/clients/java/Story.java`,
    check: `java -cp '${JARS}/*:${JARS}/lib/*' test/clients/java/Check.java`,
  },
  python: {
    source: 'test/clients/python/story.py',
    tools: [
      { command: 'python3', asks: ['-c', 'import ensurepip, venv'], what: 'Python 3.10 or newer with venv' },
    ],
    build: [
      'python3 -m venv clients/.tools/python',
      `${PYTHON} -m pip install -q -r clients/python/requirements.txt -r test/clients/python/requirements.txt`,
      `${PYTHON} -m compileall -q clients/python/centavo`,
    ],
    run: `PYTHONPATH=clients/python ${PYTHON} test/clients/python/story.py`,
    check: `PYTHONPATH=clients/python ${PYTHON} test/clients/python/fields.py`,
  },
  go: {
    source: 'test/clients/go/story.go',
    tools: [{ command: 'go', asks: ['list', '-C', 'test/clients/go', '-m'], what: 'Go 1.24 or newer' }],
    build: [`go build -C test/clients/go -o ../../../${GO_STORY} .`],
    run: GO_STORY,
    check: 'go test -C test/clients/go .',
  },
  typescript: {
    source: 'test/clients/typescript/story.ts',
    tools: [{ command: 'tsc', asks: ['--version'], what: 'TypeScript' }],
    build: ['tsc -p clients/typescript', 'tsc -p test/clients/typescript'],
    run: 'node test/clients/typescript/story.ts',
    check: 'node test/clients/typescript/fields.ts',
  },
};

/** By language or other generator. */
export const STORY_OF: Readonly<Record<string, Story>> = { ...LANGUAGE_STORIES, ...OTHER_GENERATORS };

/** The output of each story, in order. A client may print an unknown enum value as it is, or as its own placeholder. */
export const CHAPTERS: readonly RegExp[] = [
  /^customer: Ana Souza$/,
  /^card: visa 4242$/,
  /^order by card: paid$/,
  /^order by Pix: waiting_payment$/,
  /^simulated: paid$/,
  /^order by boleto: \d{47}$/,
  /^split: 2000 2000, own 6000$/,
  /^payment link: http:\S+\/l\/\S+$/,
  /^list: 10000 4990 15990$/,
  /^refund: partially_refunded 1990$/,
  /^refusal: 422 \S.+$/,
  /^later: (in_review|unknown_default_open_api) 4990$/,
];

/** One sentence for each chapter that is missing from a story's output, and for each unexpected line. */
export function missingChapters(output: string): string[] {
  const lines = output.trim().split('\n');
  const missing = CHAPTERS.flatMap((chapter, index) => {
    const line = lines[index] ?? 'nothing';
    return chapter.test(line) ? [] : [`Expected ${chapter.source}, but the story printed: ${line}`];
  });
  return [...missing, ...lines.slice(CHAPTERS.length).map((line) => `Unexpected: ${line}`)];
}
