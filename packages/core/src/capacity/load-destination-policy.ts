/** The operator's policy of destinations, and the check that every dial makes. */
import { sendTogether, statement, type DialPolicyRow, type Tx } from '@parley/db';
import { destinationOf } from '../shared/number-kind.ts';
import {
  refusalOfDestination,
  type DestinationPolicy,
  type DestinationRefusal,
} from './destination.rules.ts';
import { isHarmless, type RouteTrunk } from './route-call.rules.ts';

interface PolicyRow extends Pick<DialPolicyRow, 'allowedCountries' | 'blockedKinds'> {
  /** One of each country; empty where the operator has a list. */
  ownNumbers: string[];
}

/**
 * The operator's own numbers: those of operators, and those on shared trunks, which only operators assign. A member
 * must not widen the list with a number on a trunk of their own. Test phones are not counted, because they reach no
 * carrier.
 */
const selectPolicy = statement<PolicyRow>(
  'destination_policy',
  `select p.allowed_countries, p.blocked_kinds, case when p.allowed_countries is null then array(
     select min(n.phone_number) from phone_numbers n
     join trunks t on t.id = n.trunk_id join users u on u.id = n.user_id
     where t.reach = 'any' and (t.user_id is null or u.role = 'operator') group by n.country_code
     union
     select t.caller_number from trunks t where t.reach = 'any' and t.caller_number is not null and exists (
       select 1 from phone_numbers n join users u on u.id = n.user_id
       where n.trunk_id = t.id and (t.user_id is null or u.role = 'operator'))
   ) else '{}' end as own_numbers
   from dial_policy p`,
);

const selectReach = statement<Pick<RouteTrunk, 'reach'>>(
  'reach_of_dial',
  `select reach from trunks where id = $1`,
);

/** @param tx - reads without a lock, so that a change applies to every call that is checked after its commit */
export async function loadDestinationPolicy(tx: Tx): Promise<DestinationPolicy> {
  const [row] = await tx.query(selectPolicy);
  if (!row) throw new Error('The destination policy is missing');
  return { allowedCountries: allowedCountriesOf(row), blockedKinds: new Set(row.blockedKinds) };
}

function allowedCountriesOf({ allowedCountries, ownNumbers }: PolicyRow): ReadonlySet<string> | null {
  if (allowedCountries !== null) return new Set(allowedCountries);
  const countries = ownNumbers.flatMap((number) => destinationOf(number).country ?? []);
  return countries.length > 0 ? new Set(countries) : null;
}

/** Whether trunks that lead to a carrier may dial a number. @param to - E.164 @returns null when they may */
export function refusalOf(policy: DestinationPolicy, to: string): DestinationRefusal | null {
  return refusalOfDestination(policy, destinationOf(to));
}

/** The last check before a dial or a transfer, for the selected trunk. */
export async function findDestinationRefusal(
  tx: Tx,
  { trunkId, to }: { trunkId: number | null; to: string },
): Promise<DestinationRefusal | null> {
  const [[trunk], policy] = await sendTogether(tx, [
    (tx) => tx.query(selectReach, [trunkId]),
    (tx) => loadDestinationPolicy(tx),
  ]);
  return trunk && isHarmless(trunk) ? null : refusalOf(policy, to);
}
