/**
 * The sentences that every conversation speaks without a model. They must work when everything else has failed. Languages
 * without an entry use English.
 */

/**
 * `goodbye`: the caller has been silent for too long. `apology`: a provider failed and the call ends. `acknowledgement`: the
 * caller asked not to be called again. `announcement`: a supervisor listens in from now on. `interruption`: another voice process goes on with the call. `moment` and `patience`: the reply takes longer than expected. `working`: a tool is running.
 */
export type StandardPhrase =
  | 'goodbye'
  | 'apology'
  | 'acknowledgement'
  | 'announcement'
  | 'interruption'
  | 'moment'
  | 'patience'
  | 'working';

type Phrases = Readonly<Record<StandardPhrase, string>>;

const ENGLISH: Phrases = {
  goodbye: 'I cannot hear you any more, so I will end the call now. Goodbye.',
  apology: 'I am sorry, we have a technical problem. Please call again later. Goodbye.',
  acknowledgement: 'All right. We will not call this number again. Goodbye.',
  announcement: 'A colleague is now listening to this call.',
  interruption:
    'I am sorry, the line was interrupted for a moment. Could you please repeat what you said last?',
  moment: 'One moment, please.',
  patience: 'Thank you for your patience.',
  working: 'One moment, I am just checking that.',
};

const OTHERS: Readonly<Record<string, Phrases>> = {
  de: {
    goodbye: 'Ich kann Sie leider nicht mehr hören und beende jetzt das Gespräch. Auf Wiederhören.',
    apology:
      'Es tut mir leid, wir haben ein technisches Problem. Bitte rufen Sie später noch einmal an. Auf Wiederhören.',
    acknowledgement: 'In Ordnung. Wir rufen diese Nummer nicht mehr an. Auf Wiederhören.',
    announcement: 'Eine Kollegin oder ein Kollege hört diesem Gespräch jetzt zu.',
    interruption:
      'Entschuldigung, die Verbindung war kurz unterbrochen. Könnten Sie bitte wiederholen, was Sie zuletzt gesagt haben?',
    moment: 'Einen Moment, bitte.',
    patience: 'Vielen Dank für Ihre Geduld.',
    working: 'Einen Moment, ich sehe gerade nach.',
  },
  es: {
    goodbye: 'Ya no le oigo, así que voy a terminar la llamada. Adiós.',
    apology: 'Lo siento, tenemos un problema técnico. Por favor, llame más tarde. Adiós.',
    acknowledgement: 'De acuerdo. No volveremos a llamar a este número. Adiós.',
    announcement: 'A partir de ahora, un compañero está escuchando esta llamada.',
    interruption:
      'Disculpe, la llamada se ha interrumpido un momento. ¿Podría repetir lo último que ha dicho?',
    moment: 'Un momento, por favor.',
    patience: 'Gracias por su paciencia.',
    working: 'Un momento, lo estoy comprobando.',
  },
  fr: {
    goodbye: 'Je ne vous entends plus, je vais donc mettre fin à l’appel. Au revoir.',
    apology: 'Je suis désolé, nous avons un problème technique. Veuillez rappeler plus tard. Au revoir.',
    acknowledgement: 'C’est entendu. Nous n’appellerons plus ce numéro. Au revoir.',
    announcement: 'Un collègue écoute maintenant cet appel.',
    interruption:
      'Excusez-moi, la ligne a été coupée un instant. Pouvez-vous répéter ce que vous avez dit en dernier ?',
    moment: 'Un instant, s’il vous plaît.',
    patience: 'Merci de votre patience.',
    working: 'Un instant, je vérifie cela.',
  },
  it: {
    goodbye: 'Non la sento più, quindi chiudo la chiamata. Arrivederci.',
    apology: 'Mi dispiace, abbiamo un problema tecnico. La prego di richiamare più tardi. Arrivederci.',
    acknowledgement: 'Va bene. Non chiameremo più questo numero. Arrivederci.',
    announcement: 'Da questo momento un collega ascolta questa chiamata.',
    interruption:
      'Mi scusi, la linea si è interrotta per un momento. Può ripetere l’ultima cosa che ha detto?',
    moment: 'Un momento, per favore.',
    patience: 'Grazie per la pazienza.',
    working: 'Un momento, sto controllando.',
  },
  nl: {
    goodbye: 'Ik kan u niet meer horen en beëindig nu het gesprek. Tot ziens.',
    apology: 'Het spijt me, we hebben een technisch probleem. Belt u later nog eens. Tot ziens.',
    acknowledgement: 'In orde. We bellen dit nummer niet meer. Tot ziens.',
    announcement: 'Een collega luistert nu mee met dit gesprek.',
    interruption: 'Excuses, de verbinding was even onderbroken. Kunt u herhalen wat u het laatst zei?',
    moment: 'Een moment, alstublieft.',
    patience: 'Dank u voor uw geduld.',
    working: 'Een moment, ik kijk het even na.',
  },
  pl: {
    goodbye: 'Nie słyszę już Państwa, więc kończę rozmowę. Do widzenia.',
    apology: 'Przepraszam, mamy problem techniczny. Proszę zadzwonić później. Do widzenia.',
    acknowledgement: 'Dobrze. Nie będziemy już dzwonić pod ten numer. Do widzenia.',
    announcement: 'Od tej chwili rozmowy słucha również nasz współpracownik.',
    interruption:
      'Przepraszam, połączenie zostało na chwilę przerwane. Czy mogą Państwo powtórzyć ostatnie słowa?',
    moment: 'Chwileczkę, proszę.',
    patience: 'Dziękuję za cierpliwość.',
    working: 'Chwileczkę, już sprawdzam.',
  },
  pt: {
    goodbye: 'Já não consigo ouvir, por isso vou terminar a chamada. Até logo.',
    apology: 'Desculpe, temos um problema técnico. Por favor, ligue mais tarde. Até logo.',
    acknowledgement: 'Está bem. Não voltaremos a ligar para este número. Até logo.',
    announcement: 'A partir de agora, um colega está a ouvir esta chamada.',
    interruption: 'Desculpe, a ligação foi interrompida por um momento. Pode repetir o que disse por último?',
    moment: 'Um momento, por favor.',
    patience: 'Obrigado pela paciência.',
    working: 'Um momento, estou a verificar.',
  },
};

/** @param language - BCP 47 or a two-letter code */
export function standardPhrase(which: StandardPhrase, language: string): string {
  return phrasesIn(language)[which];
}

/** All of a language. */
export function standardPhrases(language: string): string[] {
  return Object.values(phrasesIn(language));
}

function phrasesIn(language: string): Phrases {
  const base = language.toLowerCase().split(/[-_]/u)[0] ?? '';
  return (Object.hasOwn(OTHERS, base) ? OTHERS[base] : undefined) ?? ENGLISH;
}
