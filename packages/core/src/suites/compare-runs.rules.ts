/** Compares two runs caller by caller. Callers are the same if they have the same name. */
import type { SuiteCallerResult, SuiteComparison, SuiteRunDetail } from '@parley/contracts';

/** In the order of the later run, then what only the earlier one had. */
export function compareRuns(before: SuiteRunDetail, after: SuiteRunDetail): SuiteComparison {
  const earlier = new Map(before.callers.map((caller) => [caller.name, summaryOf(caller)]));
  const compared = after.callers.map((caller) => {
    const found = earlier.get(caller.name) ?? null;
    earlier.delete(caller.name);
    const now = summaryOf(caller);
    return { name: caller.name, change: changeOf(found, now), before: found, after: now };
  });
  const removed = [...earlier.values()].map((caller) => ({
    name: caller.name,
    change: 'removed' as const,
    before: caller,
    after: null,
  }));
  return { before: runOf(before), after: runOf(after), callers: [...compared, ...removed] };
}

function runOf(detail: SuiteRunDetail): SuiteComparison['before'] {
  const { callers: _, ...run } = detail;
  return run;
}

function summaryOf(detail: SuiteRunDetail['callers'][number]): SuiteCallerResult {
  const { conversations: _, ...caller } = detail;
  return caller;
}

/** Compares the shares of the conversations that passed. */
function changeOf(
  before: SuiteCallerResult | null,
  after: SuiteCallerResult,
): SuiteComparison['callers'][number]['change'] {
  if (before === null) return 'added';
  const difference = shareOf(after) - shareOf(before);
  if (difference === 0) return 'same';
  return difference > 0 ? 'better' : 'worse';
}

function shareOf({ passed, done }: SuiteCallerResult): number {
  return done === 0 ? 0 : passed / done;
}
