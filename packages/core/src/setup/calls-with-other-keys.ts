/**
 * Calls in progress that need another key than `SECRET_KEY`: the headers of tools in the configuration that they began with
 * (calls keep theirs), or their conversation so far, which the next turn stores again.
 */
import { statement } from '@parley/db';
import type { CallConfiguration } from '../calls/call-configuration.ts';
import type { CoreContext } from '../context.ts';
import { UnknownKeyError, type SecretBox } from '../shared/secret-box.ts';
import { resealTools } from '../tools/assistant-tools.ts';

interface LiveRow {
  callId: number;
  configuration: Pick<CallConfiguration, 'assistant' | 'others'>;
  progress: string | null;
}

/** Calls that are read at a time. */
const BATCH = 100;
const selectLive = statement<LiveRow>(
  'live_calls_with_secrets',
  `select l.call_id, c.configuration, g.progress ->> 'sealed' as progress
   from live_calls l join calls c on c.id = l.call_id and c.created_at = l.call_created_at
     left join call_progress g on g.call_id = l.call_id
   where l.call_id > $1 order by l.call_id limit ${BATCH}`,
);

/** @returns how many there are now */
export async function countCallsWithOtherKeys(ctx: CoreContext): Promise<number> {
  let count = 0;
  let after: number | undefined = 0;
  while (after !== undefined) {
    const rows: LiveRow[] = await ctx.db.query(selectLive, [after]);
    count += rows.filter((row) => needsOtherKey(ctx.secretBox, row)).length;
    after = rows.at(-1)?.callId;
  }
  return count;
}

function needsOtherKey(secretBox: SecretBox, { configuration, progress }: LiveRow): boolean {
  const { assistant, others = [] } = configuration;
  try {
    return (
      [{ assistant }, ...others].some(
        (speaker) => resealTools(secretBox, speaker.assistant.tools) !== null,
      ) ||
      (progress !== null && secretBox.reseal(progress) !== null)
    );
  } catch (error) {
    if (error instanceof UnknownKeyError) return true;
    throw error;
  }
}
