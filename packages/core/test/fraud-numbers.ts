/** Numbers that toll fraud dials, of every kind that the default settings of an installation refuse. */
import type { NumberKind } from '@parley/contracts';

/** What it is, the number, and how it is classified. */
export const BLOCKED_NUMBERS: readonly (readonly [what: string, phoneNumber: string, kind: NumberKind])[] = [
  ['premium rate, United States', '+19005551234', 'premium'],
  ['premium rate, United Kingdom', '+449098790123', 'premium'],
  ['premium rate, Germany', '+499001123456', 'premium'],
  ['premium rate, Germany, one digit short', '+49900112345', 'premium'],
  ['premium rate, Germany, one digit long', '+4990011234567', 'premium'],
  ['premium rate, France', '+33899123456', 'premium'],
  ['premium rate, Italy', '+39899123456', 'premium'],
  ['premium rate, Spain', '+34806123456', 'premium'],
  ['premium rate, Australia', '+611900123456', 'premium'],
  ['premium rate, Switzerland', '+41900123456', 'premium'],
  ['premium rate, Netherlands', '+31900123456', 'premium'],
  ['premium rate, Finland', '+358600123456', 'premium'],
  ['premium rate, Japan', '+81990123456', 'premium'],
  ['premium rate, Russia', '+78091234567', 'premium'],
  ['international premium rate', '+979123456789', 'premium'],
  ['shared cost, Germany', '+491801234567', 'shared_cost'],
  ['shared cost, France', '+33810123456', 'shared_cost'],
  ['shared cost, Austria', '+43820123456', 'shared_cost'],
  ['international shared cost', '+80812345678', 'shared_cost'],
  ['Inmarsat', '+870773123456', 'satellite'],
  ['Iridium', '+881612345678', 'satellite'],
  ['Globalstar', '+881812345678', 'satellite'],
  ['Thuraya', '+882161234567', 'international_network'],
  ['a global network', '+883510012345678', 'international_network'],
  ['universal personal telecommunications', '+878101234567890', 'international_network'],
  ['personal number, United Kingdom', '+447012345678', 'personal'],
  ['personal number, North America', '+15005551234', 'personal'],
  ['company number, South Africa', '+27861123456', 'company'],
];

/** Countries that callback scams use; two letters, as the settings name them. */
export const SCAM_NUMBERS: readonly (readonly [country: string, phoneNumber: string])[] = [
  ['JM', '+18763551234'],
  ['DO', '+18095551234'],
  ['GD', '+14735551234'],
  ['VG', '+12845551234'],
  ['MR', '+22245123456'],
  ['SL', '+23276123456'],
  ['SO', '+25261234567'],
  ['LV', '+37121234567'],
  ['CU', '+5351234567'],
  ['AC', '+24740123'],
  ['MV', '+9607712345'],
  ['NR', '+6745551234'],
];
