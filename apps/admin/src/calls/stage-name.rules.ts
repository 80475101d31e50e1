/** What has happened by the end of a stage of an answer. */
import { texts } from './texts.ts';

const STAGES: Readonly<Record<string, string>> = texts.transcript.stages;

/** The server may know more stages than this page. */
export function stageName(stage: string): string {
  return STAGES[stage] ?? stage.replaceAll('_', ' ');
}
