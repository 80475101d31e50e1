/** The waveform as a control: pointer and keyboard move through the recording. */
import { Skeleton, Text, useComputedColorScheme } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type KeyboardEvent, type ReactNode, useEffect, useRef } from 'react';
import { formatDuration } from '../ui/format.rules.ts';
import classes from './recording-player.module.css';
import { fetchWavePeaks } from './wav-peaks.ts';
import { drawWaveform } from './waveform.ts';
import { texts } from './texts.ts';

interface WaveformViewProps {
  audio: HTMLAudioElement;
  url: string;
  assistantName: string;
  state: { positionSeconds: number; durationSeconds: number };
}

/** More bars than any screen shows at three pixels each. */
const STRETCHES = 1_200;

/** How far an arrow key goes. */
const KEY_SECONDS = 5;

/** The player also works if the waveform cannot be loaded. */
export function WaveformView({ audio, url, assistantName, state }: WaveformViewProps): ReactNode {
  const frame = useRef<HTMLDivElement>(null);
  const scheme = useComputedColorScheme('light');
  const peaks = useQuery({
    queryKey: ['recording-peaks', url],
    queryFn: ({ signal }) => fetchWavePeaks(url, STRETCHES, signal),
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  });
  useEffect(() => {
    if (frame.current && peaks.data) return drawWaveform(frame.current, audio, peaks.data);
    return undefined;
    // The colours are read when it is drawn, so a change of scheme draws it again.
  }, [audio, peaks.data, scheme]);
  const onKeyDown = (event: KeyboardEvent): void => {
    const direction = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (direction === undefined) return;
    event.preventDefault();
    audio.currentTime += direction * KEY_SECONDS;
  };
  if (peaks.isPending) return <Skeleton h={88} />;
  if (peaks.isError)
    return (
      <Text size="xs" c="dimmed">
        {texts.player.noWaveform}
      </Text>
    );
  return (
    <div className={classes['wave']}>
      <div className={classes['sides']} aria-hidden="true">
        <span>{texts.customer}</span>
        <span>{assistantName}</span>
      </div>
      <div
        ref={frame}
        className={classes['canvas']}
        role="slider"
        tabIndex={0}
        aria-label={texts.player.position}
        aria-valuemin={0}
        aria-valuemax={Math.round(state.durationSeconds)}
        aria-valuenow={Math.round(state.positionSeconds)}
        aria-valuetext={formatDuration(state.positionSeconds)}
        onKeyDown={onKeyDown}
        data-testid="waveform"
      />
    </div>
  );
}
