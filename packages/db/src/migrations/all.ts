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
import { CountCalls } from './12-call-counts.ts';
import { LimitCalls } from './13-call-limits.ts';
import { CreateLeadImports } from './15-lead-imports.ts';
import { QueueWebhooks } from './16-webhook-queue.ts';
import { AddHostedProviders } from './17-hosted-providers.ts';
import { AddToolCalls } from './19-tool-calls.ts';
import { AddBridges } from './20-bridges.ts';
import { PriceStages } from './21-costs-per-stage.ts';
import { AddHearingOfVoiceProcesses } from './22-hearing-of-voice-processes.ts';
import { NoteCampaignWakes } from './23-campaign-wakes.ts';
import { SumCallDays } from './24-call-day-counts.ts';

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
  { name: '12-call-counts', class: CountCalls },
  { name: '13-call-limits', class: LimitCalls },
  { name: '15-lead-imports', class: CreateLeadImports },
  { name: '16-webhook-queue', class: QueueWebhooks },
  { name: '17-hosted-providers', class: AddHostedProviders },
  { name: '19-tool-calls', class: AddToolCalls },
  { name: '20-bridges', class: AddBridges },
  { name: '21-costs-per-stage', class: PriceStages },
  { name: '22-hearing-of-voice-processes', class: AddHearingOfVoiceProcesses },
  { name: '23-campaign-wakes', class: NoteCampaignWakes },
  { name: '24-call-day-counts', class: SumCallDays },
];
