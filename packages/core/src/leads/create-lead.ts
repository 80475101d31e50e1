/**
 * Creates a lead with its secondary contacts and queues it: one round trip, or a transaction when the campaign is running and
 * has to be woken. SQL, because this is a hot endpoint (goals P16). The function `parley_create_lead` detects duplicates
 * under a lock of the number, so that of several concurrent creations one succeeds.
 */
import {
  errorText,
  fieldFault,
  localDateTime,
  wording,
  type LeadRecord,
  type NewLead,
} from '@parley/contracts';
import { json, statement, type Tx } from '@parley/db';
import { wakeCampaign } from '../jobs/wake-campaign.ts';
import { now, type CoreContext } from '../context.ts';
import { DomainError, type FieldMessages } from '../shared/domain-error.ts';
import type { Identity } from '../users/identity.ts';
import { readAccountNumbers } from '../users/account-number.ts';

interface Creation {
  outcome: 'created' | 'no-campaign' | 'running' | 'taken';
  leadId: number;
  contactIds: number[];
  campaignName: string;
  taken: string[];
}

const insertLead = statement<Creation>(
  'create_lead',
  `select outcome, lead_id, to_json(contact_ids) as contact_ids, campaign_name, taken
   from parley_create_lead($1, $2, $3, $4, $5, $6, $7, $8)`,
);
const selectCampaign = statement<{ id: number }>(
  'lead_campaign',
  `select id from campaigns where id = $1 and user_id = $2 and deleted_at is null`,
);

const CAMPAIGN_FAULT = fieldFault('campaign_id', wording.selected);

/** A lead with its numbers read. */
interface ReadLead {
  userId: number;
  campaignId: number;
  phoneNumber: string;
  variables: Record<string, unknown>;
  contacts: { phoneNumber: string; variables: Record<string, unknown> }[];
  isDuplicateAllowed: boolean;
  at: Date;
}

/**
 * @throws DomainError `invalid`, with messages per field, for a campaign that does not exist or belongs to another user,
 *   for impossible numbers, and for numbers that the campaign already has
 */
export async function createLead(ctx: CoreContext, identity: Identity, input: NewLead): Promise<LeadRecord> {
  const lead = await readLead(ctx, identity, input);
  const first = await runCreation(ctx.db, lead, false);
  const creation = first.outcome === 'running' ? await createAndWake(ctx, lead) : first;
  if (creation.outcome === 'no-campaign') throw invalid(CAMPAIGN_FAULT);
  if (creation.outcome === 'taken') throw invalid(takenFaults(lead, creation.taken));
  return newLeadRecord(lead, creation, identity.timezone);
}

/** Repeats the checks. The campaign may have been stopped in between; waking it is harmless then. */
async function createAndWake(ctx: CoreContext, lead: ReadLead): Promise<Creation> {
  return ctx.db.transaction(async (tx) => {
    const creation = await runCreation(tx, lead, true);
    if (creation.outcome === 'created') await wakeCampaign(tx, lead.campaignId);
    return creation;
  });
}

async function runCreation(tx: Tx, lead: ReadLead, canWake: boolean): Promise<Creation> {
  const [creation] = await tx.query(insertLead, [
    lead.userId,
    lead.campaignId,
    lead.phoneNumber,
    json(lead.variables),
    json(lead.contacts),
    lead.isDuplicateAllowed,
    canWake,
    lead.at,
  ]);
  if (!creation) throw new Error('A lead could not be written');
  return creation;
}

async function readLead(ctx: CoreContext, identity: Identity, input: NewLead): Promise<ReadLead> {
  const contacts = input.secondary_contacts ?? [];
  const { userId } = identity;
  const texts = [input.phone_number, ...contacts.map(({ phone_number }) => phone_number)];
  const numbers = await readAccountNumbers(ctx.db, userId, texts);
  const lead = {
    userId,
    campaignId: input.campaign_id,
    phoneNumber: numbers[0] ?? '',
    variables: input.variables ?? {},
    contacts: contacts.map(({ variables = {} }, place) => ({
      phoneNumber: numbers[place + 1] ?? '',
      variables,
    })),
    isDuplicateAllowed: input.allow_dupplicate ?? input.allow_duplicate ?? false,
    at: now(ctx),
  };
  const faults = numberFaults(numbers, lead.isDuplicateAllowed);
  if (Object.keys(faults).length === 0) return lead;
  const [campaign] = await ctx.db.query(selectCampaign, [lead.campaignId, userId]);
  throw invalid({ ...faults, ...(campaign ? {} : CAMPAIGN_FAULT) });
}

/** The messages for impossible numbers and for numbers that occur twice in the lead. */
function numberFaults(numbers: readonly (string | null)[], isDuplicateAllowed: boolean): FieldMessages {
  const faults: FieldMessages = {};
  const seen = new Set<string>();
  for (const [place, number] of numbers.entries()) {
    const field = fieldOf(place);
    if (number === null) faults[field] = ['Invalid phone number'];
    else if (seen.has(number) && !isDuplicateAllowed) Object.assign(faults, fieldFault(field, wording.taken));
    else seen.add(number);
  }
  return faults;
}

/** @param place - 0 is the lead's own number, then its contacts */
function fieldOf(place: number): string {
  return place === 0 ? 'phone_number' : `secondary_contacts.${place - 1}.phone_number`;
}

function takenFaults(lead: ReadLead, taken: readonly string[]): FieldMessages {
  const numbers = [lead.phoneNumber, ...lead.contacts.map(({ phoneNumber }) => phoneNumber)];
  const faults = numbers.flatMap((number, place) =>
    taken.includes(number) ? [fieldFault(fieldOf(place), wording.taken)] : [],
  );
  return Object.assign({}, ...faults) as FieldMessages;
}

function invalid(fields: FieldMessages): DomainError {
  return new DomainError('invalid', errorText.validationFailed, { fields });
}

/** Builds the record from what was just written, without reading it. */
function newLeadRecord(lead: ReadLead, creation: Creation, timezone: string): LeadRecord {
  const at = localDateTime(lead.at, timezone);
  const fresh = { status: 'created', created_at: at, updated_at: at } as const;
  return {
    id: creation.leadId,
    campaign_id: lead.campaignId,
    phone_number: lead.phoneNumber,
    variables: lead.variables,
    ...fresh,
    campaign: { id: lead.campaignId, name: creation.campaignName },
    secondary_contacts: lead.contacts.map(({ phoneNumber, variables }, place) => ({
      id: creation.contactIds[place] ?? 0,
      phone_number: phoneNumber,
      variables,
      ...fresh,
    })),
  };
}
