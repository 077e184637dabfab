import type { Context } from '#functions/context.ts'
import type { Locale } from '#functions/shapes/locale.ts'
import { buildTextKey } from './texts.ts'

/** The translations of a place into a language. */
export interface Dictionary {
  /** By `buildTextKey`. */
  byKey: ReadonlyMap<string, string>
  /**
   * By the original text: names of fields and of columns in queries, since answers contain such names without their
   * origin. Only translations that are not outdated.
   */
  byText: ReadonlyMap<string, string>
}

/** The translations of a place that the actor may see, by language, including outdated ones. One statement. */
export async function readDictionaries(
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
    byKey.set(buildTextKey(noun, nounId, path), text)
    if (path.startsWith('fields.') || path.startsWith('aggregations.')) byText.set(original, text)
  }
  return dictionaries
}
