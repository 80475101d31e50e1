/**
 * Turns written text into what a voice should say: no markdown, no emoji, no addresses. What remains is what the
 * caller hears, so it is also what stands in the transcript.
 */

const MARKDOWN_IMAGE_OR_LINK_TARGET = /!?\[([^\][]*)\]\([^)\s]*\)/gu;
/** A link cut in two by the chunker leaves its second half behind. */
const DANGLING_LINK_TARGET = /\]\([^)\s]*\)?/gu;
const WEB_ADDRESS = /(?:https?:\/\/|www\.)[^\s<>"]*[^\s<>".,;:!?)\]]/giu;
const LINE_DECORATION = /^[ \t]*(?:#{1,6}[ \t]+|>[ \t]?|[-*+•][ \t]+|(?:[-*_][ \t]*){3,}$|```\w*$)/gmu;
/** Stars and underscores that touch a word from one side; a star by itself is the key on the telephone. */
const EMPHASIS =
  /\*+(?=[\p{L}\p{N}"'(_])|(?<=[\p{L}\p{N}.,!?:"')_])\*+|_{2,}|~~|`+|(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])/gu;
const TABLE_BAR = /\s*\|\s*/gu;
/** Pictures with their joiners, skin tones and flags; digits and signs with an emoji form stay. */
const EMOJI =
  /[\p{Extended_Pictographic}\p{Emoji_Modifier}\p{Regional_Indicator}]|\u{FE0E}|\u{FE0F}|\u{200D}|\u{20E3}/gu;
const SPACE_BEFORE_MARK = /\s+([,.;:!?…])/gu;

/**
 * The words of `text` for a synthesiser, on one line; empty where nothing is left to say.
 *
 * @param text - a sentence or clause as a model wrote it
 */
export function spokenText(text: string): string {
  const spoken = text
    .replaceAll(MARKDOWN_IMAGE_OR_LINK_TARGET, '$1')
    .replaceAll(DANGLING_LINK_TARGET, '')
    .replaceAll(WEB_ADDRESS, '')
    .replaceAll(LINE_DECORATION, '')
    .replaceAll(EMPHASIS, '')
    .replaceAll(TABLE_BAR, ' ')
    .replaceAll(/[[\]<>{}\\]/gu, '')
    .replaceAll(/\(\s*\)/gu, '')
    .replaceAll(EMOJI, '')
    .replaceAll(/\s+/gu, ' ')
    .replaceAll(SPACE_BEFORE_MARK, '$1')
    .trim();
  return /[\p{L}\p{N}]/u.test(spoken) ? spoken : '';
}
