/**
 * The only file that uses wavesurfer.js: draws both channels of a recording above an `<audio>` element
 * and lets a click or a drag move it.
 */
import WaveSurfer from 'wavesurfer.js';
import type { WavePeaks } from './wav-peaks.ts';

/** Height of one side's waveform, in CSS pixels. */
const CHANNEL_HEIGHT = 44;

/** The recording's channels in order: the customer left, the assistant right. */
const CHANNEL_COLOURS = ['--parley-customer', '--parley-assistant'];

/**
 * wavesurfer.js brings its style as an inline `<style>`, which the content security policy refuses.
 * The same rules as a constructed style sheet are allowed, so they are moved before the element enters
 * the document.
 */
function adoptShadowStyle(host: Node): void {
  const shadow = host instanceof HTMLElement ? host.shadowRoot : null;
  const style = shadow?.querySelector('style');
  if (!shadow || !style) return;
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(style.textContent);
  shadow.adoptedStyleSheets = [sheet];
  style.remove();
}

function createContainer(parent: HTMLElement): HTMLElement {
  const container = document.createElement('div');
  container.appendChild = <Child extends Node>(child: Child): Child => {
    adoptShadowStyle(child);
    return Node.prototype.appendChild.call(container, child) as Child;
  };
  parent.replaceChildren(container);
  return container;
}

function loudest({ channels }: WavePeaks): number {
  return Math.max(...channels.flatMap((channel) => Array.from(channel, Math.abs)));
}

function colour(name: string): string {
  return getComputedStyle(document.documentElement).getPropertyValue(name).trim();
}

/** Both colours are opaque, because the played part is painted over the other. */
function channelColours(index: number): { waveColor: string; progressColor: string } {
  const name = CHANNEL_COLOURS[index] ?? '--mantine-color-dimmed';
  return { waveColor: colour(`${name}-pale`) || colour(name), progressColor: colour(name) };
}

/**
 * Draws a recording.
 *
 * @param parent - gets the waveform as its only child
 * @param audio - the element that plays; its `src` is already set
 * @returns a function that removes the waveform again
 */
export function drawWaveform(parent: HTMLElement, audio: HTMLAudioElement, peaks: WavePeaks): () => void {
  const wave = WaveSurfer.create({
    container: createContainer(parent),
    media: audio,
    peaks: peaks.channels,
    duration: peaks.durationSeconds,
    normalize: true,
    // Both sides on one scale, so that a quiet side looks quiet.
    maxPeak: loudest(peaks),
    barWidth: 2,
    barGap: 1,
    barRadius: 2,
    cursorWidth: 1,
    cursorColor: colour('--mantine-color-text'),
    dragToSeek: true,
    splitChannels: peaks.channels.map((_, index) => ({ height: CHANNEL_HEIGHT, ...channelColours(index) })),
  });
  return () => wave.destroy();
}
