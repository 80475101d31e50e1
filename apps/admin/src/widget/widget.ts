/**
 * `<parley-widget assistant="…">`: a button on any web page with which visitors talk with an assistant (docs/widget.md).
 * Until a visitor starts a call it loads only its appearance. Without permission for the page it shows nothing.
 */
import { inBackground } from '../client/in-background.ts';
import { idleTalk, isUnderWay, nextTalkState, type TalkEvent } from '../web-call/talk-stage.rules.ts';
import { TalkSession } from '../web-call/talk-session.ts';
import { noAnswer, notShown } from './texts.ts';
import { canAskForMicrophone, explainFault } from './widget-problem.rules.ts';
import { RefusedError, WidgetServer } from './widget-server.ts';
import { WidgetView } from './widget-view.ts';

/** Null in a module: the widget is a classic script. */
const script = (document.currentScript as HTMLScriptElement | null)?.src ?? location.href;

class ParleyWidget extends HTMLElement {
  readonly #shadow = this.attachShadow({ mode: 'open' });
  #state = idleTalk;
  #isMuted = false;
  #session: TalkSession | null = null;
  #view: WidgetView | null = null;

  connectedCallback(): void {
    const assistant = this.getAttribute('assistant') ?? '';
    if (!this.#view) inBackground(this.#load(new WidgetServer(script, assistant), assistant));
  }

  /** Elements that are removed end their call. */
  disconnectedCallback(): void {
    this.#session?.hangUp();
  }

  async #load(server: WidgetServer, assistant: string): Promise<void> {
    try {
      const appearance = await server.readAppearance();
      this.#view ??= new WidgetView(this.#shadow, appearance, {
        start: () => this.#start(server),
        hangUp: () => this.#session?.hangUp(),
        toggleMute: () => this.#toggleMute(),
      });
      this.#draw();
    } catch (error) {
      // For the owner of the page: visitors see nothing.
      // oxlint-disable-next-line no-console
      console.warn(notShown(assistant, error instanceof RefusedError ? error.message : noAnswer));
    }
  }

  #start(server: WidgetServer): void {
    const texts = this.#view?.texts;
    if (!texts || isUnderWay(this.#state.stage)) return;
    const problem = (text: string) => ({ title: '', text });
    const page = { isSecureContext, hasMediaDevices: navigator.mediaDevices !== undefined };
    if (!canAskForMicrophone(page)) {
      this.#follow({ type: 'started' });
      return this.#follow({ type: 'failed', problem: problem(texts.insecure) });
    }
    this.#isMuted = false;
    this.#session = new TalkSession({
      placeCall: async () => ({ callId: null, url: await server.placeCall() }),
      problems: {
        connectionLost: problem(texts.lost),
        notAccepted: problem(texts.busy),
        ofError: (error) => problem(texts[explainFault(faultOf(error))]),
      },
      workletUrls: [server.workletUrl],
      onEvent: (event) => this.#follow(event),
      onMicrophoneLevel: () => {},
      onPlayback: ({ level, playedMs }) => this.#view?.showSound(level, playedMs),
      onSoundPath: ({ path }) => this.#view?.showSoundPath(path),
      onSilence: () => {},
    });
    inBackground(this.#session.start());
  }

  #toggleMute(): void {
    this.#isMuted = !this.#isMuted;
    this.#session?.setMuted(this.#isMuted);
    this.#draw();
  }

  #follow(event: TalkEvent): void {
    this.#state = nextTalkState(this.#state, event);
    this.#draw();
  }

  #draw(): void {
    this.#view?.show(this.#state, this.#isMuted);
  }
}

function faultOf(error: unknown): { name: string } | { status: number } {
  if (error instanceof RefusedError) return { status: error.status };
  return { name: error instanceof Error ? error.name : '' };
}

if (!customElements.get('parley-widget')) customElements.define('parley-widget', ParleyWidget);
