/** What carries the sound of the conversation, and how well. */
import { Text } from '@mantine/core';
import type { ReactNode } from 'react';
import type { SoundPathReport } from '../web-call/sound-path.ts';
import { texts } from './texts.ts';

function qualityTexts(report: SoundPathReport): string[] {
  if (report.path === 'websocket') return [];
  const { roundTripMs, lossReceived, lossSent } = report;
  return [
    roundTripMs === null ? '' : texts.soundPath.roundTrip(roundTripMs),
    lossReceived === null ? '' : texts.soundPath.lossReceived(lossReceived),
    lossSent === null ? '' : texts.soundPath.lossSent(lossSent),
  ].filter((text) => text !== '');
}

/** One line; empty until the server has chosen the path. */
export function SoundPathNote({ report }: { report: SoundPathReport | null }): ReactNode {
  return (
    <Text
      c="dimmed"
      size="xs"
      ta="center"
      mih="1.2rem"
      data-testid="sound-path"
      data-path={report?.path ?? ''}
    >
      {report && [texts.soundPath[report.path], ...qualityTexts(report)].join(' · ')}
    </Text>
  );
}
