/** What an assistant says while it thinks, unless its owner says otherwise. Lists are in the assistant's language. */
import type { FillerConfig } from '@parley/db';

const ENGLISH: FillerConfig = {
  neutral: ['Okay.', 'One moment.', 'Let me see.'],
  negative: ['I understand.', 'I see.'],
  positive: ['Great.', 'Wonderful.'],
  question: ['Good question.', 'Let me think.'],
};

const BY_LANGUAGE: Record<string, FillerConfig> = {
  en: ENGLISH,
  de: {
    neutral: ['Okay.', 'Einen Moment.', 'Mal sehen.'],
    negative: ['Verstehe.', 'Ich verstehe.'],
    positive: ['Sehr gut.', 'Wunderbar.'],
    question: ['Gute Frage.', 'Moment, ich überlege.'],
  },
  es: {
    neutral: ['De acuerdo.', 'Un momento.', 'Vamos a ver.'],
    negative: ['Entiendo.', 'Ya veo.'],
    positive: ['Muy bien.', 'Estupendo.'],
    question: ['Buena pregunta.', 'Déjeme pensar.'],
  },
  fr: {
    neutral: ["D'accord.", 'Un instant.', 'Voyons.'],
    negative: ['Je comprends.', 'Je vois.'],
    positive: ['Très bien.', 'Parfait.'],
    question: ['Bonne question.', 'Laissez-moi réfléchir.'],
  },
  it: {
    neutral: ['Va bene.', 'Un momento.', 'Vediamo.'],
    negative: ['Capisco.', 'Ho capito.'],
    positive: ['Ottimo.', 'Benissimo.'],
    question: ['Buona domanda.', 'Mi faccia pensare.'],
  },
  nl: {
    neutral: ['Oké.', 'Een moment.', 'Even kijken.'],
    negative: ['Ik begrijp het.', 'Ik snap het.'],
    positive: ['Mooi.', 'Uitstekend.'],
    question: ['Goede vraag.', 'Even nadenken.'],
  },
  pt: {
    neutral: ['Certo.', 'Um momento.', 'Vamos ver.'],
    negative: ['Entendo.', 'Compreendo.'],
    positive: ['Muito bem.', 'Ótimo.'],
    question: ['Boa pergunta.', 'Deixe-me pensar.'],
  },
};

/** @param iso2 - the assistant's language; one without lists of its own gets the English ones */
export function defaultFillers(iso2: string): FillerConfig {
  return BY_LANGUAGE[iso2] ?? ENGLISH;
}
