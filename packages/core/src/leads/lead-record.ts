/** The one translator from our rows to leads of the wire. */
import {
  localDateTime,
  type LeadRecord,
  type LeadStatus,
  type SecondaryContactRecord,
} from '@parley/contracts';

/** What is read of a secondary contact. */
export interface ContactListRow {
  id: number;
  /** The id of the lead that a contact belongs to; null for a lead. */
  parentId: number | null;
  phoneNumber: string;
  variables: Record<string, unknown>;
  status: LeadStatus;
  createdAt: Date;
  updatedAt: Date;
}

/** What is read of a lead. */
export interface LeadListRow extends Omit<ContactListRow, 'parentId'> {
  campaignId: number;
  campaignName: string;
}

/** SQL of {@link LeadListRow}'s columns, for a query over `leads l join campaigns c`. */
export const LEAD_LIST_COLUMNS = `l.id, l.campaign_id, l.phone_number, l.variables, l.status, l.created_at, l.updated_at,
  c.name as campaign_name`;

/** SQL of {@link ContactListRow}'s columns. */
export const CONTACT_COLUMNS = `id, parent_id, phone_number, variables, status, created_at, updated_at`;

/** @param timezone - IANA name; local date-times are in the reader's zone */
export function leadRecord(
  row: LeadListRow,
  contacts: readonly ContactListRow[],
  timezone: string,
): LeadRecord {
  return {
    id: row.id,
    campaign_id: row.campaignId,
    phone_number: row.phoneNumber,
    variables: row.variables,
    status: row.status,
    created_at: localDateTime(row.createdAt, timezone),
    updated_at: localDateTime(row.updatedAt, timezone),
    campaign: { id: row.campaignId, name: row.campaignName },
    secondary_contacts: contacts.map((contact) => contactRecord(contact, timezone)),
  };
}

function contactRecord(row: ContactListRow, timezone: string): SecondaryContactRecord {
  return {
    id: row.id,
    phone_number: row.phoneNumber,
    variables: row.variables,
    status: row.status,
    created_at: localDateTime(row.createdAt, timezone),
    updated_at: localDateTime(row.updatedAt, timezone),
  };
}
