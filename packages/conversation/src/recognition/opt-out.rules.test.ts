import { describe, expect, it } from 'vitest';
import { isOptOut } from './opt-out.rules.ts';

describe('a request not to be called again', () => {
  it.each([
    ['en', 'Please stop calling me.'],
    ['en', 'stop calling me'],
    ['en', 'Take me off your list!'],
    ['en', 'Don’t call me again.'],
    ['en', 'no don’t call me again please'],
    ['en', 'Could you remove my number from your database?'],
    ['en', 'Remove my number.'],
    ['en', "I'm busy, do not call here again, thank you."],
    ['en', "Why don't you take me off your list?"],
    ['en', 'I told you not to call me again.'],
    ['en', 'The person would like you to remove this number from your mailing list.'],
    ['en-US', 'Stop calling this number, okay?'],
    ['de', 'Rufen Sie mich bitte nicht mehr an.'],
    ['de', 'Nehmen Sie mich von Ihrer Liste.'],
    ['de', 'Löschen Sie meine Nummer, bitte.'],
    ['de', 'Stop calling me!'],
    ['fr', 'Ne m’appelez plus.'],
    ['fr', "Arrêtez de m'appeler s'il vous plaît."],
    ['fr', 'Retirez-moi de votre liste.'],
    ['es', 'No me llame más, por favor.'],
    ['es', 'Dejen de llamarme.'],
    ['es', 'Quíteme de su lista.'],
    ['it', 'Non mi chiami più.'],
    ['it', 'Smettetela di chiamarmi, per favore.'],
    ['it', 'Cancellate il mio numero dalla lista.'],
    ['nl', 'Bel me niet meer.'],
    ['pt', 'Pare de me ligar, por favor.'],
    ['ja', 'Take me off your list.'],
  ])('in %s: %s', (language, text) => {
    expect(isOptOut(text, language)).toBe(true);
  });
});

describe('what resembles one', () => {
  it.each([
    ['en', 'Do not stop calling me.'],
    ['en', "Please don't stop calling me."],
    ['en', 'Stop calling me Bob.'],
    ['en', "Don't call me before five."],
    ['en', "Don't call me sir."],
    ['en', 'I did not say stop calling me.'],
    ['en', "Please don't take me off your list."],
    ['en', 'I would be sad if you stop calling me.'],
    ['en', 'Call me again tomorrow.'],
    ['en', 'Stop.'],
    ['en', 'Please stop.'],
    ['en', 'Is my number on your list?'],
    ['en', 'Remove my number two order, I want only one.'],
    ['en', ''],
    ['de', 'Nehmen Sie mich nicht von der Liste.'],
    ['de', 'Rufen Sie mich morgen noch einmal an.'],
    ['de', 'Löschen Sie meine Nummer nicht.'],
    ['fr', 'Ne supprimez pas mon numéro.'],
    ['fr', 'Rappelez-moi demain.'],
    ['es', 'No deje de llamarme.'],
    ['es', 'Llámeme más tarde.'],
    ['it', 'Non smettete di chiamarmi.'],
    ['it', 'Mi chiami più tardi.'],
    ['nl', 'Bel me morgen.'],
    ['pt', 'Não pare de me ligar.'],
  ])('in %s: %s', (language, text) => {
    expect(isOptOut(text, language)).toBe(false);
  });
});
