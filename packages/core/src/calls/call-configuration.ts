/**
 * What a call keeps of its assistant. Frozen into the call when it begins: changing an assistant never changes a call in
 * progress. Keys of providers are not in it; they are opened when voice loads the call.
 */
import type { AssistantRow } from '@parley/db';

/** A voice or a model and who provides it. */
export interface FrozenResource {
  id: number;
  name: string;
  wireName: string;
  providerId: number;
}

/** The assistant's settings that decide how a call goes, in our own names. */
export type FrozenAssistant = Omit<AssistantRow, 'deletedAt' | 'createdAt' | 'updatedAt' | 'widgetSettings'>;

export interface CallConfiguration {
  assistant: FrozenAssistant;
  voice: FrozenResource;
  model: FrozenResource;
  language: { id: number; name: string; iso2: string };
}
