/**
 * Words that matter for turn-taking, by language: lower case, without punctuation, phrases with single spaces. The lists
 * are short on purpose: they contain only words that nearly always have this meaning. `caller-words.rules.ts` uses them.
 */
import { rowOf } from '../language.rules.ts';

/** One language. */
export interface WordLists {
  /** At the beginning of an utterance, they interrupt at once. */
  stops: readonly string[];
  /** On their own, they only mean "I am listening". */
  backchannels: readonly string[];
  /** On their own, they only thank, which takes the floor no more than a backchannel does. */
  thanks: readonly string[];
  /** On their own or with thanks, they only take leave of the assistant. */
  farewells: readonly string[];
  /** On their own, they only ask whether the assistant is there. */
  presenceChecks: readonly string[];
  /** On their own, they ask the assistant to say it again. */
  repeats: readonly string[];
  /** Anywhere in an utterance, they ask the assistant to wait. */
  waits: readonly string[];
  /** A turn does not end with these: conjunctions, prepositions, hesitation, the beginning of a name or number. */
  unfinished: readonly string[];
  /** At the beginning of an utterance, they make it a question. */
  questions: readonly string[];
  /** Refusal, complaint, bad news. */
  negatives: readonly string[];
  /** Agreement, thanks, good news. */
  positives: readonly string[];
}

/** Words that are understood nearly everywhere; for languages without a list. */
const ANY_LANGUAGE: WordLists = {
  stops: ['stop'],
  backchannels: ['ok', 'okay', 'mm', 'mhm', 'hm', 'aha'],
  thanks: [],
  farewells: ['bye', 'bye bye', 'ciao'],
  presenceChecks: ['hello', 'hallo', 'halo', 'alo'],
  repeats: [],
  waits: [],
  unfinished: [],
  questions: [],
  negatives: [],
  positives: [],
};

const LISTS: Readonly<Record<string, WordLists>> = {
  en: {
    stops: [
      'stop',
      'wait',
      'hold on',
      'hang on',
      'no no',
      'excuse me',
      'one moment',
      'just a second',
      'shut up',
    ],
    backchannels: words(
      'mm hm mhm hmm uh-huh mm-hm yeah yes yep ok okay right sure aha',
      'i see',
      'got it',
      'all right',
    ),
    thanks: words('thanks cheers', 'thank you', 'thank you very much', 'thank you so much', 'many thanks'),
    farewells: words(
      'bye goodbye',
      'bye bye',
      'you too',
      'see you',
      'take care',
      'have a nice day',
      'have a good day',
    ),
    presenceChecks: words(
      'hello hi',
      'are you there',
      'are you still there',
      'is anyone there',
      'is anybody there',
      'can you hear me',
      'did you hear me',
    ),
    repeats: words(
      'what sorry pardon',
      'pardon me',
      'say again',
      'come again',
      'say that again',
      'what was that',
    ),
    waits: [
      'hold on',
      'hang on',
      'one moment',
      'a moment',
      'one second',
      'a second',
      'a sec',
      'one sec',
      'a minute',
      'one minute',
      'bear with me',
      'let me check',
      'let me see',
      'let me look',
      'let me get',
      'let me find',
    ],
    unfinished: words(
      'and or but because if which who with to of for from at the a an my your um uh er than',
      'no wait',
      'wait actually',
      'let me think',
      'my name is',
      'my number is',
      'i am',
      "i'm",
      "it's",
      'i would like',
      'i want',
    ),
    questions: words('what when where who why how which can could would do does is are will may should'),
    negatives: words(
      'no not never cannot bad wrong problem broken sorry unfortunately terrible',
      "don't",
      "can't",
      "won't",
    ),
    positives: words(
      'yes great good thanks wonderful perfect sure fine excellent',
      'thank you',
      'sounds good',
    ),
  },
  de: {
    stops: [
      'stopp',
      'stop',
      'halt',
      'moment',
      'warten sie',
      'warte',
      'nein nein',
      'entschuldigung',
      'augenblick',
    ],
    backchannels: words('mm hm mhm hmm ja jo ok okay genau gut stimmt aha', 'ach so', 'alles klar', 'ja ja'),
    thanks: words('danke dankeschön', 'danke schön', 'danke sehr', 'vielen dank'),
    farewells: words(
      'tschüss tschüs ciao ebenso gleichfalls',
      'auf wiederhören',
      'auf wiedersehen',
      'schönen tag',
      'einen schönen tag noch',
      'bis dann',
    ),
    presenceChecks: words(
      'hallo',
      'sind sie da',
      'sind sie noch da',
      'bist du da',
      'bist du noch da',
      'hören sie mich',
      'ist da jemand',
    ),
    repeats: words('was', 'wie bitte', 'was bitte', 'noch einmal', 'noch mal'),
    waits: [
      'moment',
      'augenblick',
      'sekunde',
      'warten sie',
      'warte mal',
      'bleiben sie dran',
      'ich schaue nach',
      'ich sehe nach',
      'muss ich nachsehen',
    ],
    unfinished: words(
      'und oder aber weil wenn dass mit zu für von bei in an auf der die das ein eine mein meine äh ähm also denn als um',
      'mein name ist',
      'meine nummer ist',
      'ich heiße',
      'ich bin',
      'ich möchte',
      'ich hätte gern',
    ),
    questions: words(
      'was wann wo wer warum wie welche welcher welches kann können könnten haben ist sind wieso',
    ),
    negatives: words('nein nicht nie kein keine schlecht falsch problem kaputt leider'),
    positives: words('ja danke gut super toll prima perfekt gerne gern wunderbar', 'vielen dank'),
  },
  es: {
    stops: ['para', 'pare', 'alto', 'espera', 'espere', 'un momento', 'no no', 'perdone', 'disculpe'],
    backchannels: words('mm hm mhm sí si ok okay vale claro ya ajá bueno', 'de acuerdo', 'muy bien'),
    thanks: words('gracias', 'muchas gracias'),
    farewells: words('adiós chao igualmente', 'hasta luego', 'buen día'),
    presenceChecks: words('hola oiga', 'está ahí', 'sigue ahí', 'me oye', 'me escucha', 'hay alguien'),
    repeats: words('qué cómo perdón', 'cómo dice', 'otra vez'),
    waits: [
      'un momento',
      'un momentito',
      'un segundo',
      'un minuto',
      'espere',
      'espera',
      'déjeme ver',
      'déjame ver',
    ],
    unfinished: words(
      'y o pero porque si que con a de para por en el la los las un una mi eh este pues',
      'me llamo',
      'mi nombre es',
      'mi número es',
      'soy',
      'quiero',
      'quisiera',
    ),
    questions: words('qué cuándo dónde quién cómo cuál cuánto puede podría hay'),
    negatives: words('no nunca malo mal problema roto desgraciadamente tampoco'),
    positives: words('sí gracias bien perfecto genial estupendo claro vale', 'muchas gracias'),
  },
  fr: {
    stops: ['stop', 'arrêtez', 'attendez', 'attends', 'un instant', 'non non', 'excusez-moi', 'pardon'],
    backchannels: words('mm hm mhm oui ouais ok okay bien ah', "d'accord", 'je vois', 'très bien', 'ah bon'),
    thanks: words('merci', 'merci beaucoup', 'merci bien'),
    farewells: words('salut pareillement', 'au revoir', 'bonne journée', 'à bientôt', 'vous aussi'),
    presenceChecks: words(
      'allô allo',
      'vous êtes là',
      'vous êtes toujours là',
      "vous m'entendez",
      "il y a quelqu'un",
    ),
    repeats: words('comment quoi', 'vous dites'),
    waits: [
      'un instant',
      'un moment',
      'une seconde',
      'une minute',
      'attendez',
      'ne quittez pas',
      'je regarde',
      'je vérifie',
    ],
    unfinished: words(
      'et ou mais parce si que qui avec à de pour par dans sur le la les un une mon ma euh alors donc',
      "je m'appelle",
      'mon nom est',
      'mon numéro est',
      'je suis',
      'je voudrais',
      'je veux',
    ),
    questions: words(
      'que quoi quand où qui comment pourquoi quel quelle combien',
      'est-ce',
      'pouvez-vous',
      "qu'est-ce",
    ),
    negatives: words('non pas jamais mauvais problème cassé malheureusement désolé'),
    positives: words('oui merci bien parfait super génial volontiers', "d'accord"),
  },
  it: {
    stops: ['stop', 'ferma', 'aspetta', 'aspetti', 'un momento', 'un attimo', 'no no', 'scusi'],
    backchannels: words('mm hm mhm sì si ok okay certo bene ah già capito', 'va bene', "d'accordo"),
    thanks: words('grazie', 'grazie mille', 'molte grazie'),
    farewells: words('ciao arrivederci altrettanto', 'buona giornata', 'a presto'),
    presenceChecks: words('pronto', 'è lì', 'è ancora lì', 'mi sente', "c'è qualcuno"),
    repeats: words('cosa', 'come ha detto', 'come scusi', 'può ripetere'),
    waits: [
      'un attimo',
      'un momento',
      'un secondo',
      'un minuto',
      'aspetti',
      'aspetta',
      'resti in linea',
      'mi faccia vedere',
    ],
    unfinished: words(
      'e o ma perché se che con a di per da in su il lo la i gli le un una mio mia ehm allora quindi',
      'mi chiamo',
      'il mio nome è',
      'il mio numero è',
      'sono',
      'vorrei',
      'voglio',
    ),
    questions: words('che cosa quando dove chi come perché quale quanto può potrebbe'),
    negatives: words('no non mai male problema rotto purtroppo sbagliato'),
    positives: words('sì grazie bene perfetto ottimo certo volentieri', 'va bene'),
  },
  nl: {
    stops: ['stop', 'wacht', 'ho', 'een moment', 'momentje', 'nee nee', 'pardon'],
    backchannels: words('mm hm mhm ja jawel ok oké okay goed juist precies aha', 'ja ja', 'ik snap het'),
    thanks: words('bedankt', 'dank u', 'dank je', 'dank u wel', 'dank je wel'),
    farewells: words('doei dag insgelijks', 'tot ziens', 'fijne dag'),
    presenceChecks: words('hallo', 'bent u er nog', 'bent u daar', 'hoort u mij', 'is daar iemand'),
    repeats: words('wat sorry', 'wat zegt u', 'nog een keer'),
    waits: [
      'een moment',
      'momentje',
      'een seconde',
      'een minuut',
      'wacht even',
      'blijft u even hangen',
      'ik kijk even',
    ],
    unfinished: words(
      'en of maar want omdat als dat met naar van voor bij in op aan de het een mijn eh ehm dus dan om',
      'mijn naam is',
      'mijn nummer is',
      'ik heet',
      'ik ben',
      'ik wil',
      'ik zou graag',
    ),
    questions: words('wat wanneer waar wie waarom hoe welke kan kunt kunnen heeft is zijn'),
    negatives: words('nee niet nooit geen slecht fout probleem kapot helaas'),
    positives: words('ja bedankt goed prima perfect geweldig graag mooi', 'dank u', 'dank je'),
  },
  pt: {
    stops: ['para', 'pare', 'espera', 'espere', 'um momento', 'não não', 'desculpe', 'com licença'],
    backchannels: words('mm hm mhm sim ok okay certo claro pois tá entendi', 'está bem', 'tudo bem'),
    thanks: words('obrigado obrigada', 'muito obrigado', 'muito obrigada'),
    farewells: words('tchau adeus igualmente', 'até logo', 'bom dia'),
    presenceChecks: words(
      'alô olá',
      'está aí',
      'ainda está aí',
      'está me ouvindo',
      'está a ouvir-me',
      'tem alguém aí',
    ),
    repeats: words('quê', 'o quê', 'como disse', 'pode repetir'),
    waits: [
      'um momento',
      'um momentinho',
      'um segundo',
      'um minuto',
      'espere',
      'espera',
      'aguarde',
      'deixe-me ver',
      'deixa eu ver',
    ],
    unfinished: words(
      'e ou mas porque se que com a de para por em no na o os as um uma meu minha é eh então',
      'meu nome é',
      'o meu nome é',
      'meu número é',
      'eu sou',
      'eu quero',
      'eu gostaria',
    ),
    questions: words('que quando onde quem como qual quanto pode poderia tem'),
    negatives: words('não nunca mau mal problema quebrado infelizmente errado'),
    positives: words('sim obrigado obrigada bom ótimo perfeito claro', 'muito bem'),
  },
};

/** The lists of a call's language; of other languages only what is said everywhere. */
export function wordLists(language: string): WordLists {
  return rowOf(LISTS, language, ANY_LANGUAGE);
}

function words(single: string, ...phrases: string[]): string[] {
  return [...single.split(' '), ...phrases];
}
