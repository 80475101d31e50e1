/** What the widget shows: its elements, and how they follow the stage of the call. */
import type { WidgetAppearance } from '@parley/contracts';
import { isTalking, isUnderWay, type TalkStage, type TalkState } from '../web-call/talk-stage.rules.ts';
import { texts as defaults } from './texts.ts';
import { readableOn } from './widget-problem.rules.ts';
// A constructed style sheet needs no permission of the page's content policy.
import styles from './widget.css?inline';

/** What its buttons do. */
export interface WidgetActions {
  start: () => void;
  hangUp: () => void;
  toggleMute: () => void;
}

type Texts = typeof defaults;

const STAGE_TEXTS: Readonly<Record<TalkStage, keyof Texts | null>> = {
  idle: null,
  microphone: 'microphone',
  connecting: 'connecting',
  listening: 'listening',
  thinking: 'listening',
  speaking: 'speaking',
  ended: 'ended',
  failed: null,
};

function make<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  properties: Partial<HTMLElementTagNameMap[Name]>,
  ...children: HTMLElement[]
): HTMLElementTagNameMap[Name] {
  const element = Object.assign(document.createElement(name), properties);
  element.append(...children);
  return element;
}

function button(text: string, className: string, onClick: () => void): HTMLButtonElement {
  const element = make('button', { type: 'button', textContent: text, className });
  element.addEventListener('click', onClick);
  return element;
}

/** The elements of one widget. */
export class WidgetView {
  readonly texts: Texts;
  readonly #root: HTMLElement;
  readonly #panel: HTMLElement;
  readonly #status = make('p', { role: 'status' });
  readonly #problem = make('p', { role: 'alert', className: 'problem' });
  readonly #level = make('div', { className: 'level' });
  readonly #launcher: HTMLButtonElement;
  readonly #before: HTMLElement[];
  readonly #start: HTMLButtonElement;
  readonly #mute: HTMLButtonElement;
  readonly #hangUp: HTMLButtonElement;

  constructor(shadow: ShadowRoot, appearance: WidgetAppearance, actions: WidgetActions) {
    this.texts = { ...defaults, ...appearance.texts };
    const { title, intro, start, mute, hang_up: hangUp, open, close } = this.texts;
    this.#start = button(start, 'main', actions.start);
    this.#mute = button(mute, '', actions.toggleMute);
    this.#hangUp = button(hangUp, 'main', actions.hangUp);
    this.#launcher = button(open, 'main', () => this.#toggle());
    const shut = button('×', 'close', () => this.#toggle());
    shut.ariaLabel = close;
    this.#before = [
      make('p', { className: 'dim', textContent: intro }),
      make('p', { className: 'dim', textContent: appearance.consent_text ?? '' }),
    ];
    this.#panel = make(
      'section',
      { className: 'panel', ariaLabel: title, hidden: true },
      make('div', { className: 'head' }, make('h2', { textContent: title }), shut),
      ...this.#before,
      this.#status,
      this.#problem,
      this.#level,
      make('div', { className: 'actions' }, this.#start, this.#mute, this.#hangUp),
    );
    this.#root = make('div', { className: 'root' }, this.#panel, this.#launcher);
    this.#paint(appearance);
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(styles);
    shadow.adoptedStyleSheets = [sheet];
    shadow.replaceChildren(this.#root);
  }

  /** Shows a state of the call. */
  show({ stage, problem }: TalkState, isMuted: boolean): void {
    const text = STAGE_TEXTS[stage];
    this.#root.dataset['stage'] = stage;
    this.#status.textContent = text === null ? '' : this.texts[text];
    this.#problem.textContent = problem?.text ?? '';
    this.#problem.hidden = problem === null;
    for (const element of this.#before) element.hidden = isUnderWay(stage) || element.textContent === '';
    this.#start.hidden = isUnderWay(stage);
    this.#hangUp.hidden = !isUnderWay(stage);
    this.#mute.hidden = !isTalking(stage);
    this.#mute.textContent = isMuted ? this.texts.unmute : this.texts.mute;
    this.#level.hidden = !isTalking(stage);
  }

  /** Loudness of the assistant, 0 to 1, and how much sound it has made so far, for tests and other programs. */
  showSound(level: number, playedMs: number): void {
    this.#level.style.setProperty('--level', level.toFixed(2));
    this.#root.dataset['playedMs'] = String(Math.round(playedMs));
  }

  /** What carries the sound, for tests and other programs. */
  showSoundPath(path: string): void {
    this.#root.dataset['soundPath'] = path;
  }

  #paint({ color, theme, position }: WidgetAppearance): void {
    this.#root.style.setProperty('--accent', color);
    this.#root.style.setProperty('--on-accent', readableOn(color));
    this.#root.dataset['theme'] = theme;
    this.#root.dataset['side'] = position.replace('bottom-', '');
    this.#launcher.ariaExpanded = 'false';
  }

  /** A call goes on while the panel is closed. */
  #toggle(): void {
    this.#panel.hidden = !this.#panel.hidden;
    this.#launcher.ariaExpanded = String(!this.#panel.hidden);
    if (this.#panel.hidden) this.#launcher.focus();
    else (this.#start.hidden ? this.#hangUp : this.#start).focus();
  }
}
