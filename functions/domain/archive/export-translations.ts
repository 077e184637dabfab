import type { Context } from '#functions/context.ts'
import {
  buildTextKey,
  languagesOfPlace,
  placeTexts,
  rowsWithTexts,
} from '#functions/domain/translation/texts.ts'
import type { ArchivedTranslation } from '#functions/shapes/archive.ts'
import { translatableNouns } from '#functions/shapes/translatable.ts'

/** Rows that are read at a time. */
const maxRead = 1000

/**
 * The translations of a place's texts, including outdated ones, but not those of removed languages or texts. `recordOmission` is
 * called with the number of omitted ones by language. `isIn`: whether the translated thing is in the archive.
 */
export async function* readTranslations(
  ctx: Context,
  placeId: string,
  isIn: (noun: string, id: string) => boolean,
  recordOmission: (noun: string, id: string, why: string) => void,
): AsyncGenerator<ArchivedTranslation> {
  const [, ...languages] = await languagesOfPlace(ctx, placeId)
  const textKeys = new Set(
    placeTexts(await rowsWithTexts(ctx, translatableNouns, { placeId })).map(({ of, path }) =>
      buildTextKey(of.noun, of.id, path),
    ),
  )
  const missing = new Map<string, number>()
  for (let after = ''; ;) {
    const rows = await ctx.db
      .selectFrom('translation')
      .select(['id', 'noun', 'nounId', 'path', 'language', 'text', 'original'])
      .where('placeId', '=', placeId)
      .where('id', '>', after)
      .orderBy('id')
      .limit(maxRead)
      .execute()
    for (const { id: _id, ...row } of rows) {
      const { noun, nounId, path, language } = row
      if (
        languages.includes(language) &&
        textKeys.has(buildTextKey(noun, nounId, path)) &&
        isIn(noun, nounId)
      )
        yield row
      else missing.set(language, (missing.get(language) ?? 0) + 1)
    }
    const last = rows.at(-1)
    if (!last) break
    after = last.id
  }
  for (const [language, count] of missing)
    recordOmission(
      'translation',
      language,
      `${count === 1 ? 'One text' : `${count} texts`} in a language that the hub has no more, or of what is not in the archive.`,
    )
}
