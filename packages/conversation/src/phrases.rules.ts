/**
 * The few sentences the conversation says by itself, when no model can be asked: they must work when everything else
 * has failed. Languages without a row get English.
 */

/** `goodbye`: the caller has been silent for too long. `apology`: a provider failed and the call ends. */
export type Phrase = 'goodbye' | 'apology';

type Phrases = Readonly<Record<Phrase, string>>;

const ENGLISH: Phrases = {
  goodbye: 'I cannot hear you any more, so I will end the call now. Goodbye.',
  apology: 'I am sorry, we have a technical problem. Please call again later. Goodbye.',
};

const OTHERS: Readonly<Record<string, Phrases>> = {
  de: {
    goodbye: 'Ich kann Sie leider nicht mehr hören und beende jetzt das Gespräch. Auf Wiederhören.',
    apology:
      'Es tut mir leid, wir haben ein technisches Problem. Bitte rufen Sie später noch einmal an. Auf Wiederhören.',
  },
  es: {
    goodbye: 'Ya no le oigo, así que voy a terminar la llamada. Adiós.',
    apology: 'Lo siento, tenemos un problema técnico. Por favor, llame más tarde. Adiós.',
  },
  fr: {
    goodbye: 'Je ne vous entends plus, je vais donc mettre fin à l’appel. Au revoir.',
    apology: 'Je suis désolé, nous avons un problème technique. Veuillez rappeler plus tard. Au revoir.',
  },
  it: {
    goodbye: 'Non la sento più, quindi chiudo la chiamata. Arrivederci.',
    apology: 'Mi dispiace, abbiamo un problema tecnico. La prego di richiamare più tardi. Arrivederci.',
  },
  nl: {
    goodbye: 'Ik kan u niet meer horen en beëindig nu het gesprek. Tot ziens.',
    apology: 'Het spijt me, we hebben een technisch probleem. Belt u later nog eens. Tot ziens.',
  },
  pl: {
    goodbye: 'Nie słyszę już Państwa, więc kończę rozmowę. Do widzenia.',
    apology: 'Przepraszam, mamy problem techniczny. Proszę zadzwonić później. Do widzenia.',
  },
  pt: {
    goodbye: 'Já não consigo ouvir, por isso vou terminar a chamada. Até logo.',
    apology: 'Desculpe, temos um problema técnico. Por favor, ligue mais tarde. Até logo.',
  },
};

/** @param language - BCP 47 or a two-letter code; only its first part counts */
export function phrase(which: Phrase, language: string): string {
  const base = language.toLowerCase().split(/[-_]/u)[0] ?? '';
  const row = Object.hasOwn(OTHERS, base) ? OTHERS[base] : undefined;
  return (row ?? ENGLISH)[which];
}
