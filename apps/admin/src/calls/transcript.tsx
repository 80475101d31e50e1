/** The transcript as a chat. A turn is a button that plays the recording from the word that was clicked, by key from its beginning. */
import type { CallDetail, CallTurn } from '@parley/contracts';
import { Stack, Text, UnstyledButton } from '@mantine/core';
import type { ReactNode } from 'react';
import { Bubble } from '../ui/bubble.tsx';
import { formatDuration } from '../ui/format.rules.ts';
import { statusLook } from './call-status.rules.ts';
import { LatencyBar, LatencyLegend } from './latency-bar.tsx';
import { LatencyFigures } from './latency-figures.tsx';
import classes from './transcript.module.css';
import { longestWaitMs, stageSpans, stagesOf, wordTimeMs } from './turn-times.rules.ts';
import { texts } from './texts.ts';

interface TranscriptProps {
  call: CallDetail;
  /** Index of the turn being played; -1 for none. */
  currentTurn: number;
  /** Null without a recording. */
  onSeek: ((positionMs: number) => void) | null;
}

/** How the bars of all turns are drawn. */
interface BarScale {
  stages: readonly string[];
  scaleMs: number;
}

function TurnFoot({ turn, bars }: { turn: CallTurn; bars: BarScale }): ReactNode {
  return (
    <>
      <LatencyBar spans={stageSpans(turn.latency)} {...bars} />
      <span>{formatDuration(turn.start_ms / 1_000)}</span>
      {turn.is_interrupted && <span>{texts.transcript.interrupted}</span>}
    </>
  );
}

interface TurnProps extends Pick<TranscriptProps, 'onSeek'> {
  turn: CallTurn;
  speaker: string;
  isCurrent: boolean;
  bars: BarScale;
}

/** The word under the pointer, as characters from the beginning of the turn; 0 for a click by key, or beside the text. */
function clickedOffset({ clientX, clientY, detail }: MouseEvent, text: string): number {
  if (detail === 0) return 0;
  const position = document.caretPositionFromPoint?.(clientX, clientY);
  return position?.offsetNode.textContent === text ? position.offset : 0;
}

function Turn({ turn, speaker, isCurrent, bars, onSeek }: TurnProps): ReactNode {
  const bubble = (
    <Bubble
      side={turn.sender}
      speaker={speaker}
      isCurrent={isCurrent}
      foot={<TurnFoot turn={turn} bars={bars} />}
    >
      {turn.text}
    </Bubble>
  );
  if (!onSeek) return bubble;
  return (
    <UnstyledButton
      className={classes['seek'] ?? ''}
      aria-current={isCurrent || undefined}
      onClick={({ nativeEvent }) => onSeek(wordTimeMs(turn, clickedOffset(nativeEvent, turn.text)))}
    >
      <span className="visually-hidden">{texts.transcript.playFrom} </span>
      {bubble}
    </UnstyledButton>
  );
}

function NothingSaid({ call }: { call: CallDetail }): ReactNode {
  const { isLive } = statusLook(call.status);
  const isAnswered = call.status === 'in-progress';
  const live = isAnswered ? texts.transcript.live : texts.transcript.starting;
  return (
    <Text size="sm" c="dimmed">
      {isLive ? live : texts.transcript.empty}
    </Text>
  );
}

/** Oldest turn first. */
export function Transcript({ call, currentTurn, onSeek }: TranscriptProps): ReactNode {
  if (call.turns.length === 0) return <NothingSaid call={call} />;
  const bars = { stages: stagesOf(call.turns), scaleMs: longestWaitMs(call.turns) };
  return (
    <Stack gap="md">
      {bars.stages.length > 0 && <LatencyLegend stages={bars.stages} />}
      <ol className={classes['turns']} data-testid="transcript">
        {call.turns.map((turn, index) => (
          // Turns are only appended, so the index is a stable key.
          <li key={index} data-testid="turn" data-sender={turn.sender}>
            <Turn
              turn={turn}
              speaker={turn.sender === 'bot' ? call.assistant_name : texts.customer}
              isCurrent={index === currentTurn}
              bars={bars}
              onSeek={onSeek}
            />
          </li>
        ))}
      </ol>
      {bars.stages.length > 0 && <LatencyFigures turns={call.turns} stages={bars.stages} />}
    </Stack>
  );
}
