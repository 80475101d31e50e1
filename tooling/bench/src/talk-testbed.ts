/**
 * The environment of `bench:talk`: an installation with hosted providers and assistants, the real voice process, and the
 * real worker, which hands calls over.
 */
import {
  addNumber,
  addProvider,
  createAssistant,
  listTrunks,
  listVoices,
  type CoreContext,
} from '@parley/core';
import { assistantDefaults } from '@parley/contracts';
import { freePorts } from '@parley/e2e';
import { pause, systemClock } from '@parley/runtime';
import { openInstallation, SECRETS, type Installation } from './installation.ts';
import { startMeasured, type MeasuredProcess } from './measured-process.ts';
import {
  END_WAIT_MS,
  GREETING,
  MODELS,
  NUMBERS,
  PEOPLE_REPLY,
  RE_ENGAGEMENT_MS,
  TOOL_NAME,
  type ProviderOrigins,
  type RecogniserKind,
} from './talk-script.rules.ts';

/** The environment; `leave` removes it. */
export interface TalkTestbed {
  installation: Installation;
  identity: Identity;
  /** Calls out. */
  outboundAssistantId: number;
  voice: MeasuredProcess;
  sipPort: number;
  leave(): Promise<void>;
}

type Identity = Parameters<typeof createAssistant>[1];
type NewAssistant = Parameters<typeof createAssistant>[2];

const VOICE = 'Bench';
const KEY = 'a key that the simulators take';
const READY_LIMIT_MS = 60_000;
/** Outside the ports of the tests; ports in use are skipped. */
const RTP_PORTS = '20000-21999';

/** Creates everything; after a failure nothing is left. */
export async function openTalkTestbed(recogniser: RecogniserKind = 'phrase'): Promise<TalkTestbed> {
  const installation = await openInstallation('parley-bench-talk-');
  const { leaving, leave, core, userId } = installation;
  try {
    const providers = startMeasured('tooling/bench/src/talk-providers.ts');
    leaving.push(() => providers.stop());
    const origins = await providers.exchange<ProviderOrigins>({ ask: 'origins', recogniser });
    const identity: Identity = { userId, role: 'operator', scopes: 'all', tokenId: null, timezone: 'UTC' };
    if (recogniser !== 'built-in') await addRecogniser(core, origins);
    await addProviders(core, origins);
    const outboundAssistantId = await createAssistants(core, identity, origins);
    const { voice, sipPort } = await startVoice(installation);
    return { installation, identity, outboundAssistantId, voice, sipPort, leave };
  } catch (error) {
    await leave();
    throw error;
  }
}

async function addRecogniser(core: CoreContext, { recogniser }: ProviderOrigins): Promise<void> {
  await addProvider(core, {
    name: 'Recogniser',
    kind: 'deepgram',
    baseUrl: recogniser,
    apiKey: KEY,
    models: [],
    voices: [],
  });
}

async function addProviders(core: CoreContext, origins: ProviderOrigins): Promise<void> {
  const offer = (name: string, wireName = name) => ({ name, wireName });
  await addProvider(core, {
    name: 'Voice',
    kind: 'elevenlabs',
    baseUrl: origins.voice,
    apiKey: KEY,
    models: [],
    voices: [offer(VOICE, 'simulated-1')],
  });
  await addProvider(core, {
    name: 'Model',
    kind: 'openai-compatible',
    baseUrl: origins.model,
    models: Object.values(MODELS).map((name) => offer(name)),
    voices: [],
  });
}

/** @returns the outbound assistant */
async function createAssistants(
  core: CoreContext,
  identity: Identity,
  { tool }: ProviderOrigins,
): Promise<number> {
  const voiceId = (await listVoices(core, identity)).find(({ name }) => name === VOICE)?.id ?? 0;
  const trunkId = (await listTrunks(core, identity))[0]?.id ?? 0;
  const create = async (model: string, number: string | null, more: Partial<NewAssistant> = {}) => {
    const line = { phone_number: number ?? '', sip_trunk_id: trunkId, type_label: 'SIP' } as const;
    const place = number === null ? {} : { phone_number_id: (await addNumber(core, identity, line)).id };
    return createAssistant(core, identity, {
      ...ASSISTANT,
      ...place,
      ...more,
      llm_model: model,
      voice_id: voiceId,
    });
  };
  await create(MODELS.short, NUMBERS.talker);
  await create(MODELS.long, NUMBERS.interrupter, { interrupt_sensitivity: 0 });
  await create(MODELS.tool, NUMBERS.waiter, { fillers: true, tools: [slowTool(tool)] });
  await create(MODELS.people, NUMBERS.person, {
    initial_message: PEOPLE_REPLY,
    endpoint_sensitivity: assistantDefaults.endpoint_sensitivity,
    interrupt_sensitivity: assistantDefaults.interrupt_sensitivity,
    reengagement_interval: RE_ENGAGEMENT_MS / 1000,
  });
  return (await create(MODELS.short, null, { type: 'outbound' })).id;
}

const ASSISTANT = {
  name: 'Bench',
  language: 'English',
  type: 'inbound',
  mode: 'pipeline',
  timezone: 'UTC',
  initial_message: GREETING,
  initial_message_delay: 0,
  system_prompt: 'You take bookings.',
  endpoint_sensitivity: END_WAIT_MS / 1000,
  interrupt_sensitivity: 0.1,
  record: true,
} satisfies Partial<NewAssistant>;

function slowTool(url: string): NonNullable<NewAssistant['tools']>[number] {
  return {
    type: 'http_request',
    name: TOOL_NAME,
    description: 'Looks up free tables.',
    url,
    method: 'POST',
    headers: [],
    parameters: { type: 'object', properties: {} },
    timeout_seconds: 10,
  };
}

async function startVoice({
  databaseUrl,
  folder,
  leaving,
}: Installation): Promise<{ voice: MeasuredProcess; sipPort: number }> {
  const [sipPort = 0, controlPort = 0] = await freePorts(2);
  const voice = startMeasured('apps/voice/src/main.ts', {
    ...SECRETS,
    DATABASE_URL: databaseUrl,
    DATA_DIR: folder,
    VOICE_LISTEN: `127.0.0.1:${controlPort}`,
    SIP_LISTEN: `127.0.0.1:${sipPort}`,
    RTP_PORTS,
    VOICE_CAPACITY: '400',
    DRAIN_LIMIT: '0',
    WEBHOOK_ALLOW_PRIVATE: 'loopback',
  });
  leaving.push(() => voice.stop());
  await untilReady(`http://127.0.0.1:${controlPort}/readyz`);
  return { voice, sipPort };
}

async function untilReady(url: string): Promise<void> {
  const limitMs = systemClock.monotonic() + READY_LIMIT_MS;
  for (;;) {
    const isReady = await fetch(url).then(
      ({ ok }) => ok,
      () => false,
    );
    if (isReady) return;
    if (systemClock.monotonic() > limitMs) throw new Error('The voice process did not become ready');
    await pause(systemClock, 100);
  }
}
