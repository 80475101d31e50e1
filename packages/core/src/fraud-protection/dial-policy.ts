/**
 * The policy of the whole installation: countries and kinds of numbers that may be dialed, and limits. Only operators
 * change it.
 */
import {
  errorText,
  fieldFault,
  numberKinds,
  wording,
  type DialPolicyInput,
  type DialPolicyRecord,
} from '@parley/contracts';
import { DialPolicy, LockMode, type DialPolicyRow, type Tx } from '@parley/db';
import { loadDestinationPolicy } from '../capacity/load-destination-policy.ts';
import { now, type CoreContext } from '../context.ts';
import { lockRunningCampaigns } from '../dialing/campaign-rows.ts';
import { queueRefusedLeads } from '../dialing/lead-state.ts';
import { DomainError } from '../shared/domain-error.ts';
import { changeLimits, readLimits } from './dial-limits.ts';
import { listWarnings } from './list-warnings.ts';
import { tariffCountry } from '../shared/number-kind.ts';
import type { Identity } from '../users/identity.ts';
import { requireOperator } from '../users/require-operator.ts';

/** @throws DomainError `forbidden` for members */
export async function readDialPolicy(ctx: CoreContext, identity: Identity): Promise<DialPolicyRecord> {
  requireOperator(identity);
  return policyRecord(ctx.db, await ctx.db.em.findOneOrFail(DialPolicy, { id: 1 }));
}

/**
 * Applies to every call that has not been dialed. Leads that were refused are checked again.
 *
 * @throws DomainError `forbidden` for members; `invalid` for an unknown country code
 */
export async function changeDialPolicy(
  ctx: CoreContext,
  identity: Identity,
  input: DialPolicyInput,
): Promise<DialPolicyRecord> {
  requireOperator(identity);
  const countries = input.allowed_countries?.map(readCountry);
  return ctx.db.transaction(async (tx) => {
    const lockMode = LockMode.PESSIMISTIC_WRITE;
    const row = await tx.em.findOneOrFail(DialPolicy, { id: 1 }, { lockMode });
    if (input.allowed_countries !== undefined)
      row.allowedCountries = countries ? [...new Set(countries)].toSorted() : null;
    if (input.sms_per_day !== undefined) row.smsPerDay = input.sms_per_day;
    if (input.blocked_number_types) row.blockedKinds = [...new Set(input.blocked_number_types)];
    await changeLimits(tx, input.limits ?? {});
    await tx.em.flush();
    await lockRunningCampaigns(tx, null);
    await queueRefusedLeads(tx, now(ctx));
    return policyRecord(tx, row);
  });
}

async function policyRecord(
  tx: Tx,
  { allowedCountries, blockedKinds, smsPerDay }: DialPolicyRow,
): Promise<DialPolicyRecord> {
  const inForce = (await loadDestinationPolicy(tx)).allowedCountries;
  return {
    allowed_countries: allowedCountries,
    countries_in_force: inForce && [...inForce].toSorted(),
    blocked_number_types: numberKinds.filter((kind) => blockedKinds.includes(kind)),
    sms_per_day: smsPerDay,
    limits: await readLimits(tx),
    warnings: await listWarnings(tx),
  };
}

function readCountry(text: string, index: number): string {
  const country = tariffCountry(text.trim().toUpperCase());
  if (country !== null) return country;
  const fields = fieldFault(`allowed_countries.${index}`, wording.selected);
  throw new DomainError('invalid', errorText.invalidData, { fields });
}
