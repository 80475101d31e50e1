/**
 * The rows of a new installation: the languages, and the built-in provider with Flite's voices and the scripted dialogue.
 * Wire names are those of `packages/speech`.
 */
import { Migration } from '@mikro-orm/migrations';

export class SeedLookups extends Migration {
  override up(): void {
    const languages = LANGUAGES.map(([iso2, name]) => `('${name}', '${iso2}')`).join(', ');
    this.addSql(`insert into languages (name, iso_2) values ${languages}`);
    this.addSql(`insert into providers (name, kind, created_at) values ('Built in', 'built-in', now())`);
    this.addSql(`
      insert into llm_models (name, provider_id, wire_name)
      select 'Scripted dialogue (built in)', id, 'scripted' from providers where kind = 'built-in'`);
    for (const [wireName, name] of FLITE_VOICES) {
      this.addSql(`
        insert into voices (name, mode, provider_id, wire_name, language_id)
        select '${name}', 'pipeline', providers.id, '${wireName}', languages.id
        from providers, languages where providers.kind = 'built-in' and languages.iso_2 = 'en'`);
    }
  }
}

const FLITE_VOICES = [
  ['slt', 'Flite slt, female (built in)'],
  ['rms', 'Flite rms, male (built in)'],
  ['kal16', 'Flite kal, male, plain (built in)'],
] as const;

/** ISO 639-1, ordered by name: the order of the ids, so that lists are sorted. */
const LANGUAGES = [
  ['en', 'English'],
  ['af', 'Afrikaans'],
  ['sq', 'Albanian'],
  ['ar', 'Arabic'],
  ['hy', 'Armenian'],
  ['az', 'Azerbaijani'],
  ['eu', 'Basque'],
  ['be', 'Belarusian'],
  ['bn', 'Bengali'],
  ['bs', 'Bosnian'],
  ['bg', 'Bulgarian'],
  ['ca', 'Catalan'],
  ['zh', 'Chinese'],
  ['hr', 'Croatian'],
  ['cs', 'Czech'],
  ['da', 'Danish'],
  ['nl', 'Dutch'],
  ['et', 'Estonian'],
  ['fi', 'Finnish'],
  ['fr', 'French'],
  ['gl', 'Galician'],
  ['ka', 'Georgian'],
  ['de', 'German'],
  ['el', 'Greek'],
  ['he', 'Hebrew'],
  ['hi', 'Hindi'],
  ['hu', 'Hungarian'],
  ['is', 'Icelandic'],
  ['id', 'Indonesian'],
  ['ga', 'Irish'],
  ['it', 'Italian'],
  ['ja', 'Japanese'],
  ['kk', 'Kazakh'],
  ['ko', 'Korean'],
  ['lv', 'Latvian'],
  ['lt', 'Lithuanian'],
  ['mk', 'Macedonian'],
  ['ms', 'Malay'],
  ['mt', 'Maltese'],
  ['no', 'Norwegian'],
  ['fa', 'Persian'],
  ['pl', 'Polish'],
  ['pt', 'Portuguese'],
  ['ro', 'Romanian'],
  ['ru', 'Russian'],
  ['sr', 'Serbian'],
  ['sk', 'Slovak'],
  ['sl', 'Slovenian'],
  ['es', 'Spanish'],
  ['sw', 'Swahili'],
  ['sv', 'Swedish'],
  ['tl', 'Tagalog'],
  ['ta', 'Tamil'],
  ['te', 'Telugu'],
  ['th', 'Thai'],
  ['tr', 'Turkish'],
  ['uk', 'Ukrainian'],
  ['ur', 'Urdu'],
  ['uz', 'Uzbek'],
  ['vi', 'Vietnamese'],
  ['cy', 'Welsh'],
] as const;
