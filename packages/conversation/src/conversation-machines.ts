/** The detection of answering machines by the settings of a conversation. */
import { MachineDetector, type MachineDetectorOptions } from './answering/machine-detector.ts';
import type { ConversationOptions } from './conversation-port.ts';

/** @returns null if the assistant does not ask who answered */
export function machineDetector(
  { line, settings }: Pick<ConversationOptions, 'line' | 'settings'>,
  listeners: Pick<MachineDetectorOptions, 'onVerdict' | 'onBeep'>,
): MachineDetector | null {
  if (settings.onMachine === 'ignore') return null;
  const { sampleRateHz } = line;
  return new MachineDetector({ sampleRateHz, language: settings.language, ...listeners });
}
