/** Versions of an assistant: its settings after every saved change, with the endpoints to read and restore them. */
import { z } from 'zod';
import { written } from './answers.ts';
import { assistantDetails } from './assistant-record.ts';
import { c, metadata } from './contract.ts';
import { isoMicrosecondsField } from './dates.ts';
import { bodyErrors, singleErrors } from './errors.ts';
import { choice, idParameter, list, shape } from './fields.ts';

/** Stored for each assistant; the oldest are dropped. */
export const MAX_ASSISTANT_VERSIONS = 200;

/**
 * What an update of an assistant can write, under read names, but its folder and labels. The values of headers of tools are
 * left out.
 */
const assistantSettings = assistantDetails
  .omit({
    id: true,
    user_id: true,
    uuid: true,
    language: true,
    engine_id: true,
    synthesizer_id: true,
    transcriber_id: true,
    instance_id: true,
    synthesizer_provider_id: true,
    multimodal_model_id: true,
    flows_platform_id: true,
    knowledgebase_id: true,
    created_at: true,
    updated_at: true,
    deleted_at: true,
    folder_id: true,
    label_ids: true,
  })
  .meta({ id: 'AssistantSettings' });

/** The settings of an assistant. */
export type AssistantSettings = z.output<typeof assistantSettings>;

/** The names of {@link assistantSettings}. */
export const assistantSettingNames = Object.keys(assistantSettings.shape) as [
  keyof AssistantSettings,
  ...(keyof AssistantSettings)[],
];

const restoreBody = shape({
  /** Absent: all. */
  settings: list(choice(assistantSettingNames), {
    minimum: 1,
    maximum: assistantSettingNames.length,
  }).optional(),
}).meta({ id: 'RestoreVersion' });

const assistantVersion = z
  .strictObject({
    /** From 1, counted for each assistant. */
    version: z.int(),
    created_at: isoMicrosecondsField,
    /** The API token that made the change; null for the admin app, and for the first version. */
    token_id: z.int().nullable(),
    /** Null also for a token that was revoked and removed. */
    token_name: z.string().nullable(),
    /** The version that was restored; null for every other change. */
    restored_version: z.int().nullable(),
    /** Names of settings; empty for the first version. */
    changed_settings: z.array(z.string()),
  })
  .meta({ id: 'AssistantVersion' });

/** One version, without its settings. */
export type AssistantVersionRecord = z.output<typeof assistantVersion>;

const assistantVersionDetails = assistantVersion
  .extend({ settings: assistantSettings })
  .meta({ id: 'AssistantVersionDetails' });

/** One version with its settings. */
export type AssistantVersionDetails = z.output<typeof assistantVersionDetails>;

const versionParameters = idParameter.extend({ version: idParameter.shape.id });
const notFoundMessage = 'Version not found';

/** The endpoints of versions. */
export const assistantVersions = c.router({
  list: {
    method: 'GET',
    path: '/api/user/assistants/:id/versions',
    pathParams: idParameter,
    summary: 'List the versions of an assistant, newest first',
    responses: { 200: z.array(assistantVersion), ...singleErrors },
    metadata: metadata({ scope: 'read', notFoundMessage: 'Assistant not found' }),
  },
  get: {
    method: 'GET',
    path: '/api/user/assistants/:id/versions/:version',
    pathParams: versionParameters,
    summary: 'Read a version of an assistant with all settings',
    responses: { 200: assistantVersionDetails, ...singleErrors },
    metadata: metadata({ scope: 'read', notFoundMessage }),
  },
  restore: {
    method: 'POST',
    path: '/api/user/assistants/:id/versions/:version/restore',
    pathParams: versionParameters,
    summary: 'Give an assistant the settings of a version, or some of them; that makes a new version',
    body: restoreBody,
    responses: {
      200: written(assistantDetails).meta({ id: 'AssistantRestored' }),
      ...bodyErrors,
      ...singleErrors,
    },
    metadata: metadata({ scope: 'write', notFoundMessage }),
  },
});
