/** Files and uploads for tests of imports. */
import { statement } from '@parley/db';
import { importLeads, type ImportOptions } from '../src/index.ts';
import type { Arrangement } from './arrange.ts';

type Target = Pick<Arrangement, 'ctx' | 'identity'> & { campaignId: number };

/** One of ten thousand numbers of the fictional range, the same for the same place. */
export function numberAt(place: number): string {
  const area = 201 + Math.floor(place / 100);
  return `+1${area}55501${String(place % 100).padStart(2, '0')}`;
}

/** Sends a whole file. */
export function importCsv(
  { ctx, identity, campaignId }: Target,
  csv: string | Buffer,
  options: ImportOptions = {},
  key?: string,
) {
  return importLeads(ctx, identity, { campaignId, options, key, bytes: bytesOf([Buffer.from(csv)]) });
}

/** Bytes as they arrive; a promise is waited for. */
export async function* bytesOf(
  chunks: readonly Uint8Array[],
  gate?: Promise<void>,
  rest?: Uint8Array,
): AsyncGenerator<Uint8Array> {
  yield* chunks;
  await gate;
  if (rest) yield rest;
}

/** An upload whose sender goes away, once `isTime`. */
export async function* cutOff(
  chunks: readonly Uint8Array[] = [],
  isTime: () => Promise<unknown> = () => Promise.resolve(),
): AsyncGenerator<Uint8Array> {
  yield* chunks;
  await isTime();
  throw new Error('The upload was cut off');
}

const selectLeads = statement<{ phoneNumber: string; variables: Record<string, unknown> }>(
  '',
  `select phone_number, variables from leads where campaign_id = $1 order by id`,
);

/** The leads of the campaign, oldest first. */
export function leadNumbers({ ctx, campaignId }: Target) {
  return ctx.db.query(selectLeads, [campaignId]);
}
