import type { Context } from '#functions/context.ts'
import type { Locale } from '#functions/shapes/locale.ts'
import { keyOf } from './texts.ts'

/** What a place has said in a language. */
export interface Dictionary {
  /** By `keyOf`. */
  byKey: ReadonlyMap<string, string>
  /**
   * By the original, of fields of data types and of columns that questions name: answers name their columns so, and do not say whose
   * name it is. Only those whose original is still the one they were written for.
   */
  byText: ReadonlyMap<string, string>
}

/** The translations of a place that the actor may see, by language, those that are older than their original too. One statement. */
export async function dictionariesOf(
  ctx: Context,
  placeId: string,
): Promise<ReadonlyMap<Locale, Dictionary>> {
  const rows = await ctx.db
    .selectFrom('translation')
    .select(['language', 'noun', 'nounId', 'path', 'text', 'original'])
    .where('placeId', '=', placeId)
    .orderBy('id')
    .execute()
  const dictionaries = new Map<Locale, { byKey: Map<string, string>; byText: Map<string, string> }>()
  for (const { language, noun, nounId, path, text, original } of rows) {
    const { byKey, byText } = dictionaries.get(language) ?? { byKey: new Map(), byText: new Map() }
    dictionaries.set(language, { byKey, byText })
    byKey.set(keyOf(noun, nounId, path), text)
    if (path.startsWith('fields.') || path.startsWith('aggregations.')) byText.set(original, text)
  }
  return dictionaries
}
