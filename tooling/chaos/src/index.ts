/** What other tooling borrows: the judge of a dialer. The program itself is main.ts. */
export { readFacts } from './campaigns.ts';
export { judge, type CampaignFact, type Charge, type Evidence, type WireCall } from './oracle.rules.ts';
