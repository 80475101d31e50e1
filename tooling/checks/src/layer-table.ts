/**
 * The declared order of the folders of each package, from the top layer to the bottom layer. A file imports only from
 * its own folder, from folders of its own layer, and from lower layers. Names are folders of `src`, or single files of
 * `src` itself; files of `src` that are not named take part in the search for cycles only.
 */

/** Package folder → layers from top to bottom → names within the layer. */
export type LayerTable = Readonly<Record<string, readonly (readonly string[])[]>>;

export const LAYERS: LayerTable = {
  'apps/admin': [
    ['main.tsx', 'app.tsx', 'router.tsx'],
    ['shell'],
    [
      'account',
      'assistants',
      'audit-log',
      'calls',
      'campaigns',
      'consents',
      'do-not-call',
      'fraud-protection',
      'leads',
      'overview',
      'prices',
      'providers',
      'talk',
      'tokens',
      'trunks',
      'users',
      'webhooks',
    ],
    ['number-country', 'session'],
    ['ui'],
    ['client'],
  ],
  'apps/api': [
    ['main.ts', 'app.ts', 'lead-files.ts'],
    ['mcp'],
    ['docs', 'metrics', 'rest', 'trpc'],
    ['http'],
    ['http-errors.ts', 'idempotency.ts'],
  ],
  'apps/cli': [['main.ts', 'program.ts'], ['commands'], ['evaluations']],
  'apps/voice': [
    ['main.ts', 'app.ts'],
    ['diagnosis', 'evaluation', 'fleet', 'replies'],
    ['tools'],
    ['bridge'],
    ['ambience', 'usage'],
  ],
  'apps/worker': [
    ['main.ts', 'app.ts', 'task-list.ts'],
    ['tasks', 'webhooks'],
    ['worker-context.ts', 'pool-liveness.ts'],
  ],
  'packages/conversation': [
    ['conversation.ts'],
    ['realtime'],
    ['speaking', 'answering'],
    ['record'],
    ['turn'],
    ['conversation-settings.ts'],
    ['recognition', 'tools'],
    ['audio-line.ts', 'provider-chain.ts', 'language.rules.ts'],
  ],
  'packages/core': [
    ['setup'],
    ['retention'],
    [
      'assistants',
      'campaigns',
      'leads',
      'imports',
      'webhooks',
      'accounts',
      'trunks',
      'consents',
      'do-not-call',
      'fraud-protection',
    ],
    ['lifecycle'],
    ['dialing', 'outbox'],
    ['calls'],
    ['capacity'],
    ['lookups', 'prices', 'recordings', 'tools'],
    ['users'],
    ['audit'],
    ['context.ts'],
    ['shared', 'jobs'],
  ],
  'packages/db': [['backup', 'embedded', 'orm.ts'], ['migrations'], ['entities', 'sql']],
  'packages/runtime': [
    ['guarded-http', 'supervision'],
    ['clock.ts', 'settings.ts'],
  ],
  'packages/sip': [
    ['index.ts'],
    ['call'],
    ['media', 'registration'],
    ['dialog'],
    ['transaction'],
    ['message'],
  ],
  'packages/speech': [
    ['registry.ts', 'recognised-languages.ts', 'loudness'],
    ['fakes', 'providers'],
    ['wire'],
    ['ports.ts'],
  ],
  'packages/telephony': [
    ['fakes'],
    ['browser', 'sip'],
    ['rtp'],
    ['srtp'],
    ['call-leg.ts', 'media-factory.ts', 'ambience.ts'],
  ],
};
