/** Every migration, oldest first. Names are kept for ever: the database remembers them. */
import { CreateUsers } from './01-users.ts';
import { CreateLookupsAndLines } from './02-lookups-and-lines.ts';
import { CreateAssistantsAndCampaigns } from './03-assistants-and-campaigns.ts';
import { CreateCalls } from './04-calls.ts';
import { CreateCallPartitions } from './05-call-partitions.ts';
import { SeedLookups } from './06-lookup-seed.ts';
import { RememberErasedAssistants } from './07-erased-assistants.ts';
import { SharpenLeads } from './08-lead-queue.ts';
import { CreateDialing } from './09-dialing.ts';
import { CreatePrices } from './10-prices.ts';
import { IndexCallFilters } from './11-call-filters.ts';

export const migrations = [
  { name: '01-users', class: CreateUsers },
  { name: '02-lookups-and-lines', class: CreateLookupsAndLines },
  { name: '03-assistants-and-campaigns', class: CreateAssistantsAndCampaigns },
  { name: '04-calls', class: CreateCalls },
  { name: '05-call-partitions', class: CreateCallPartitions },
  { name: '06-lookup-seed', class: SeedLookups },
  { name: '07-erased-assistants', class: RememberErasedAssistants },
  { name: '08-lead-queue', class: SharpenLeads },
  { name: '09-dialing', class: CreateDialing },
  { name: '10-prices', class: CreatePrices },
  { name: '11-call-filters', class: IndexCallFilters },
];
