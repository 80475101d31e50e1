/** The calls of a filter as CSV that is safe in a spreadsheet, newest first, streamed: there may be millions. */
import type { CallSummary } from '@parley/contracts';
import type { CoreContext } from '../context.ts';
import { csvLine } from '../shared/spreadsheet-cell.rules.ts';
import type { Identity } from '../users/identity.ts';
import { streamCallSummaries, type CallConditions } from './list-calls.ts';

const COLUMNS: readonly (readonly [name: string, value: (call: CallSummary) => string | number])[] = [
  ['id', (call) => call.id],
  ['created_at', (call) => call.created_at],
  ['type', (call) => call.type],
  ['client_phone_number', (call) => call.client_phone_number],
  ['assistant_phone_number', (call) => call.assistant_phone_number],
  ['assistant', (call) => call.assistant_name],
  ['campaign', (call) => call.campaign_name ?? ''],
  ['status', (call) => call.status],
  ['outcome', (call) => call.outcome ?? ''],
  ['disposition', (call) => call.disposition ?? ''],
  ['answered_by', (call) => call.answered_by],
  ['duration', (call) => call.duration],
  ['carrier_cost', (call) => call.carrier_cost],
  ['total_cost', (call) => call.total_cost],
  ['evaluation', (call) => jsonCell(call.evaluation)],
  ['variables', (call) => jsonCell(call.variables)],
];

/** Parts of the file, the header first; ends when the consumer stops reading. It has no transcripts. */
export async function* exportCalls(
  ctx: CoreContext,
  identity: Identity,
  conditions: CallConditions,
): AsyncGenerator<string> {
  yield csvLine(COLUMNS.map(([name]) => name));
  for await (const calls of streamCallSummaries(ctx, identity, conditions))
    yield calls.map((call) => csvLine(COLUMNS.map(([, value]) => value(call)))).join('');
}

function jsonCell(values: Record<string, unknown>): string {
  return Object.keys(values).length === 0 ? '' : JSON.stringify(values);
}
