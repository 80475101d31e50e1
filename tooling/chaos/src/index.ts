/** The oracle, for other tooling. The program is main.ts. */
export { readFacts } from './campaigns.ts';
export { judge, type CampaignFact, type Charge, type Evidence, type WireCall } from './oracle.rules.ts';
