import { readFile } from 'node:fs/promises';
import type { Command } from '@commander-js/extra-typings';
import { findMerchantById, listMerchants } from '../../db/merchants/merchants.ts';
import { addDays } from '../../domain/business-days.ts';
import type { SettlementLine } from '../../domain/ledger/settlement.ts';
import type { MerchantScope } from '../../domain/scope.ts';
import { MalformedFile, readSettlementFile } from '../../gateway/settlement-file.ts';
import type { SettlementFiles } from '../../gateway/settlement-files.ts';
import { type RecordedDifference, reconcileDay } from '../../services/payments/reconcile-day.ts';
import { examples, type Output, type Run, SAMPLE_ID } from './command.ts';
import { noMerchant } from './merchant.ts';
import type { Operator } from './operator.ts';
import { single } from './options.ts';
import { sentenceOf } from './sentence.ts';
import { table } from './text.ts';
import { readDay, readId, readPath, UsageError } from './values.ts';

interface Options {
  readonly day: string;
  readonly file?: string | undefined;
  readonly merchant?: string | undefined;
}

export function addReconcileCommand(command: Command, run: Run): void {
  command
    .description(
      'Compare the settlement file of a day with the ledger. Each difference becomes a discrepancy.',
    )
    .requiredOption('--day <day>', 'A day in São Paulo: 2026-12-24.', single('--day', readDay))
    .option(
      '--file <path>',
      "The file of one merchant. Default: the acquirer's file.",
      single('--file', readPath),
    )
    .option('--merchant <id>', 'Id of a merchant. Default: all merchants.', single('--merchant', readId))
    .addHelpText(
      'after',
      examples(
        'reconcile --day 2026-12-24',
        `reconcile --day 2026-12-24 --merchant ${SAMPLE_ID} --file settlement.csv`,
      ),
    )
    .action((options) => run((operator) => reconcile(operator, options)));
}

/** The result of one merchant. */
interface Compared {
  readonly merchantId: string;
  readonly lines: number;
  readonly differences: readonly RecordedDifference[];
}

/** A merchant whose day could not be compared. */
interface Failed {
  readonly merchantId: string;
  /** A sentence. */
  readonly cause: string;
}

async function reconcile(operator: Operator, { day, file, merchant }: Options): Promise<Output> {
  const merchants = await merchantsNamed(operator, merchant);
  if (file !== undefined && merchants.length !== 1) {
    throw new UsageError('--file needs --merchant, because there is more than one merchant.');
  }
  const given = file === undefined ? undefined : await linesOfFile(file);
  const files = await operator.settlementFiles();
  const results: Compared[] = [];
  const failures: Failed[] = [];
  for (const scope of merchants) {
    const { merchantId } = scope;
    try {
      const lines = given ?? (await linesOfDay(files, merchantId, day));
      const differences = await compare(operator, scope, { day, lines, files });
      results.push({ merchantId, lines: lines.length, differences });
    } catch (error) {
      failures.push({ merchantId, cause: sentenceOf(error) });
    }
  }
  return {
    json: { day, merchants: results.map(resultJson), failed: failures.map(failureJson) },
    text: textOf(day, results, failures),
    ...(failures.length === 0 ? {} : { failure: failureOf(day, failures, merchants) }),
  };
}

/** The files of the days around it are optional, as for the nightly job: that of the current day is there tomorrow. */
async function compare(
  operator: Operator,
  scope: MerchantScope,
  { day, lines, files }: { day: string; lines: readonly SettlementLine[]; files: SettlementFiles },
): Promise<RecordedDifference[]> {
  const [before, after] = await Promise.all(
    [-1, 1].map(async (days) => {
      const answer = await files.read(scope.merchantId, addDays(day, days));
      return answer.kind === 'file' ? answer.lines : [];
    }),
  );
  return reconcileDay(operator, scope, { day, lines, before: before!, after: after! });
}

function failureOf(day: string, failures: readonly Failed[], merchants: readonly unknown[]): string {
  return `${day} was not compared for ${failures.length} of ${merchants.length} merchants.`;
}

async function merchantsNamed({ db }: Operator, id: string | undefined): Promise<MerchantScope[]> {
  if (id === undefined) return listMerchants(db);
  const merchant = await findMerchantById(db, id);
  if (merchant === undefined) throw noMerchant(id);
  return [merchant];
}

async function linesOfDay(
  files: SettlementFiles,
  merchantId: string,
  day: string,
): Promise<readonly SettlementLine[]> {
  const answer = await files.read(merchantId, day);
  if (answer.kind === 'file') return answer.lines;
  throw new Error(`The acquirer gave no settlement file: ${answer.cause}.`);
}

async function linesOfFile(path: string): Promise<SettlementLine[]> {
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw new UsageError(`The file ${path} cannot be read: ${error.code}.`);
  });
  return parsed(text);
}

function parsed(text: string): SettlementLine[] {
  try {
    return readSettlementFile(text);
  } catch (error) {
    if (error instanceof MalformedFile) {
      throw new UsageError(`The settlement file is malformed. ${error.message}`);
    }
    throw error;
  }
}

function resultJson({ merchantId, lines, differences }: Compared) {
  return {
    merchant_id: merchantId,
    lines,
    differences: differences.map((difference) => ({
      reason: difference.reason,
      type: difference.type,
      reference: difference.reference,
      payment_id: difference.paymentId,
      reported_centavos: difference.reported_centavos,
      recorded_centavos: difference.recorded_centavos,
      discrepancy_id: difference.discrepancy?.id ?? null,
    })),
  };
}

function failureJson({ merchantId, cause }: Failed) {
  return { merchant_id: merchantId, cause };
}

function textOf(day: string, results: readonly Compared[], failures: readonly Failed[]): string {
  const lines = results.reduce((sum, result) => sum + result.lines, 0);
  const rows = results.flatMap(({ merchantId, differences }) =>
    differences.map((difference) => ({
      merchant_id: merchantId,
      reason: difference.reason,
      type: difference.type,
      reference: difference.reference,
      reported: difference.reported_centavos,
      recorded: difference.recorded_centavos,
    })),
  );
  const counted = rows.length === 1 ? '1 difference' : `${rows.length} differences`;
  const summary = `${day}: ${lines} lines of ${results.length} merchants, ${counted}.`;
  const tables = [rows, failures.map(failureJson)].filter((each) => each.length > 0);
  return [summary, ...tables.map((each) => table(each, ''))].join('\n');
}
