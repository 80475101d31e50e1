/** Every migration, oldest first. A name never changes: the database stores the names of those that it has run. */
import { CreateTables } from './01-tables.ts';
import { SeedLookups } from './02-lookup-seed.ts';
import { CreateDialPolicy } from './03-dial-policy.ts';
import { CreateDialLimits } from './04-dial-limits.ts';
import { DropVoiceEpochs } from './05-voice-epochs.ts';
import { AddLastSignIn } from './06-last-sign-in.ts';
import { AllowInboundCallsPerNumber } from './07-inbound-calls-per-number.ts';
import { AddInitialMessageSettings } from './08-initial-message.ts';
import { CountCallsByOutcome } from './09-count-calls-by-outcome.ts';
import { CreateRestoredCopy } from './10-restored-copy.ts';
import { DescribeSignIns } from './11-sign-ins.ts';
import { AddRtpTimeout } from './12-rtp-timeout.ts';
import { AddOptOut } from './15-opt-out.ts';
import { AddTrunkDtmf } from './19-trunk-dtmf.ts';
import { AddFallbackModels } from './21-fallback-models.ts';
import { AddTrunkFirstSuccess } from './22-trunk-first-success.ts';
import { CreateAssistantGroups } from './23-assistant-groups.ts';
import { CountInboundRefusals } from './24-inbound-refusals.ts';
import { AddDisabledAt } from './25-disabled-users.ts';
import { AddSecondFactor } from './26-second-factor.ts';
import { AddDisclosureMessages } from './31-disclosure.ts';
import { AddNoiseRemoved } from './36-recordings-without-noise.ts';

export const migrations = [
  { name: '01-tables', class: CreateTables },
  { name: '02-lookup-seed', class: SeedLookups },
  { name: '03-dial-policy', class: CreateDialPolicy },
  { name: '04-dial-limits', class: CreateDialLimits },
  { name: '05-voice-epochs', class: DropVoiceEpochs },
  { name: '06-last-sign-in', class: AddLastSignIn },
  { name: '07-inbound-calls-per-number', class: AllowInboundCallsPerNumber },
  { name: '08-initial-message', class: AddInitialMessageSettings },
  { name: '09-count-calls-by-outcome', class: CountCallsByOutcome },
  { name: '10-restored-copy', class: CreateRestoredCopy },
  { name: '11-sign-ins', class: DescribeSignIns },
  { name: '12-rtp-timeout', class: AddRtpTimeout },
  { name: '15-opt-out', class: AddOptOut },
  { name: '19-trunk-dtmf', class: AddTrunkDtmf },
  { name: '21-fallback-models', class: AddFallbackModels },
  { name: '22-trunk-first-success', class: AddTrunkFirstSuccess },
  { name: '23-assistant-groups', class: CreateAssistantGroups },
  { name: '24-inbound-refusals', class: CountInboundRefusals },
  { name: '25-disabled-users', class: AddDisabledAt },
  { name: '26-second-factor', class: AddSecondFactor },
  { name: '31-disclosure', class: AddDisclosureMessages },
  { name: '36-recordings-without-noise', class: AddNoiseRemoved },
];
