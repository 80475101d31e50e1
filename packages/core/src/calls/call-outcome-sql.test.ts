import { answeredBy as answerers, callStatuses, endReasons } from '@parley/contracts';
import { statement } from '@parley/db';
import { useTestDatabase } from '@parley/testkit';
import { expect, it } from 'vitest';
import { outcomeOf } from './call-outcome.rules.ts';

const database = useTestDatabase();

const outcomes = statement<{ outcome: string | null }>(
  '',
  `select parley_call_outcome(c ->> 'status', c ->> 'endedReason', c ->> 'answeredBy') as outcome
   from jsonb_array_elements($1::jsonb) with ordinality as each (c, n) order by n`,
);

it('the database derives the same outcome as the rule, for every status, end reason and answerer', async () => {
  const calls = callStatuses.flatMap((status) =>
    [null, ...endReasons].flatMap((endedReason) =>
      answerers.map((answeredBy) => ({ status, endedReason, answeredBy })),
    ),
  );
  const rows = await database.db.query(outcomes, [JSON.stringify(calls)]);
  const derived = calls.map((call, index) => ({ ...call, outcome: rows[index]?.outcome }));
  expect(derived).toEqual(calls.map((call) => ({ ...call, outcome: outcomeOf(call) })));
});
