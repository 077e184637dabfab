import type { ActionFunctionArgs, LoaderFunctionArgs } from '@remix-run/cloudflare'
import { listQuery, toListFilter, type ListOffer } from '#app/components/list/list-query.ts'
import { handleFormKeepingValues, versionIn } from '#app/server/form-values.server.ts'
import { load } from '#app/server/load.server.ts'
import { isOrgAdmin } from '#app/server/session.server.ts'
import { requirePermission } from '#app/server/require-permission.server.ts'
import { translatableBy } from '#functions/domain/translation/translations.ts'
import { getTextDirection, locales, type Locale } from '#functions/shapes/locale.ts'
import { translatableNouns } from '#functions/shapes/translatable.ts'
import { longestFile, textStates } from '#functions/shapes/translation.ts'
import { v1 } from '#functions/v1/index.ts'

const pageSize = 20

/** Without sort options: the order is that of the organization, its pages, its data. */
const offer: ListOffer = {
  sorts: {},
  filters: { language: {}, state: toListFilter(textStates), noun: toListFilter(translatableNouns) },
  pageSize,
}

/**
 * Loads the texts of the organization with their translations into a language; `list` is null if its hub has
 * only one language.
 */
export async function loadTranslations(args: LoaderFunctionArgs) {
  const { placeId } = await requirePermission(args, 'text.translate')
  const query = listQuery(new URL(args.request.url), offer)
  const [{ place }, permittedNouns] = await Promise.all([
    load(args, { place: v1.place.findById }),
    translatableBy(args.context.ctx, placeId),
  ])
  const [own = 'en', ...others] = place.languages
  const language = others.find((code) => code === query.filters.language) ?? others[0]
  const mayManage = isOrgAdmin(args.context.ctx.actor, placeId)
  if (language === undefined) return { own: describeLanguage(own), mayManage, list: null }
  const { state, noun } = query.filters
  const options = {
    ...{ language, limit: pageSize, offset: query.options.offset },
    ...(query.search && { search: query.search }),
    ...(state && { state }),
    ...(noun && { noun }),
  }
  const { texts } = await load(args, { texts: { endpoint: v1.place.translation.texts, options } })
  const file = `/v1/places/${encodeURIComponent(placeId)}/translations/texts.csv?language=${language}`
  return {
    ...{ own: describeLanguage(own), mayManage },
    list: {
      ...{ query, texts, mine: permittedNouns, language: describeLanguage(language) },
      languages: texts.languages.map((each) => ({ ...each, ...describeLanguage(each.language) })),
      openHref: file,
      allHref: `${file}&state=all`,
    },
  }
}

const describeLanguage = (code: Locale) => ({
  code,
  name: locales.find((each) => each.code === code)?.name ?? code,
  direction: getTextDirection(code),
})

/** Identifies a text in its form. */
interface TextKey {
  noun: string
  nounId: string
  path: string
  language: string
}

/** The actions on a text: saving, or deleting if the text is empty; and on a translator's file. */
export async function changeTranslations(args: ActionFunctionArgs) {
  const { csv, refusal } = await fileIn(args)
  if (refusal) return { ok: false as const, ...refusal }
  const { translation } = v1.place
  const outcome = await handleFormKeepingValues(args, (formValues) => {
    const { intent = '', noun = '', nounId = '', path = '', language = '', text = '', id = '' } = formValues
    const textKey: TextKey = { noun, nounId, path, language }
    const file = csv ?? formValues.csv ?? ''
    // One screen has many forms, so each has its own intents.
    const isGone = intent.startsWith('remove ') || (text.trim() === '' && id !== '')
    const one = isGone
      ? { endpoint: translation.deleteById, params: { translationId: id }, data: () => undefined }
      : {
          endpoint: translation.create,
          data: (form: FormData) => ({ ...textKey, text, ...(id && { version: versionIn(form) }) }),
        }
    return {
      look: { endpoint: translation.import, data: () => ({ language, csv: file }) },
      apply: { endpoint: translation.import, data: () => ({ language, csv: file, token: formValues.token }) },
      ...(/^(?:save|remove) /.test(intent) && { [intent]: one }),
    }
  })
  return { ...outcome, ...(outcome.ok && outcome.intent === 'look' && { csv: csv ?? '' }) }
}

/**
 * Reads the text of an uploaded file; null without one. Files are UTF-8, or UTF-16 with a byte order mark, as
 * spreadsheets write them.
 */
async function fileIn({ request }: ActionFunctionArgs) {
  const refuse = (message: string) => ({
    csv: null,
    refusal: {
      ...{ intent: 'look', message, status: 400, formValues: { intent: 'look' } },
      issues: [{ path: ['file'], message }],
    },
  })
  const isLarge = Number(request.headers.get('content-length') ?? 0) > longestFile * 3
  if (isLarge) return refuse('This file is too large to be a file of texts.')
  const file = (await request.clone().formData()).get('file')
  if (!(file instanceof Blob)) return { csv: null, refusal: null }
  if (file.size === 0) return refuse('Choose a file.')
  const bytes = new Uint8Array(await file.arrayBuffer())
  const encoding =
    bytes[0] === 0xff && bytes[1] === 0xfe
      ? 'utf-16le'
      : bytes[0] === 0xfe && bytes[1] === 0xff
        ? 'utf-16be'
        : 'utf-8'
  try {
    return { csv: new TextDecoder(encoding, { fatal: true }).decode(bytes), refusal: null }
  } catch {
    return refuse('Save the file as CSV in UTF-8: its letters cannot be read.')
  }
}
